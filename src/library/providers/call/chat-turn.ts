// Turns a reply into a turn: rescues calls if necessary, builds the message for the history, and adds the cost. Independent
// of protocols.
import type {
  ChatTurn,
  Exchange,
  Message,
  PartialReply,
  ProviderToolCall,
  RawAssistant,
  RescueReport,
  TokenCost,
  ToolType,
} from '../../../types';
import { cutText } from '../../rescue/text/cut-text';
import { rescueToolCalls } from '../../rescue/rescue-tool-calls';
import type { CallContext } from '../../transport/call-context';
import type { Redactor } from '../../transport/redact/redact';
import { costUsd } from '../../usage/cost';
import { isRecord } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { badReply } from './call-error';
import { completeReply } from './complete-reply';
import { createTurn } from './create-turn';
import { exchangeMaker } from './exchange';

export interface TurnOptions {
  /** Class name of the provider. */
  provider: string;
  tools: readonly ToolType[];
  rescueToolCalls: boolean;
  costPer1kTokens: TokenCost | undefined;
}

const NO_EXCHANGE: Exchange = {
  request: { method: '', url: '', headers: {}, body: '' },
  sent: {},
  dropped: [],
  overridden: [],
  toolCalls: [],
};

/** @param reply Of any shape, because custom providers may return anything. @throws ProviderError (`response-format`) */
export function toChatTurn(
  reply: unknown,
  context: CallContext,
  options: TurnOptions,
  redactor: Redactor,
): ChatTurn {
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
  const makeExchange = exchangeMaker(context, redactor);
  return createTurn(() => makeExchange() ?? NO_EXCHANGE, {
    assistant: {
      ...toAssistantMessage(content, toolCalls, raw.reasoning ?? taken?.reasoning),
      ...(raw.replay && { replay: raw.replay }),
    },
    raw,
    toolCalls,
    ...(rescue && { rescue }),
    usage: { ...raw.usage, ...(cost !== undefined && { costUsd: cost }) },
    attempts: raw.attempts,
    ledger: context.ledger,
  });
}

/** What rescue reads from the part of a reply that arrived. @returns undefined without tools, without text, and beside native calls */
export function rescuePartial(
  partial: PartialReply | undefined,
  tools: readonly ToolType[],
): RescueReport | undefined {
  if (!partial?.content || tools.length === 0 || partial.toolCalls?.length) return undefined;
  return rescueToolCalls(partial.content, tools, { finishReason: 'length' });
}

/**
 * Removes the text of native calls from the content. With native calls, no calls are rescued, but some servers also leave
 * the text of the calls in the content, and the model would see them twice.
 */
function withoutEchoes({ content, toolCalls }: RawAssistant, tools: readonly ToolType[]): string {
  if (toolCalls.length === 0 || content.trim() === '') return content;
  const written = rescueToolCalls(content, tools).calls;
  if (written.length === 0) return content;
  // Compared by key instead of pairwise, because a reply may have thousands of both.
  const native = new Set(toolCalls.map(toKey));
  const echoes = written.filter((call) => native.has(toKey(call)));
  return echoes.length > 0 ? cutText(content, echoes) : content;
}

/** Equal for calls of the same tool with equal arguments, whatever the order of their keys. */
const toKey = ({ name, arguments: value }: Pick<ProviderToolCall, 'name' | 'arguments'>): string =>
  JSON.stringify([name, value], (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).toSorted(byKey)) : member,
  );

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** The message for the history. If calls were rescued, its content is the text without them. */
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
