import { describe, expect, test } from 'vitest';
import type { ConnectionView } from '../../../../src/protocol';
import { MemoryRunStore } from '../../../../src/session';
import { appendSetup, setupKey } from '../../../../src/session/journal/run-lines';
import { openRun, readSetup, toRunSetting } from '../../../../src/session/run/setup';
import { makeSetup, openMade, toAsked } from '../../../support/session/make-setup';
import { CONNECTION, scriptedServices } from '../../../support/session/scripted-session';

const KEY = 'canary-0123456789-canary';
const OLLAMA: ConnectionView = {
  ...CONNECTION,
  id: 'ollama',
  provider: 'local-host',
  address: '127.0.0.1:11434',
  scope: 'user',
};
const V1: ConnectionView = { ...OLLAMA, id: 'v1', label: 'Ollama /v1', provider: 'hosted-api' };
const TOOL = { name: 'get_weather', parameters: { type: 'object' }, mocks: [{ result: { deep: [1] } }] };
const SAID = { role: 'user' as const, content: 'Weather?' };

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

describe('openRun', () => {
  test('makes a setup of the lane, the opened connection and the conversation', async () => {
    const lane = {
      model: 'm',
      sampling: { temperature: 0, odd: 1 } as object,
      raw: { x: 1 },
      toolChoice: 'required' as const,
      limits: { maxSteps: 3 },
    };
    const asked = { lane, system: 'Be brief.', tools: [TOOL], idleTools: ['other'], messages: [SAID] };
    const { setup, stored, connection } = await openMade(asked, { isRescueOff: true, hasRates: true });
    expect(setup).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      connection: { id: 'demo', label: 'Demo', address: 'built in', origin: 'demo', hasRates: true },
      model: 'm',
      rescueToolCalls: false,
      raw: { x: 1 },
      toolChoice: 'required',
      limits: { maxSteps: 3 },
      system: 'Be brief.',
      tools: [{ ...TOOL, offered: true }],
      idleTools: ['other'],
      messages: [SAID],
    });
    expect(setup.sampling).toEqual({ temperature: 0 });
    expect(stored).toEqual(setup);
    expect(connection?.model).toBe('m');
  });

  test('freezes it deeply, and keeps it apart from what it was made of', async () => {
    const tool = structuredClone(TOOL);
    const messages = [{ ...SAID }];
    const { setup, stored } = await openMade({ tools: [tool], messages });
    expect(isFrozen(setup) && isFrozen(stored)).toBe(true);
    messages[0] = { role: 'user', content: 'changed' };
    tool.mocks[0] = { result: { deep: [2] } };
    expect(setup).toMatchObject({ messages: [SAID], tools: [{ mocks: TOOL.mocks }] });
    expect(Object.isFrozen(tool)).toBe(false);
  });

  test('gives equal setups the same id, whatever the order of their keys, and different ones another', async () => {
    const one = await makeSetup({ lane: { raw: { a: 1, b: { c: 2, d: 3 } } } });
    const same = await makeSetup({ lane: { raw: { b: { d: 3, c: 2 }, a: 1 } } });
    const other = await makeSetup({ lane: { raw: { a: 1, b: { c: 2, d: 4 } } } });
    expect(same.id).toBe(one.id);
    expect(other.id).not.toBe(one.id);
    expect((await makeSetup({ messages: [SAID] })).id).not.toBe((await makeSetup()).id);
  });

  test('stores no key, while the run sends what the person wrote', async () => {
    const asked = { system: `Use ${KEY}.`, lane: { raw: { note: KEY } }, messages: [SAID] };
    const { setup, stored } = await openMade(asked, {}, { secrets: [KEY] });
    expect(setup.system).toContain(KEY);
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect(stored.id).toBe(setup.id);
  });

  test('knows of a connection that cannot be opened what the lane says, and why', async () => {
    const { services } = scriptedServices({});
    const lane = { connection: 'gone', model: 'm' };
    const opened = await openRun(services, toAsked({ lane }), new AbortController().signal);
    expect(opened).toMatchObject({ setup: { connection: { id: 'gone' }, model: 'm' } });
    expect(opened.setup.connection).toEqual({ id: 'gone' });
    expect(opened.connection).toBeUndefined();
    expect(String(opened.error)).toContain('no longer exists');
  });
});

describe('readSetup', () => {
  test('returns a stored setup as it was, and undefined for anything else', async () => {
    const setup = await makeSetup({ tools: [TOOL], messages: [SAID], lane: { raw: {} } });
    const journal = await new MemoryRunStore().open('s');
    appendSetup(journal, 'r', setup);
    expect(readSetup(await journal.readBody(setupKey(setup.id)))).toEqual(setup);
    expect(readSetup(undefined)).toBeUndefined();
    for (const key of Object.keys(setup)) {
      expect(readSetup({ ...setup, [key]: 1 }), key).toBeUndefined();
    }
    expect(readSetup({ ...setup, messages: [{ role: 'user' }] })).toBeUndefined();
    expect(readSetup({ ...setup, tools: [{ ...TOOL, mocks: [1] }] })).toBeUndefined();
  });
});

describe('toRunSetting', () => {
  test('contains the sampling of the lane merged over the connection’s', async () => {
    const view = { ...OLLAMA, sampling: { temperature: 1, topK: 5 }, isRescueOff: true };
    const setup = await makeSetup({ lane: { sampling: { temperature: 0 }, raw: { x: 1 } } }, view);
    expect(toRunSetting(setup, [])).toMatchObject({
      sampling: { temperature: 0, topK: 5 },
      raw: { x: 1 },
      isRescueOff: true,
      keys: OLLAMA.samplingKeys,
    });
  });

  test('knows nothing of a connection that could not be opened', async () => {
    const { services } = scriptedServices({});
    const lane = { connection: 'gone', toolChoice: { tool: 'x' } };
    const { setup } = await openRun(services, toAsked({ lane }), new AbortController().signal);
    expect(toRunSetting(setup, [V1])).toEqual({
      sampling: {},
      raw: {},
      toolChoice: 'tool',
      isRescueOff: false,
      keys: {},
      toolChoiceKey: null,
    });
  });

  test('finds a connection to the same server with the other protocol', async () => {
    expect(toRunSetting(await makeSetup({}, V1), [CONNECTION, V1, OLLAMA]).otherSide).toEqual({
      connectionId: 'ollama',
      label: 'Demo',
    });
  });

  test.each<[string, Partial<ConnectionView>]>([
    ['has another address', { address: '127.0.0.1:1' }],
    ['speaks the same protocol', { provider: 'hosted-api' }],
    ['cannot be used', { problem: 'no host' }],
    ['has no key', { needsKey: true, hasKey: false }],
  ])('does not suggest a connection that %s', async (_why, change) => {
    const setup = await makeSetup({}, V1);
    expect(toRunSetting(setup, [{ ...OLLAMA, ...change }]).otherSide).toBeUndefined();
  });
});
