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
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { toArgumentsObject } from '../reply/tool-arguments';
import type { RawKeys } from '../request/merge-raw';
import type { RecordedBody } from '../request/read-request';
import { readRequest } from '../request/read-request';
import { readReplay } from '../request/replay';
import { linkToolResults } from '../request/tool-results';
import { readChoice, TOOL_CHOICE_KEY } from '../request/tool-choice';
import { toWireTools } from '../request/tools';
import { MESSAGES_SAMPLING_KEYS } from '../sampling-keys';
import type { WireSampling } from '../sampling-keys';
import type { TranslatedInput, WireInput } from '../wire-shapes';
import { ERROR_MARK, toResultText } from '../wire-shapes';
import { TIDY_MESSAGES } from './messages-forms';
import { REPLAY_KIND, toReplay } from './messages-replay';

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

export type MessagesTurn =
  | { role: 'user'; content: string | ToolResultBlock[] }
  | { role: 'assistant'; content: string | (TextBlock | ToolUseBlock)[] };

interface TextBlock {
  type: 'text';
  text: string;
}

interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
}

interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error?: true;
}

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
export function toMessagesBody(input: WireInput, raw?: RawKeys): TranslatedInput<MessagesBody> {
  const { model, tools, messages, toolChoice, isStreaming } = input;
  const { sampling, refused } = withoutRefused(input.sampling, model);
  const maxTokens = sampling.maxTokens ?? chooseMaxTokens(raw);
  const { params, sent, dropped } = translateSampling({ ...sampling, maxTokens }, MESSAGES_SAMPLING_KEYS);
  const replaced: string[] = [];
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = first < 0 ? messages : messages.slice(0, first);
  const system = leading.map(({ content }) => content).filter(hasWords);
  const { max_tokens: limit, ...others } = params;
  const body = {
    model,
    ...(limit !== undefined && { max_tokens: limit }),
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: new Turns(model, replaced).write(linkToolResults(messages), leading.length),
    ...(tools.length > 0 && { tools: toMessagesTools(tools) }),
    ...(tools.length > 0 && toolChoice !== undefined && { [TOOL_CHOICE_KEY]: toMessagesChoice(toolChoice) }),
    ...others,
    ...(isStreaming && { stream: true as const }),
  } as MessagesBody;
  return { body, sent, dropped: [...dropped, ...refused], replaced };
}

/** Undefined where `raw` has the limit. The tokens that `raw` allows for thinking come out of the limit. */
function chooseMaxTokens(raw: RawKeys = {}): number | undefined {
  if (Object.hasOwn(raw, 'max_tokens')) return undefined;
  return CHOSEN_MAX_TOKENS + (toCount(toRecord(raw['thinking'])['budget_tokens']) ?? 0);
}

/** The version of a model as in `claude-opus-4-7` or `claude-sonnet-5`; older names have the version before the family. */
const CLAUDE = /claude-[a-z]+-(?<major>\d+)(?:[.-](?<minor>\d{1,2})(?!\d))?/;

/**
 * Models after Opus 4.6 answer 400 to a temperature other than 1, a `top_p` below 0.99 and any `top_k`; all since version 4 to
 * a temperature beside `top_p`. https://docs.claude.com/en/docs/about-claude/models
 */
