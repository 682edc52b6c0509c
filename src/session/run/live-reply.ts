// A reply while it streams: gathers the pieces and says what is there so far, bounded and redacted. Pure: knows no
// clock and no panel.
import type { LiveReplyView } from '../../protocol';
import type { ChatDelta } from '../../types';

/** UTF-16 units; what came before them is counted, not kept. */
const MAX_TEXT = 20_000;
const MAX_ARGUMENTS = 4_000;
const MAX_NAME = 200;
const MAX_CALLS = 20;
/** A secret is at most this many times longer in the spellings that a redactor knows. */
const LONGEST_SPELLING = 9;

export interface Redaction {
  /** As they are. */
  secrets: readonly string[];
  /** Masks every secret; a mask is as long as what it hides. */
  mask: (text: string) => string;
  /** How much of the end may be the beginning of a secret: it stays back until the next piece tells. */
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

  /** @returns undefined as long as there is nothing to show. */
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
    // later pieces may repeat the name or send another one: the first one counts
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

/** The end of a text that grows. It keeps a little more than it shows, so that a secret is found that begins before it. */
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
    // not at each piece, since it copies
    if (this.#text.length <= this.#keptLength * 2) return;
    this.#dropped += this.#text.length - this.#keptLength;
    this.#text = this.#text.slice(-this.#keptLength);
  }

  view(): { text: string; omitted: number } {
    const masked = this.#redaction.mask(this.#text);
    const end = masked.length - this.#redaction.held(this.#text);
    const start = toWholeCharacter(masked, Math.max(0, end - this.#maxLength));
    return { text: masked.slice(start, end), omitted: this.#dropped + start };
  }
}

/** Never between the two halves of a character. */
function toWholeCharacter(text: string, start: number): number {
  return start > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start;
}
