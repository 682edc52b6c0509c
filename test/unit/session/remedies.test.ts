// Applies the remedies of findings to an open playground: the resulting document, and the requests.
import { afterEach, describe, expect, test } from 'vitest';
import type { Remedy } from '../../../src/types';
import type { Opened, SessionSetup } from '../../support/session/scripted-session';
import { calling, inTurn, openSession } from '../../support/session/scripted-session';

const opened: Opened[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ session }) => session.dispose()));
});

interface LaneText {
  rescueToolCalls?: boolean;
  toolChoice?: unknown;
  sampling?: object;
  raw?: object;
  connection?: string;
}

const WEATHER = { name: 'get_weather', parameters: { type: 'object' }, mocks: [{ result: 'cold' }] };

/** Opens a playground whose lane has one reply. */
async function openRun(lane: LaneText, setup: Omit<SessionSetup, 'tools'> & { tools?: object[] } = {}) {
  const { tools: documentTools = [WEATHER], ...rest } = setup;
  const text = JSON.stringify({
    version: 1,
    tools: documentTools,
    lanes: [{ id: 'a', connection: 'demo', ...lane }],
  });
  const one = await openSession({ text, ...rest });
  opened.push(one);
  await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'Weather in Oslo?' });
  await one.settled();
  const apply = async (remedy: Remedy, isSentAgain = true): Promise<void> => {
    const runId = one.runs()[0]?.id ?? '';
    await one.ask('remedy/apply', { laneId: 'a', runId, remedy, isSentAgain });
    await one.settled();
  };
  return { one, apply };
}

const laneOf = (one: Opened): LaneText =>
  (JSON.parse(one.backing.text) as { lanes: LaneText[] }).lanes[0] ?? {};
const toolsOf = (one: Opened): Record<string, unknown>[] =>
  (JSON.parse(one.backing.text) as { tools: Record<string, unknown>[] }).tools;

