// Progress of one running chat: its phase, the reply so far, and when its first piece arrived. Notifies a listener of every
// change; the listener reads the current state when it is ready to draw. Independent of the front end.
import type { LiveReplyView, RunProgress } from '../../protocol';
import type { AttemptRecord, CallProgress, ChatDelta } from '../../types';
import type { Clock } from '../ports';
import type { LiveReply } from './live-reply';

export interface FeedOptions {
  runId: string;
  reply: LiveReply;
  clock: Clock;
  /** Called on each change with the length of the piece that arrived, or 0 for a change of phase. */
  onProgressChange: (length: number) => void;
}

export class ProgressFeed {
  readonly #options: FeedOptions;
  #phase: CallProgress | undefined;
  #attempt = 0;
  #attemptStartMs = 0;
  #firstTokenMs: number | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#attemptStartMs = options.clock.elapsed();
  }

  /** The attempts reported so far, for a chat that ends without reporting its ledger. */
  get ledger(): AttemptRecord[] {
    return this.#phase?.ledger ?? [];
  }

  /** Milliseconds from the start of the attempt to the first piece of the reply; undefined before that. */
  get firstTokenMs(): number | undefined {
    return this.#firstTokenMs;
  }

  /** The part of the reply that has arrived. */
  get partial(): LiveReplyView | undefined {
    return this.#options.reply.view();
  }

  /** Undefined before the first attempt has begun. */
  view(): RunProgress | undefined {
    const reply = this.partial;
    const phase = this.#phase ?? (reply && this.#toReading());
    return phase && { ...phase, runId: this.#options.runId, ...(reply && { reply }) };
  }

  /** The phase of a provider that reports none because it sends its requests itself. */
  #toReading(): CallProgress {
    const { clock } = this.#options;
    const since = Math.round(clock.now() - (clock.elapsed() - this.#attemptStartMs));
    return { phase: 'reading', attempt: 1, maxAttempts: 1, since, ledger: [] };
  }

  readonly setPhase = (phase: CallProgress): void => {
    if (phase.attempt !== this.#attempt && phase.phase !== 'waiting-to-retry') {
      this.#attempt = phase.attempt;
      this.#attemptStartMs = this.#options.clock.elapsed();
    }
    this.#phase = phase;
    this.#options.onProgressChange(0);
  };

  readonly addDelta = (delta: ChatDelta): void => {
    for (const piece of toPieces(delta)) {
      const { content = '', reasoning = '', toolCall } = piece;
      const length = content.length + reasoning.length + (toolCall?.arguments?.length ?? 0);
      if (length > 0 || toolCall) {
        this.#firstTokenMs ??= Math.round(this.#options.clock.elapsed() - this.#attemptStartMs);
      }
      this.#options.reply.add(piece);
      this.#options.onProgressChange(length);
    }
  };
}

/**
 * In UTF-16 code units. Longer deltas are split: the view shows only the end of a reply, and whoever stores the reply has to
 * be notified before older text drops out of the view.
 */
const MAX_PIECE = 8_000;

function toPieces({ content = '', reasoning = '', ...rest }: ChatDelta): ChatDelta[] {
  const pieces: ChatDelta[] = [];
  for (let at = 0; at < Math.max(content.length, reasoning.length, 1); at += MAX_PIECE) {
    const end = at + MAX_PIECE;
    const piece = { content: content.slice(at, end), reasoning: reasoning.slice(at, end) };
    pieces.push(at === 0 ? { ...rest, ...piece } : piece);
  }
  return pieces;
}
