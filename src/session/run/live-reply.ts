// A reply while it streams: collects the deltas and gives a bounded, redacted view so far. Pure: no clock, no panel.
import type { LiveReplyView } from '../../protocol';
import type { ChatDelta } from '../../types';

/** In UTF-16 code units. Earlier text is counted, but not kept. */
const MAX_TEXT = 20_000;
const MAX_ARGUMENTS = 4_000;
const MAX_NAME = 200;
const MAX_CALLS = 20;
/** A redactor also finds a secret in encoded forms; the longest is at most this many times as long as the secret. */
const LONGEST_SPELLING = 9;

export interface Redaction {
  /** The secrets in plain text. */
  secrets: readonly string[];
  /** Masks every secret; a mask is as long as what it replaces. */
  mask: (text: string) => string;
  /**
   * Number of characters at the end that may be the beginning of a secret. They are held back until the next piece arrives.
   */
  held: (text: string) => number;
}

interface LiveCall {
  name: string;
  arguments: TextEnd;
}

export class LiveReply {
  readonly #redaction: Redaction;
  readonly #content: TextEnd;
  readonly #reasoning: TextEnd;
  readonly #calls = new Map<number, LiveCall>();
  #callCount = 0;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
    this.#content = new TextEnd(MAX_TEXT, redaction);
    this.#reasoning = new TextEnd(MAX_TEXT, redaction);
  }

  add({ content, reasoning, toolCall }: ChatDelta): void {
    this.#content.add(content ?? '');
    this.#reasoning.add(reasoning ?? '');
    if (toolCall) this.#addCall(toolCall);
  }

  /** @returns undefined as long as there is nothing to show */
  view(): LiveReplyView | undefined {
    const content = this.#content.view();
    const reasoning = this.#reasoning.view();
    const toolCalls = [...this.#calls.values()].map((call) => this.#viewCall(call));
    if (content.text === '' && reasoning.text === '' && toolCalls.length === 0) return undefined;
    return {
      content: content.text,
      reasoning: reasoning.text,
      toolCalls,
      omitted: {
        content: content.omitted,
        reasoning: reasoning.omitted,
        toolCalls: this.#callCount - toolCalls.length,
      },
    };
  }

  #viewCall({ name, arguments: args }: LiveCall): LiveReplyView['toolCalls'][number] {
    const { text, omitted } = args.view();
    return {
      name: this.#redaction.mask(name).slice(0, MAX_NAME),
      arguments: omitted > 0 ? `…${text}` : text,
    };
  }

  #addCall({ index, name, arguments: args }: NonNullable<ChatDelta['toolCall']>): void {
    this.#callCount = Math.max(this.#callCount, index + 1);
    const call = this.#calls.get(index) ?? this.#open(index);
    if (!call) return;
    // Later deltas may repeat the name or send another one; the first one counts.
    if (call.name === '') call.name = name ?? '';
    call.arguments.add(args ?? '');
  }

  #open(index: number): LiveCall | undefined {
    if (this.#calls.size >= MAX_CALLS) return undefined;
    const call = { name: '', arguments: new TextEnd(MAX_ARGUMENTS, this.#redaction) };
    this.#calls.set(index, call);
    return call;
  }
}

/** The end of a growing text. Keeps a little more than it shows, so that a secret that begins before the view is found. */
class TextEnd {
  readonly #maxLength: number;
  readonly #redaction: Redaction;
  readonly #keptLength: number;
  #text = '';
  #dropped = 0;

  constructor(maxLength: number, redaction: Redaction) {
    this.#maxLength = maxLength;
    this.#redaction = redaction;
    const longest = Math.max(0, ...redaction.secrets.map(({ length }) => length));
    this.#keptLength = maxLength + longest * LONGEST_SPELLING;
  }

  add(piece: string): void {
    this.#text += piece;
    // Cutting copies the text, so it waits until twice the kept length is exceeded.
    if (this.#text.length <= this.#keptLength * 2) return;
    this.#dropped += this.#text.length - this.#keptLength;
    this.#text = this.#text.slice(-this.#keptLength);
  }

  view(): { text: string; omitted: number } {
    const masked = this.#redaction.mask(this.#text);
    const end = masked.length - this.#redaction.held(this.#text);
    const from = Math.max(0, end - this.#maxLength);
    const isCut = this.#dropped + from > 0;
    // The second half of a surrogate pair is not shown alone.
    const start = isCut && /[\uDC00-\uDFFF]/.test(masked.charAt(from)) ? from + 1 : from;
    return { text: masked.slice(start, end), omitted: this.#dropped + start };
  }
}
