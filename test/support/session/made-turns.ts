// Invented turns for behaviour that no recorded server shows: the reply, the request and its circumstances.
import { rescueToolCalls } from '../../../src/library';
import type { ChatTurn, ProviderToolCall, ToolType } from '../../../src/types';
import { makeTurn } from './turns';

export const LOCAL_URL = 'http://h/api/chat';
const HOSTED_URL = 'http://h/v1/chat/completions';

export interface Made {
  content?: string;
  reasoning?: string;
  finishReason?: string;
  native?: ProviderToolCall[];
  url?: string;
  body?: Record<string, unknown>;
  usage?: ChatTurn['usage'];
  isRescued?: boolean;
  change?: (turn: ChatTurn) => void;
}

/** By default of the hosted protocol, with rescue on. */
export function toMadeTurn(
  { content = '', native = [], isRescued = true, ...made }: Made,
  tools: readonly ToolType[],
): ChatTurn {
  const { url = HOSTED_URL, usage = {}, reasoning, finishReason = 'stop' } = made;
  const rescue = native.length > 0 ? undefined : rescueToolCalls(content, tools, { finishReason });
  const calls = isRescued ? (rescue?.calls ?? []) : [];
  const turn = makeTurn({ native, rescued: calls });
  turn.raw = { ...turn.raw, content, usage, finishReason, ...(reasoning !== undefined && { reasoning }) };
  turn.assistant = { role: 'assistant', content: calls.length > 0 ? (rescue?.content ?? '') : content };
  if (rescue) turn.rescue = rescue;
  const body = { messages: [{ role: 'user', content: 'hi' }], tools: [{}], ...made.body };
  turn.exchange.request = { method: 'POST', url, headers: {}, body: JSON.stringify(body) };
  made.change?.(turn);
  return turn;
}

/** A tool with list parameters. */
export const LIST: ToolType = {
  name: 'find_flights',
  parameters: {
    type: 'object',
    properties: { via: { type: 'array', items: { type: 'string' } }, days: { type: 'array' } },
  },
};

/** A call in the Hermes format. */
export const hermes = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
