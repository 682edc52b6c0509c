// A reply becomes a turn: rescue where it is due, the message for the history, the cost. Knows no protocol.
import type {
  ChatTurn,
  Exchange,
  Message,
  ProviderToolCall,
  RawAssistant,
  TokenCost,
  ToolType,
} from '../../types';
import { cutText } from '../rescue/text/cut-text';
import { rescueToolCalls } from '../rescue/rescue-tool-calls';
import type { CallContext } from '../transport/call-context';
import type { Redactor } from '../transport/redact';
import { costUsd } from '../usage/cost';
import { isRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';
import { badReply } from './call-error';
import { completeReply } from './complete-reply';
import { createTurn } from './create-turn';
import { exchangeMaker } from './exchange';

export interface TurnOptions {
  /** The name of its class. */
  provider: string;
  tools: readonly ToolType[];
  rescueToolCalls: boolean;
  costPer1kTokens: TokenCost | undefined;
  redactor: Redactor;
}

const NO_EXCHANGE: Exchange = {
  request: { method: '', url: '', headers: {}, body: '' },
  sent: {},
  dropped: [],
  overridden: [],
  toolCalls: [],
};

/** @param reply Of any shape: people write providers. @throws ProviderError (`response-format`) */
export function toChatTurn(reply: unknown, context: CallContext, options: TurnOptions): ChatTurn {
  const raw = completeReply(reply, context);
  if (typeof raw === 'string') throw badReply(options.provider, raw);
  const rescue =
    options.tools.length > 0 && raw.toolCalls.length === 0
      ? rescueToolCalls(raw.content, options.tools, pruneUndefined({ finishReason: raw.finishReason }))
      : undefined;
  const rescued = options.rescueToolCalls ? (rescue?.calls ?? []) : [];
  const toolCalls = raw.toolCalls.length > 0 ? raw.toolCalls : rescued;
  const cost = costUsd(raw.usage, options.costPer1kTokens);
  const taken = rescued.length > 0 ? rescue : undefined;
  const content = taken?.content ?? withoutEchoes(raw, options.tools);
  const makeExchange = exchangeMaker(context, options.redactor);
  return createTurn(() => makeExchange() ?? NO_EXCHANGE, {
    assistant: toAssistantMessage(content, toolCalls, raw.reasoning ?? taken?.reasoning),
    raw,
    toolCalls,
    ...(rescue && { rescue }),
    usage: { ...raw.usage, ...(cost !== undefined && { costUsd: cost }) },
    attempts: raw.attempts,
    ledger: context.ledger,
  });
}

/**
 * Beside native calls no call comes from the text. Some servers leave the call's text standing as well: the model would
 * see it twice.
 */
function withoutEchoes({ content, toolCalls }: RawAssistant, tools: readonly ToolType[]): string {
  if (toolCalls.length === 0 || content.trim() === '') return content;
  const written = rescueToolCalls(content, tools).calls;
  if (written.length === 0) return content;
  // by a key and not pair by pair: a reply may have thousands of both
  const native = new Set(toolCalls.map(toKey));
  const echoes = written.filter((call) => native.has(toKey(call)));
  return echoes.length > 0 ? cutText(content, echoes) : content;
}

/** The same for calls of one tool with equal arguments, in whatever order their keys were written. */
const toKey = ({ name, arguments: value }: Pick<ProviderToolCall, 'name' | 'arguments'>): string =>
  JSON.stringify([name, value], (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).toSorted(byKey)) : member,
  );

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** What enters the history: the rest of the text when calls were taken from it. */
function toAssistantMessage(
  content: string,
  toolCalls: ChatTurn['toolCalls'],
  reasoning: string | undefined,
): Message {
  const calls = toolCalls.map(({ id, name, arguments: args, source, extraContent }) => ({
    id,
    name,
    arguments: args,
    source,
    ...(extraContent && { extraContent }),
  }));
  return {
    role: 'assistant',
    content,
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(reasoning !== undefined && { reasoning }),
  };
}
