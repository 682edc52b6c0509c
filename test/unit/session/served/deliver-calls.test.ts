// The calls of a reply as whoever asked receives them.
import { describe, expect, it } from 'vitest';
import { repairArguments } from '../../../../src/recording';
import { deliverCalls } from '../../../../src/session/served/deliver-calls';
import type { RunRecord } from '../../../../src/session';
import type { ProviderToolCall } from '../../../../src/types';

const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const call = (value: unknown, source: ProviderToolCall['source'] = 'native'): ProviderToolCall => ({
  id: 'c1',
  name: 'get_weather',
  arguments: value,
  source,
});

function deliver(toolCalls: ProviderToolCall[], { finishReason = 'stop', rescue = {} } = {}) {
  const turn = { raw: { finishReason }, toolCalls, rescue: { calls: [], ...rescue } };
  return deliverCalls({ turn } as unknown as RunRecord, [TOOL], repairArguments);
}

describe('deliverCalls', () => {
  it('delivers calls as they are', () => {
    expect(deliver([call({ city: 'Oslo' })])).toEqual({
      calls: [{ id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }],
      changed: [],
    });
  });

  it('delivers no call when the arguments of one are no object, and names it, instead of calling with {}', () => {
    for (const value of ['{"city": "Os', ['Oslo'], null])
      expect(deliver([call({ city: 'Oslo' }), call(value)])).toEqual({
        calls: [],
        changed: [],
        broken: 'get_weather',
      });
  });

  it('repairs damaged arguments where they can be read exactly, but not in a reply that was cut', () => {
    const damaged = [call('{"city": "Oslo",}')];
    expect(deliver(damaged)).toEqual({
      calls: [{ id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }],
      changed: [{ name: 'get_weather', from: 'arguments', repairs: ['trailing-comma'] }],
    });
    expect(deliver(damaged, { finishReason: 'length' }).broken).toBe('get_weather');
  });

  it('names the calls that came as text, with their format and what was repaired in them', () => {
    const written = { id: 'c1', format: 'hermes-json', repairs: [{ kind: 'trailing-comma', at: 3 }] };
    expect(deliver([call({ city: 'Oslo' }, 'rescued')], { rescue: { calls: [written] } }).changed).toEqual([
      { name: 'get_weather', from: 'text', format: 'hermes-json', repairs: ['trailing-comma'] },
    ]);
  });
});
