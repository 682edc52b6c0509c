// Translates neutral input into the body of Anthropic's Messages API, before the raw keys are merged into it, and a recorded
// body back. Pure.
import type {
  JsonSchema,
  Message,
  NeutralRequest,
  SamplingParams,
  ToolChoice,
  ToolType,
} from '../../../types';
import { translateSampling } from '../../sampling/translate-sampling';
import { toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { RawKeys } from '../request/merge-raw';
import type { RecordedBody } from '../request/read-request';
import { readRequest } from '../request/read-request';
import { readChoice, TOOL_CHOICE_KEY } from '../request/tool-choice';
import { toWireTools } from '../request/tools';
import { MESSAGES_SAMPLING_KEYS } from '../sampling-keys';
import type { WireSampling } from '../sampling-keys';
import type { TranslatedInput, WireInput } from '../wire-shapes';
import { ERROR_MARK } from '../wire-shapes';
import { TIDY_MESSAGES } from './messages-forms';
import { toReplay } from './messages-replay';
import type { MessagesTurn } from './messages-turns';
import { hasWords, MessagesTurns } from './messages-turns';

/** Body of `POST {host}/v1/messages`. */
export type MessagesBody = WireSampling<
  Omit<typeof MESSAGES_SAMPLING_KEYS, 'maxTokens'> & { maxTokens: null }
> & {
  model: string;
  max_tokens: number;
  system?: string;
  messages: MessagesTurn[];
  tools?: MessagesTool[];
  tool_choice?: MessagesChoice;
  stream?: true;
};

interface MessagesTool {
  name: string;
  description?: string;
  input_schema: JsonSchema & { type: 'object' };
  strict?: boolean;
}

type MessagesChoice = { type: 'auto' } | { type: 'any' } | { type: 'none' } | { type: 'tool'; name: string };

/**
 * The protocol requires a limit. Every model of the service accepts this one, and llama-server has the same as its default.
 * https://docs.claude.com/en/api/messages
 */
const CHOSEN_MAX_TOKENS = 4096;

/** @param raw Tells what is not chosen, as the caller decides it there. */
export function toMessagesBody(input: WireInput, raw: RawKeys = {}): TranslatedInput<MessagesBody> {
  const { model, origin, messages, isStreaming } = input;
  const { sampling, refused } = withoutRefused(input.sampling, model, isThinkingOn(raw));
  const maxTokens = sampling.maxTokens ?? chooseMaxTokens(raw);
  const { params, sent, dropped } = translateSampling({ ...sampling, maxTokens }, MESSAGES_SAMPLING_KEYS);
  const replaced: string[] = [];
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = first < 0 ? messages : messages.slice(0, first);
  const system = leading.map(({ content }) => content).filter(hasWords);
  const turns = new MessagesTurns({ model, origin, isThinkingOn: isThinkingOn(raw), replaced });
  const { max_tokens: limit, ...others } = params;
  const body = {
    model,
    ...(limit !== undefined && { max_tokens: limit }),
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: turns.write(messages, leading.length, input.isAsGiven),
    ...toToolFields(input, raw, replaced),
    ...others,
    ...(isStreaming && { stream: true as const }),
  } as MessagesBody;
  return { body, sent, dropped: [...dropped, ...refused], replaced };
}

/**
 * Services refuse calls in the history beside no tools, so the called ones are declared by their names, and forbidden.
 * @param replaced Receives the key of the tools where nobody gave any.
 */
function toToolFields(
  { tools, messages, toolChoice, isAsGiven }: WireInput,
  raw: NonNullable<RawKeys>,
  replaced: string[],
): Pick<MessagesBody, 'tools' | 'tool_choice'> {
  if (tools.length > 0) {
    const choice = toolChoice && { [TOOL_CHOICE_KEY]: toMessagesChoice(toolChoice) };
    return { tools: toMessagesTools(tools), ...choice };
  }
  const calls = messages.flatMap(({ role, toolCalls = [] }) => (role === 'assistant' ? toolCalls : []));
  if (calls.length === 0 || isAsGiven || Object.hasOwn(raw, 'tools')) return {};
  replaced.push('tools');
  const names = [...new Set(calls.map(({ name }) => name))];
  const declared = names.map((name) => ({ name, parameters: {} }));
  return { tools: toMessagesTools(declared), [TOOL_CHOICE_KEY]: { type: 'none' } };
}

/** Whether the caller asks the model to think. */
const isThinkingOn = (raw: NonNullable<RawKeys>): boolean =>
  /^(?:enabled|adaptive)$/.test(toText(toRecord(raw['thinking'])['type']) ?? '');

/** Undefined where `raw` has the limit. The tokens that `raw` allows for thinking come out of the limit. */
function chooseMaxTokens(raw: NonNullable<RawKeys>): number | undefined {
  if (Object.hasOwn(raw, 'max_tokens')) return undefined;
  return CHOSEN_MAX_TOKENS + (toCount(toRecord(raw['thinking'])['budget_tokens']) ?? 0);
}

/** The version of a model as in `claude-opus-4-7` or `claude-sonnet-5`; older names have the version before the family. */
const CLAUDE = /claude-[a-z]+-(?<major>\d+)(?:[.-](?<minor>\d{1,2})(?!\d))?/;

/**
 * Models after Opus 4.6 answer 400 to a temperature other than 1, a `top_p` below 0.99 and any `top_k`; all since version 4 to
 * a temperature beside `top_p`; and all that think to the same, with a `top_p` from 0.95 on.
 * https://docs.claude.com/en/docs/about-claude/models, https://docs.claude.com/en/docs/build-with-claude/extended-thinking
 */
function withoutRefused(
  sampling: SamplingParams,
  model: string,
  isThinking: boolean,
): { sampling: SamplingParams; refused: string[] } {
  const { major, minor = '0' } = CLAUDE.exec(model)?.groups ?? {};
  if (major === undefined && !(isThinking && /claude/i.test(model))) return { sampling, refused: [] };
  const isNew = Number(major) > 4 || (Number(major) === 4 && Number(minor) > 6);
  const isFixed = isNew || isThinking;
  const { temperature, topP, topK, ...rest } = sampling;
  const hasHeat = temperature !== undefined && (!isFixed || temperature === 1);
  const least = isNew ? 0.99 : isThinking ? 0.95 : 0;
  const hasTopP = topP !== undefined && topP >= least && !hasHeat;
  const kept = pruneUndefined({
    temperature: hasHeat ? temperature : undefined,
    topP: hasTopP ? topP : undefined,
    topK: isFixed ? undefined : topK,
  });
  const given = Object.entries({ temperature, topP, topK }).filter(([, value]) => value !== undefined);
  return {
    sampling: { ...kept, ...rest },
    refused: given.map(([key]) => key).filter((key) => !Object.hasOwn(kept, key)),
  };
}

const toMessagesTools = (tools: readonly ToolType[]): MessagesTool[] =>
  toWireTools(tools).map(({ function: { name, description, parameters } }, index) => ({
    name,
    ...pruneUndefined({ description, strict: tools[index]?.strict }),
    input_schema: { ...parameters, type: 'object' },
  }));

const WORDS = { auto: 'auto', none: 'none', required: 'any' } as const;

const toMessagesChoice = (choice: ToolChoice): MessagesChoice =>
  typeof choice === 'string' ? { type: WORDS[choice] } : { type: 'tool', name: choice.tool };

/** Reads a body back into the input that makes it; see `readRequest`. */
export const readMessagesBody = (recorded: RecordedBody): NeutralRequest =>
  readRequest(recorded, {
    keys: { messages: 'messages', tools: 'tools', toolChoice: TOOL_CHOICE_KEY },
    sampling: { keys: MESSAGES_SAMPLING_KEYS },
    tidy: TIDY_MESSAGES,
    read: ({ model, system, messages, tools, tool_choice: choice, stream }) => ({
      model: toText(model) ?? '',
      messages: [
        ...(typeof system === 'string' ? [{ role: 'system' as const, content: system }] : []),
        ...toList(messages).flatMap((turn) => readTurn(turn, toText(model))),
      ],
      tools: toList(tools).map(({ name, description, input_schema: parameters, strict }) => ({
        name: toText(name) ?? '',
        ...(typeof description === 'string' && { description }),
        parameters: toRecord(parameters),
        ...(typeof strict === 'boolean' && { strict }),
      })),
      toolChoice: readChoice(choice),
      isStreaming: stream === true,
    }),
    write: (input) => toMessagesBody({ ...input, isAsGiven: true }).body,
  });

function readTurn({ role, content }: Record<string, unknown>, model: string | undefined): Message[] {
  if (role === 'assistant') return [readReplyTurn(content, model)];
  if (!Array.isArray(content)) return [{ role: 'user', content: toText(content) ?? '' }];
  return toList(content).map(({ type, text, tool_use_id: id, content: result, is_error: isError }) => {
    if (type !== 'tool_result') return { role: 'user', content: toText(text) ?? '' };
    const said = typeof result === 'string' ? result : '';
    const isMarked = isError === true && said.startsWith(ERROR_MARK);
    return {
      role: 'tool',
      content: isMarked ? said.slice(ERROR_MARK.length) : said,
      ...pruneUndefined({ toolCallId: toText(id), isError: isError === true || undefined }),
    };
  });
}

function readReplyTurn(content: unknown, model: string | undefined): Message {
  if (!Array.isArray(content)) return { role: 'assistant', content: toText(content) ?? '' };
  const blocks = toList(content);
  return {
    role: 'assistant',
    content: blocks.map(({ type, text }) => (type === 'text' ? (toText(text) ?? '') : '')).join(''),
    toolCalls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({
        id: toText(id) ?? '',
        name: toText(name) ?? '',
        arguments: input,
        source: 'native',
      })),
    ...pruneUndefined({ replay: toReplay(content, model) }),
  };
}

const toList = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(toRecord) : [];
