// What is known of one chat while it goes on: its phase, its reply so far, when the first piece came. Says that there is
// news; whoever shows it asks when it has time. Knows no front end.
import type { LiveReplyView, RunProgress } from '../../protocol';
import type { AttemptRecord, CallProgress, ChatDelta } from '../../types';
import type { Clock } from '../ports';
import type { LiveReply } from './live-reply';

export interface FeedOptions {
  runId: string;
  reply: LiveReply;
  clock: Clock;
  /** How long the piece is that came; 0 for another phase. */
  onNews: (length: number) => void;
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

  /** The attempts that were told so far, for a chat that ends without saying them. */
  get ledger(): AttemptRecord[] {
    return this.#phase?.ledger ?? [];
  }

  /** From the start of the attempt to the first piece of the reply. */
  get firstTokenMs(): number | undefined {
    return this.#firstTokenMs;
  }

  /** What had come of the reply. */
  get partial(): LiveReplyView | undefined {
    return this.#options.reply.view();
  }

  /** All there is so far; undefined before the first attempt began. */
  view(): RunProgress | undefined {
    const reply = this.partial;
    const phase = this.#phase ?? (reply && this.#toReading());
    return phase && { ...phase, runId: this.#options.runId, ...(reply && { reply }) };
  }

  /** A provider that makes its requests by itself tells no phases. */
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
    this.#options.onNews(0);
  };

  readonly addDelta = (delta: ChatDelta): void => {
    for (const piece of toPieces(delta)) {
      const { content = '', reasoning = '', toolCall } = piece;
      const length = content.length + reasoning.length + (toolCall?.arguments?.length ?? 0);
      if (length > 0 || toolCall) {
        this.#firstTokenMs ??= Math.round(this.#options.clock.elapsed() - this.#attemptStartMs);
      }
      this.#options.reply.add(piece);
      this.#options.onNews(length);
    }
  };
}

/** UTF-16 units. A reply shows its end only: whoever keeps it has to hear of it before more than that has come. */
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
