// Stores the parts of a reply while it is being received, so that a crash loses at most a second of it. Takes them from the
// live view of the reply, in which secrets are already masked.
import type { LiveReplyView, RunProgress } from '../../protocol';
import type { ReplyPiece } from '../journal/journal-lines';
import type { Clock } from '../ports';

const INTERVAL_MS = 800;
/** The live view has the last 20,000 characters, so new text has to be stored before it drops out of the view. */
const MAX_NOT_STORED = 8_000;

export class PartialKeeper {
  readonly #clock: Clock;
  readonly #view: () => RunProgress | undefined;
  readonly #keep: (piece: ReplyPiece) => void;
  #content = 0;
  #reasoning = 0;
  #calls = '';
  #notStored = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, view: () => RunProgress | undefined, keep: (piece: ReplyPiece) => void) {
    this.#clock = clock;
    this.#view = view;
    this.#keep = keep;
  }

  /** Must be called for each piece of the reply, with its length. */
  note(length: number): void {
    this.#notStored += length;
    if (this.#notStored > MAX_NOT_STORED) this.keep();
    else this.#cancelTimer ??= this.#clock.after(INTERVAL_MS, () => this.keep());
  }

  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Stores what is new at once, for example when the window closes. */
  keep(): void {
    this.end();
    this.#notStored = 0;
    const reply = this.#view()?.reply;
    if (!reply) return;
    const content = newPart(reply.content, reply.omitted.content, this.#content);
    const reasoning = newPart(reply.reasoning, reply.omitted.reasoning, this.#reasoning);
    const calls = JSON.stringify(reply.toolCalls);
    const hasCalls = calls !== this.#calls && reply.toolCalls.length > 0;
    this.#content = reply.omitted.content + reply.content.length;
    this.#reasoning = reply.omitted.reasoning + reply.reasoning.length;
    this.#calls = calls;
    if (content === '' && reasoning === '' && !hasCalls) return;
    this.#keep(toPiece({ content, reasoning }, hasCalls ? reply.toolCalls : undefined));
  }
}

function newPart(text: string, omitted: number, kept: number): string {
  return text.slice(Math.max(0, kept - omitted));
}

function toPiece(
  { content, reasoning }: { content: string; reasoning: string },
  toolCalls: LiveReplyView['toolCalls'] | undefined,
): ReplyPiece {
  return {
    ...(content !== '' && { content }),
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls && { toolCalls }),
  };
}
