import { describe, expect, test } from 'vitest';
import type { ConnectionView } from '../../../../src/protocol';
import { toSentView } from '../../../../src/session/run/setup-changes';
import type { AskedFields } from '../../../support/session/make-setup';
import { makeSetup, toAsked } from '../../../support/session/make-setup';
import { CONNECTION } from '../../../support/session/scripted-session';

const TOOL = { name: 'get_weather', description: 'The weather.' };

async function changes(
  before: AskedFields,
  now: AskedFields,
  { isAgent = false, view = CONNECTION }: { isAgent?: boolean; view?: ConnectionView | undefined } = {},
) {
  const setup = await makeSetup(before);
  const { connection, model } = setup;
  const run = { connectionId: connection.id, model, isAgent, setup };
  return toSentView(run, { asked: toAsked(now), view }).changed;
}

describe('toSentView', () => {
  test('finds no change between equal settings, however they are written', async () => {
    const lane = { sampling: { temperature: 0, seed: 7 }, raw: { a: 1, b: [2] } };
    const again = {
      sampling: { seed: 7, temperature: 0, future: 1 },
      raw: { b: [2], a: 1 },
      model: 'first-look',
    };
    expect(
      await changes({ lane, tools: [TOOL] }, { lane: again, tools: [{ ...TOOL, offered: true }] }),
    ).toEqual([]);
    expect(await changes({ system: '' }, { system: ' \n' })).toEqual([]);
    expect(await changes({ tools: [] }, { idleTools: ['unused'] })).toEqual([]);
  });

  test.each<[part: string, before: AskedFields, now: AskedFields]>([
    ['connection', {}, { lane: { connection: 'other', model: 'first-look' } }],
    ['model', {}, { lane: { model: 'other' } }],
    ['temperature', { lane: { sampling: { temperature: 0 } } }, {}],
    ['stop', {}, { lane: { sampling: { stop: ['x'] } } }],
    ['toolChoice', {}, { lane: { toolChoice: 'required' } }],
    ['raw', { lane: { raw: { a: 1 } } }, { lane: { raw: { a: 2 } } }],
    ['rescue', {}, { lane: { rescueToolCalls: false } }],
    ['system', { system: 'One.' }, { system: 'Two.' }],
    ['tools', { tools: [TOOL] }, { tools: [{ ...TOOL, description: 'Another.' }] }],
    ['tools', { tools: [TOOL] }, {}],
  ])('finds another %s', async (part, before, now) => {
    expect(await changes(before, now)).toEqual([part]);
    expect(await changes(now, before)).toEqual([part]);
  });

  test('counts mocks and limits for an agent run only', async () => {
    const before = { tools: [{ ...TOOL, mocks: [{ result: 'mild' }] }], lane: { limits: { maxSteps: 3 } } };
    const now = { tools: [TOOL] };
    expect(await changes(before, now)).toEqual([]);
    expect(await changes(before, now, { isAgent: true })).toEqual(['mocks', 'limits']);
  });

  test('sees what has changed in the settings of the connection', async () => {
    const view = { ...CONNECTION, address: 'example.com', sampling: { topP: 0.5 }, isRescueOff: true };
    expect(await changes({}, {}, { view })).toEqual(['connection', 'topP', 'rescue']);
    expect(await changes({}, {}, { view: undefined })).toEqual([]);
  });

  test('compares only what is known of a run whose connection could not be opened', async () => {
    const lane = { connection: 'gone' };
    const view = { ...CONNECTION, id: 'gone', model: undefined, sampling: { topP: 0.5 }, isRescueOff: true };
    expect(await changes({ lane }, { lane }, { view })).toEqual([]);
  });

  test('of a run of an earlier version, knows the connection and the model only', () => {
    const run = { connectionId: 'gone', model: 'm', isAgent: false, setup: undefined };
    const asked = toAsked({ system: 'New.' });
    expect(toSentView(run, { asked, view: CONNECTION })).toEqual({ changed: ['connection', 'model'] });
  });
});
