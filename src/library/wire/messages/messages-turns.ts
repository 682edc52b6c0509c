// Writes the messages after the system text as the turns of the Messages API: calls and results as blocks, and the blocks of a
// reply as they came. Pure.
import type { Message, ProviderToolCall } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isJsonSafe, isRecord, toText } from '../../util/json';
import { toArgumentsObject, toJsonText } from '../reply/tool-arguments';
import type { PlacedMessage } from '../request/answered-calls';
import { answerAllCalls, placeAsGiven } from '../request/answered-calls';
import { readReplay } from '../request/replay';
import { linkToolResults } from '../request/tool-results';
import { toResultText } from '../wire-shapes';
import { REPLAY_KIND, withoutCall } from './messages-replay';

export type MessagesTurn =
  | { role: 'user'; content: string | ToolResultBlock[] }
  | { role: 'assistant'; content: string | ReplyBlock[] };

type ReplyBlock = TextBlock | ToolUseBlock;

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

/** What the turns depend on besides the messages. */
export interface TurnsOptions {
  model: string;
  origin: string | undefined;
  /** Whether the request asks the model to think. */
  isThinkingOn: boolean;
  /** Receives the paths of values that were replaced or left out. */
  replaced: string[];
}

/** Whether a text is one that the service accepts as a block. */
export const hasWords = (text: string): boolean => text.trim() !== '';

const isSendable = ({ type, text }: JsonRecord): boolean => type !== 'text' || hasWords(toText(text) ?? '');

const isThinking = ({ type }: JsonRecord): boolean => type === 'thinking' || type === 'redacted_thinking';

/** Whether a message has it in a form of its own. */
const isOwn = ({ type }: JsonRecord): boolean => type === 'text' || type === 'tool_use';

