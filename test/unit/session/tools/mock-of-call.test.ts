// A mock that is made of a call.
import { describe, expect, it } from 'vitest';
import { toMockEdit } from '../../../../src/session/tools/mock-of-call';
import { calling, openSession } from '../../../support/session/scripted-session';

const WEATHER = { name: 'get_weather', parameters: { type: 'object' } };
const call = { name: 'get_weather', arguments: { city: 'Oslo' } };
const document = (entry: object, rows?: string) =>
  ({ tools: [entry], evaluate: { ...(rows !== undefined && { rows }) } }) as never;
const resolved = (mocks?: object[]) => [{ tool: { ...WEATHER, mocks }, index: 0 }] as never;

describe('toMockEdit', () => {
  it('comes before the mocks that are there, one of which might answer every call', () => {
    const entry = { ...WEATHER, mocks: [{ result: 'any' }] };
    expect(toMockEdit(document(entry), resolved(entry.mocks), call)).toEqual({
      path: ['tools', 0, 'mocks', 0],
      value: { when: { city: 'Oslo' }, result: '' },
      isInsertion: true,
    });
  });

  it('copies the mocks of a library, which count only while there are no others', () => {
    expect(toMockEdit(document({ $ref: 'x' }), resolved([{ result: 'any' }]), call)).toEqual({
      path: ['tools', 0, 'mocks'],
      value: [{ when: { city: 'Oslo' }, result: '' }, { result: 'any' }],
    });
  });

  it('takes values literally, also those that look like a matcher or a placeholder', () => {
    const args = { a: { $any: true }, b: '{{city}}' };
    const edit = toMockEdit(document(WEATHER, './rows.csv'), resolved(), { ...call, arguments: args });
    expect(edit.value).toEqual([
      { when: { a: { $equals: { $any: true } }, b: String.raw`\{{city}}` }, result: '' },
    ]);
  });

  it('refuses a call of no tool of the playground, and arguments that are no object', () => {
    expect(() => toMockEdit(document(WEATHER), resolved(), { ...call, name: 'other' })).toThrow('no tool');
    expect(() => toMockEdit(document(WEATHER), resolved(), { ...call, arguments: 'x' })).toThrow(
      'not an object',
    );
  });
});

describe('mockCall', () => {
  it('adds the mock of a call that a reply made to the document', async () => {
    const text = JSON.stringify({
      messages: [{ role: 'user', content: 'Weather in Oslo?' }],
      tools: [WEATHER],
      lanes: [{ id: 'a' }],
    });
    const opened = await openSession({ text, script: () => calling('get_weather') });
    await opened.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await opened.settled();
    const runId = opened.runs().at(-1)?.id ?? '';
    await opened.ask('tool/mock-call', { laneId: 'a', runId, callIndex: 0 });
    const [tool] = opened.session.editable.document.tools;
    expect(tool?.mocks).toEqual([{ when: expect.any(Object) as object, result: '' }]);
    await expect(opened.ask('tool/mock-call', { laneId: 'a', runId, callIndex: 1 })).rejects.toThrow(
      'no such call',
    );
  });
});