describe('a remedy', () => {
  test('turns rescue on and runs again; the new reply with the rescued call replaces the old one', async () => {
    const call = '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>';
    const { one, apply } = await openRun({ rescueToolCalls: false }, { script: inTurn({ content: call }) });
    const [before] = one.runs();
    expect(before?.outcome?.findings[0]).toMatchObject({
      cause: 'rescue-off',
      remedies: [{ kind: 'rescue-on' }],
    });
    await apply({ kind: 'rescue-on' });
    expect(laneOf(one)).not.toHaveProperty('rescueToolCalls');
    const runs = one.runs();
    expect(runs.map(({ outcome }) => outcome?.verdict.kind)).toEqual(['rescued']);
    expect(runs[0]?.id).not.toBe(before?.id);
    expect(one.asked).toHaveLength(2);
    expect(one.asked[1]?.messages).toEqual(one.asked[0]?.messages);
  });

  test('is one edit of the document, undone in one step', async () => {
    const { one, apply } = await openRun({ connection: 'demo' });
    const before = one.backing.text;
    const { edits } = one.backing;
    await apply({ kind: 'connection', connectionId: 'other', label: 'Other', numCtx: 8_192 });
    expect(laneOf(one)).toMatchObject({ connection: 'other', sampling: { numCtx: 8_192 } });
    expect(one.backing.edits).toBe(edits + 1);
    one.backing.replace(before);
    expect(laneOf(one)).not.toHaveProperty('sampling');
  });

  test.each<[Remedy, LaneText, object]>([
    [{ kind: 'tool-choice', choice: 'required' }, {}, { toolChoice: 'required' }],
    [{ kind: 'tool-choice', choice: 'auto' }, { toolChoice: 'none' }, { toolChoice: 'auto' }],
    [{ kind: 'leave-out', key: 'topP' }, { sampling: { seed: 7, topP: 0.9 } }, { sampling: { seed: 7 } }],
    [{ kind: 'sampling', key: 'numCtx', value: 8_192 }, {}, { sampling: { numCtx: 8_192 } }],
    [
      { kind: 'sampling', key: 'temperature', value: 0 },
      { sampling: { seed: 7, temperature: 1 } },
      { sampling: { seed: 7, temperature: 0 } },
    ],
    [
      { kind: 'raw', path: ['options', 'num_ctx'], value: 4_096 },
      { raw: { options: { num_ctx: 64, num_batch: 8 } } },
      { raw: { options: { num_ctx: 4_096, num_batch: 8 } } },
    ],
    [{ kind: 'raw', path: ['think'], value: false }, {}, { raw: { think: false } }],
    [{ kind: 'raw', path: ['tools'] }, { raw: { tools: [], x: 1 } }, { raw: { x: 1 } }],
  ])('%j changes only its part of the lane', async (remedy, lane, after) => {
    const { one, apply } = await openRun(lane);
    await apply(remedy, false);
    expect(laneOf(one)).toEqual({ id: 'a', connection: 'demo', ...after });
    expect(one.asked).toHaveLength(1);
  });

  test('removes a raw object that becomes empty, and changes nothing if its key is gone', async () => {
    const { one, apply } = await openRun({ raw: { tools: [] } });
    await apply({ kind: 'raw', path: ['tools'] }, false);
    expect(laneOf(one)).not.toHaveProperty('raw');
    const { edits } = one.backing;
    await apply({ kind: 'raw', path: ['tools'] }, false);
    await apply({ kind: 'leave-out', key: 'topP' }, false);
    await apply({ kind: 'rescue-on' }, false);
    expect(one.backing.edits).toBe(edits);
  });

  test('offers a tool that was not offered, which is then sent', async () => {
    const { one, apply } = await openRun({}, { tools: [{ ...WEATHER, offered: false }] });
    expect(one.asked[0]?.tools).toEqual([]);
    await apply({ kind: 'offer-tool', tool: 'get_weather' });
    expect(one.asked[1]?.tools.map(({ name }) => name)).toEqual(['get_weather']);
    expect(toolsOf(one)[0]).not.toHaveProperty('offered');
    await expect(apply({ kind: 'offer-tool', tool: 'gone' })).rejects.toThrow('no longer has a tool gone');
  });

  test('renames a tool to the name that the model calls, also in tool choices', async () => {
    const { one, apply } = await openRun(
      { toolChoice: { tool: 'get_weather' } },
      { script: inTurn(calling('weather')) },
    );
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('malformed');
    await apply({ kind: 'rename-tool', tool: 'get_weather', to: 'weather' });
    expect(toolsOf(one)[0]?.['name']).toBe('weather');
    expect(laneOf(one).toolChoice).toEqual({ tool: 'weather' });
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('native');
  });

  test('refuses a name that is taken, and tools of a library', async () => {
    const tools = [WEATHER, { ...WEATHER, name: 'weather' }, { $ref: 'user#/search' }];
    const resolve = () => Promise.resolve({ name: 'search', parameters: {}, offered: true, mocks: [] });
    const text = JSON.stringify({ version: 1, tools, lanes: [{ id: 'a' }] });
    const one = await openSession({ text, tools: { resolve } });
    opened.push(one);
    const rename = (tool: string, to: string): Promise<null> =>
      one.ask('remedy/apply', {
        laneId: 'a',
        runId: 'r',
        remedy: { kind: 'rename-tool', tool, to },
        isSentAgain: false,
      });
    await expect(rename('get_weather', 'weather')).rejects.toThrow('already has a tool weather');
    await expect(rename('search', 'find')).rejects.toThrow('comes from a library');
    await expect(rename('gone', 'find')).rejects.toThrow('no longer has a tool gone');
  });

  test('adds the called tool, with parameters from the arguments of the call', async () => {
    const args = { city: 'Oslo', days: 3, tags: [], exact: true, when: null };
    const call = { id: 'c', name: 'forecast', arguments: args, source: 'native' as const };
    const { one, apply } = await openRun({}, { script: inTurn({ toolCalls: [call] }) });
    await apply({ kind: 'add-tool', tool: 'forecast' });
    expect(toolsOf(one)[1]).toEqual({
      name: 'forecast',
      description: '',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          tags: { type: 'array' },
          exact: { type: 'boolean' },
          when: { type: 'null' },
        },
        required: ['city', 'days', 'tags', 'exact', 'when'],
      },
    });
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('native');
  });

  test('runs a step of an agent run again as an agent run', async () => {
    const one = await openSession({
      text: JSON.stringify({ version: 1, tools: [WEATHER], lanes: [{ id: 'a' }] }),
      script: inTurn(calling('get_weather'), { content: '' }, { content: 'Cold.' }),
    });
    opened.push(one);
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: 'Weather?' });
    await one.settled();
    const last = one.runs().at(-1);
    const remedy = { kind: 'sampling', key: 'temperature', value: 0 } as const;
    await one.ask('remedy/apply', { laneId: 'a', runId: last?.id ?? '', remedy, isSentAgain: true });
    await one.settled();
    const runs = one.runs();
    expect(runs).toHaveLength(2);
    expect(runs[1]?.ending?.stopReason).toBe('answer');
    expect(runs[1]?.outcome?.reply?.raw.content).toBe('Cold.');
  });

  test('is refused while the lane is running, for an unknown run, and for a read-only document', async () => {
    const { one, apply } = await openRun({});
    const remedy = { kind: 'tool-choice', choice: 'required' } as const;
    await expect(
      one.ask('remedy/apply', { laneId: 'a', runId: 'gone', remedy, isSentAgain: true }),
    ).rejects.toThrow('no longer exists');
    await expect(
      one.ask('remedy/apply', { laneId: 'z', runId: 'gone', remedy, isSentAgain: true }),
    ).rejects.toThrow('no longer exists');
    one.backing.readOnly = 'It is read-only.';
    await expect(apply({ kind: 'sampling', key: 'numCtx', value: 1 })).rejects.toThrow('was not changed');
  });
});
