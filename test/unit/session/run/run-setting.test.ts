import { describe, expect, test } from 'vitest';
import type { ConnectionView, DocumentLane } from '../../../../src/protocol';
import { toRunSetting } from '../../../../src/session/run/run-setting';
import { CONNECTION } from '../../../support/scripted-session';

const OLLAMA: ConnectionView = {
  ...CONNECTION,
  id: 'ollama',
  provider: 'local-host',
  address: '127.0.0.1:11434',
  scope: 'user',
};
const V1: ConnectionView = { ...OLLAMA, id: 'v1', label: 'Ollama /v1', provider: 'hosted-api' };

const toLane = (change: Partial<DocumentLane> = {}): DocumentLane => ({
  id: 'a',
  connection: 'ollama',
  sampling: {},
  rescueToolCalls: true,
  limits: {},
  ...change,
});

describe('toRunSetting', () => {
  test('contains the sampling of the lane merged over the connection’s, without unknown keys', () => {
    const lane = toLane({ sampling: { temperature: 0, odd: 1 } as object, raw: { x: 1 } });
    const view = { ...OLLAMA, sampling: { temperature: 1, topK: 5 }, isRescueOff: true };
    expect(toRunSetting(lane, view, [])).toMatchObject({
      sampling: { temperature: 0, topK: 5 },
      raw: { x: 1 },
      isRescueOff: true,
      keys: OLLAMA.samplingKeys,
    });
    expect(toRunSetting(toLane({ toolChoice: { tool: 'x' } }), undefined, [V1])).toMatchObject({
      toolChoice: 'tool',
      keys: {},
    });
  });

  test('finds a connection to the same server with the other protocol', () => {
    expect(toRunSetting(toLane(), V1, [CONNECTION, V1, OLLAMA]).otherSide).toEqual({
      connectionId: 'ollama',
      label: 'Demo',
    });
  });

  test.each<[string, Partial<ConnectionView>]>([
    ['has another address', { address: '127.0.0.1:1' }],
    ['speaks the same protocol', { provider: 'hosted-api' }],
    ['cannot be used', { problem: 'no host' }],
    ['has no key', { needsKey: true, hasKey: false }],
  ])('does not suggest a connection that %s', (_why, change) => {
    expect(toRunSetting(toLane(), V1, [{ ...OLLAMA, ...change }]).otherSide).toBeUndefined();
  });
});
