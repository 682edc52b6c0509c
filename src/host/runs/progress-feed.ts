// What a panel is told of one chat: each change of phase at once, the reply at most once an interval. Knows no vscode.
import type { RunProgress } from '../../protocol';
import type { AttemptRecord, CallProgress, ChatDelta } from '../../types';
import type { LiveReply } from './live-reply';

/** Between two looks at a reply that streams. */
const REPLY_INTERVAL_MS = 60;

export class ProgressFeed {
  readonly signal: AbortSignal;
  /** What gathers the pieces; set before the first one comes. */
  reply: LiveReply | undefined;
  readonly #runId: string;
  readonly #onProgress: (progress: RunProgress) => void;
  #phase: CallProgress | undefined;
  /** Runs for an interval after each look at the reply. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasNews = false;
  #isOver = false;

  /** @param signal Ends it, as `end` does. */
  constructor(runId: string, signal: AbortSignal, onProgress: (progress: RunProgress) => void) {
    this.#runId = runId;
    this.signal = signal;
    this.#onProgress = onProgress;
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  /** The attempts that were told so far, for a chat that ends without saying them. */
  get ledger(): AttemptRecord[] {
    return this.#phase?.ledger ?? [];
  }

  readonly setPhase = (phase: CallProgress): void => {
    this.#phase = phase;
    this.send();
  };

  readonly addDelta = (delta: ChatDelta): void => {
    this.reply?.add(delta);
    this.#hasNews = true;
    if (!this.#timer) this.#sendNews();
  };

  /** All there is so far; nothing when there is nothing yet, or nothing any more. */
  send(): void {
    if (!this.#phase || this.#isOver) return;
    this.#hasNews = false;
    const reply = this.reply?.view();
    this.#onProgress({ ...this.#phase, runId: this.#runId, ...(reply && { reply }) });
  }

  end(): void {
    this.#isOver = true;
    this.reply = undefined;
    clearTimeout(this.#timer);
  }

  #sendNews(): void {
    this.#timer = undefined;
    if (!this.#hasNews || this.#isOver) return;
    this.send();
    this.#timer = setTimeout(() => this.#sendNews(), REPLY_INTERVAL_MS);
  }
}