function withoutRefused(
  sampling: SamplingParams,
  model: string,
): { sampling: SamplingParams; refused: string[] } {
  const { major, minor = '0' } = CLAUDE.exec(model)?.groups ?? {};
  if (major === undefined) return { sampling, refused: [] };
  const isFixed = Number(major) > 4 || (Number(major) === 4 && Number(minor) > 6);
  const { temperature, topP, topK, ...rest } = sampling;
  const hasHeat = temperature !== undefined && (!isFixed || temperature === 1);
  const hasTopP = topP !== undefined && (isFixed ? topP >= 0.99 : true) && !hasHeat;
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

/** Whether a text is one that the service accepts as a block. */
const hasWords = (text: string): boolean => text.trim() !== '';

const isSendable = ({ type, text }: Record<string, unknown>): boolean =>
  type !== 'text' || hasWords(toText(text) ?? '');

const isThinking = ({ type }: Record<string, unknown>): boolean =>
  type === 'thinking' || type === 'redacted_thinking';

/** Whether a message has it in a form of its own. */
const isOwn = ({ type }: Record<string, unknown>): boolean => type === 'text' || type === 'tool_use';

/** The messages after the system text. */
class Turns {
  readonly #model: string;
  readonly #replaced: string[];
  readonly #turns: MessagesTurn[] = [];
  /** The results of the calls of one turn, which all stand in one message. */
  #results: ToolResultBlock[] | undefined;
  readonly #ids = new CallIds();

  /** @param replaced Receives the paths of values that were replaced or left out. */
  constructor(model: string, replaced: string[]) {
    this.#model = model;
    this.#replaced = replaced;
  }

  /** @param start Index of the first message that is written. */
  write(messages: readonly Message[], start: number): MessagesTurn[] {
    for (const [index, message] of messages.entries()) if (index >= start) this.#add(message, index);
    return this.#turns;
  }

  #add(message: Message, index: number): void {
    const { role, content } = message;
    if (role === 'tool') return this.#addResult(message);
    this.#results = undefined;
    if (role === 'assistant') return this.#addReply(message, index);
    // The protocol has no system text after the beginning.
    if (role === 'system') this.#replaced.push(`messages[${index}].role`);
    this.#turns.push({ role: 'user', content });
  }

  /** The text says of a failed result too what it is: llama-server and Ollama ignore the field. */
  #addResult(message: Message): void {
    if (!this.#results) this.#turns.push({ role: 'user', content: (this.#results = []) });
    this.#results.push({
      type: 'tool_result',
      tool_use_id: this.#ids.toId(message.toolCallId ?? ''),
      content: toResultText(message),
      ...(message.isError && { is_error: true }),
    });
  }

  #addReply(message: Message, index: number): void {
    const { content, toolCalls = [] } = message;
    const isSaid = hasWords(content);
    const before = isSaid ? 1 : 0;
    const place = (at: number): string => `messages[${this.#turns.length}].content[${before + at}].input`;
    const calls = toolCalls.map(({ id, name, arguments: args }, at): ToolUseBlock => {
      const input = toArgumentsObject(args);
      if (!input) this.#replaced.push(place(at));
      return { type: 'tool_use', id: this.#ids.toId(id), name, input: input ?? {} };
    });
    // The service refuses a message without a block, although it can answer with one.
    if (!isSaid && calls.length === 0) this.#replaced.push(`messages[${index}]`);
    else if (calls.length === 0) this.#turns.push({ role: 'assistant', content });
    else {
      const said: TextBlock[] = isSaid ? [{ type: 'text', text: content }] : [];
      const blocks = this.#withReplay(message, index, { said, calls }) ?? [...said, ...calls];
      this.#turns.push({ role: 'assistant', content: blocks });
    }
  }

  /**
   * The blocks of the reply as they came, with its calls; undefined when the message has no such blocks. Where it says otherwise,
   * as after a rescue, only the thinking before all else is kept: without it the service refuses the request.
   */
  #withReplay(
    message: Message,
    index: number,
    { said, calls }: { said: readonly TextBlock[]; calls: readonly ToolUseBlock[] },
  ): (TextBlock | ToolUseBlock)[] | undefined {
    const accepted = { provider: REPLAY_KIND, model: this.#model };
    const { content } = readReplay(message, index, accepted, this.#replaced);
    if (!Array.isArray(content)) return undefined;
    const blocks = content.filter(isRecord);
    const text = blocks
      .map((block) => (block['type'] === 'text' ? (toText(block['text']) ?? '') : ''))
      .join('');
    const count = blocks.filter(({ type }) => type === 'tool_use').length;
    if (text !== message.content || count !== calls.length) {
      const end = blocks.findIndex((block) => !isThinking(block));
      const thinking = blocks.slice(0, end < 0 ? undefined : end) as unknown as TextBlock[];
      const isWhole = thinking.length > 0 && blocks.slice(thinking.length).every(isOwn);
      if (!isWhole) this.#replaced.push(`messages[${index}].replay`);
      return [...thinking, ...said, ...calls];
    }
    const rest = [...calls];
    // The other blocks are those of the service itself.
    return blocks
      .filter(isSendable)
      .flatMap((block) =>
        block['type'] === 'tool_use' ? (rest.shift() ?? []) : (block as unknown as TextBlock),
      );
  }
}

/** Ids in the characters that the service accepts; a call and its result still have the same one. */
class CallIds {
  readonly #ids = new Map<string, string>();
  readonly #taken = new Set<string>();

  toId(given: string): string {
    const known = this.#ids.get(given);
    if (known !== undefined) return known;
    const base = given.replaceAll(/[^\w-]/g, '_') || 'call';
    let id = base;
    for (let count = 2; this.#taken.has(id); count += 1) id = `${base}_${count}`;
    this.#taken.add(id);
    this.#ids.set(given, id);
    return id;
  }
}

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
    write: (input) => toMessagesBody(input).body,
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
