// Builds finished turns for tests of their analysis.
import type { ChatTurn, ProviderToolCall, RescueRejection, RescuedCall, ToolType } from '../../../src/types';

export const WEATHER: ToolType = {
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    required: ['city'],
  },
};

export const NATIVE: ProviderToolCall = {
  id: 'call_1',
  name: 'get_weather',
  arguments: { city: 'Oslo' },
  source: 'native',
};

export const RESCUED: RescuedCall = {
  ...NATIVE,
  source: 'rescued',
  format: 'hermes-json',
  evidence: 'marker',
  rawName: 'get_weather',
  start: 0,
  end: 10,
  repairs: [],
};

export const rejection = (reason: string): RescueRejection => ({
  format: 'hermes-json',
  start: 0,
  end: 10,
  reason,
  detail: `It was left, ${reason}.`,
  hint: 'Do this.',
});

interface TurnParts {
  native?: ProviderToolCall[];
  rescued?: RescuedCall[];
  rejected?: RescueRejection[];
}

export function makeTurn({ native = [], rescued = [], rejected = [] }: TurnParts): ChatTurn {
  const toolCalls = native.length > 0 ? native : rescued;
  return {
    assistant: { role: 'assistant', content: 'text' },
    raw: { content: 'text', toolCalls: native, usage: {}, attempts: 1 },
    toolCalls,
    ...(native.length === 0 && { rescue: { calls: rescued, content: 'text', rejected } }),
    usage: {},
    attempts: 1,
    ledger: [],
    exchange: {
      request: { method: 'POST', url: 'http://host/', headers: {}, body: '{}' },
      sent: {},
      dropped: [],
      overridden: [],
      toolCalls: [],
    },
  };
}