export class MessagesTurns {
  readonly #options: TurnsOptions;
  readonly #replaced: string[];
  readonly #turns: MessagesTurn[] = [];
  /** The results of the calls of one turn, which all stand in one message. */
  #results: ToolResultBlock[] | undefined;
  readonly #ids = new CallIds();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#replaced = options.replaced;
  }

  /** @param start Index of the first message that is written. @param isAsGiven See `WireInput`. */
  write(messages: readonly Message[], start: number, isAsGiven: true | undefined): MessagesTurn[] {
    const linked = linkToolResults(messages);
    const placed = isAsGiven ? placeAsGiven(linked) : answerAllCalls(linked, true);
    for (const one of placed) if (one.index >= start) this.#add(one, one.index === messages.length - 1);
    if (!isAsGiven) this.#endPrefill(messages.length - 1);
    return this.#turns;
  }

  #add({ message, index, ...place }: PlacedMessage, isLast: boolean): void {
    const { role, content } = message;
    if (role === 'tool') return this.#addResult(message, index, place);
    this.#results = undefined;
    if (role === 'assistant') return this.#addReply(message, index, isLast);
    // The protocol has no system text after the beginning.
    if (role === 'system') this.#replaced.push(`messages[${index}].role`);
    this.#turns.push({ role: 'user', content });
  }

  /** The text says of a failed result too what it is: llama-server and Ollama ignore the field. */
  #addResult(
    message: Message,
    index: number,
    { isMadeUp, isMoved }: Pick<PlacedMessage, 'isMadeUp' | 'isMoved'>,
  ): void {
    if (!this.#results) this.#turns.push({ role: 'user', content: (this.#results = []) });
    if (isMadeUp) this.#replaced.push(`messages[${this.#turns.length - 1}].content[${this.#results.length}]`);
    if (isMoved) this.#replaced.push(`messages[${index}].place`);
    this.#results.push({
      type: 'tool_result',
      tool_use_id: this.#ids.toId(message.toolCallId ?? ''),
      content: toResultText(message),
      ...(message.isError && { is_error: true }),
    });
  }

  #addReply(message: Message, index: number, isLast: boolean): void {
    const { content, toolCalls = [] } = message;
    const said: TextBlock[] = hasWords(content) ? [{ type: 'text', text: content }] : [];
    const calls = toolCalls.map((call, at) => this.#toCall(call, said.length + at));
    const replayed = this.#withReplay(message, index, { said, calls, isLast });
    const blocks = replayed ?? [...said, ...calls];
    // The service refuses a message without a block, although it can answer with one.
    if (blocks.length === 0) this.#replaced.push(`messages[${index}]`);
    else {
      const isPlain = !replayed && calls.length === 0;
      this.#turns.push({ role: 'assistant', content: isPlain ? content : blocks });
    }
  }

  /** Arguments that are no object are wrapped into one: the service accepts nothing else, and the model sees what it wrote. */
  #toCall({ id, name, arguments: args }: ProviderToolCall, at: number): ToolUseBlock {
    const input = toArgumentsObject(args);
    if (!input) this.#replaced.push(`messages[${this.#turns.length}].content[${at}].input`);
    const wrapped = () => ({ rawInvalidInput: isJsonSafe(args) ? args : toJsonText(args) });
    return { type: 'tool_use', id: this.#ids.toId(id), name, input: input ?? wrapped() };
  }

  /**
   * The blocks of the reply as they came, with its calls; undefined when the message has no such blocks. Where it says otherwise,
   * as after a rescue, only the thinking before all else is kept: without it the service refuses the request.
   */
  #withReplay(
    message: Message,
    index: number,
    { said, calls, isLast }: { said: readonly TextBlock[]; calls: readonly ToolUseBlock[]; isLast: boolean },
  ): ReplyBlock[] | undefined {
    const { model, origin } = this.#options;
    const accepted = { provider: REPLAY_KIND, model, origin, isForPlainReplies: true };
    const { content } = readReplay(message, index, accepted, this.#replaced);
    if (!Array.isArray(content)) return undefined;
    const blocks = content.filter(isRecord);
    const text = blocks
      .map((block) => (block['type'] === 'text' ? (toText(block['text']) ?? '') : ''))
      .join('');
    const count = blocks.filter(({ type }) => type === 'tool_use').length;
    const isSame = text === message.content && count === calls.length;
    const end = blocks.findIndex((block) => !isThinking(block));
    const thinking = blocks.slice(0, end < 0 ? undefined : end);
    const whole: JsonRecord[] = isSame
      ? withCalls(blocks.filter(isSendable), calls)
      : [...thinking, ...said, ...calls].map((block) => ({ ...block }));
    const isWhole = isSame || (thinking.length > 0 && blocks.slice(thinking.length).every(isOwn));
    const sent = this.#withoutRefused(whole, isLast);
    if (!isWhole || sent.length < whole.length) this.#replaced.push(`messages[${index}].replay`);
    // The other blocks are those of the service itself.
    return sent as unknown as ReplyBlock[];
  }

  /**
   * No reply may end with thinking, as one that was cut does, and one that the model is to continue may have none in a request
   * that does not ask for it. https://github.com/tailcallhq/forgecode/issues/3071, /issues/1853
   */
  #withoutRefused(blocks: readonly JsonRecord[], isLast: boolean): JsonRecord[] {
    const sent = blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1);
    const isPrefill =
      isLast && sent.at(-1)?.['type'] === 'text' && sent.every((one) => isThinking(one) || isOwn(one));
    return isPrefill && !this.#options.isThinkingOn ? sent.filter((block) => !isThinking(block)) : sent;
  }

  /** White space at the end of a reply that the model is to continue is refused. @param index Of the last message. */
  #endPrefill(index: number): void {
    const last = this.#turns.at(-1);
    if (last?.role !== 'assistant') return;
    const { content } = last;
    const block = typeof content === 'string' ? { type: 'text' as const, text: content } : content.at(-1);
    if (block?.type !== 'text' || block.text === block.text.trimEnd()) return;
    this.#replaced.push(`messages[${index}].end`);
    const text = block.text.trimEnd();
    last.content = typeof content === 'string' ? text : [...content.slice(0, -1), { ...block, text }];
  }
}

/** The blocks of a reply with its calls at their places, each with the members that a message does not have. */
function withCalls(blocks: readonly JsonRecord[], calls: readonly ToolUseBlock[]): JsonRecord[] {
  const rest = [...calls];
  return blocks.map((block) =>
    block['type'] === 'tool_use' ? { ...rest.shift(), ...withoutCall(block) } : block,
  );
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
