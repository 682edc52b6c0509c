// The samples that are sent to one origin: in which order, how many at once, and when it asked for a pause. Knows no sample's
// content and no other origin.
import { t } from '@vscode/l10n';
import type { EvaluationProgress } from '../../protocol';
import type { AttemptRecord, CallProgress } from '../../types';
import type { Clock } from '../ports';
import type { RequestGate } from '../request-gate';
import { isLocal } from './is-local';
import type { LaneSetting, PlannedSample } from './setting';

/** Number of samples without a 429 after which one more may be under way. */
const CLEAN_SAMPLES = 20;

export class Origin {
  readonly #name: string;
  readonly #gate: Pick<RequestGate, 'limitOf'>;
  readonly #lanes: LaneSetting[] = [];
  #queue: PlannedSample[] = [];
  /** Index of the next one in the queue. */
  #at = 0;
  #underWay = 0;
  /** How many may be under way; the limit of the gate counts, too. */
  #limit = Number.POSITIVE_INFINITY;
  #clean = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(name: string, gate: Pick<RequestGate, 'limitOf'>) {
    this.#name = name;
    this.#gate = gate;
  }

  addLane(lane: LaneSetting): void {
    this.#lanes.push(lane);
  }

  add(sample: PlannedSample): void {
    this.#queue.push(sample);
  }

  /** On a local server lane by lane, because a change of the model loads gigabytes; elsewhere in the order in which they came. */
  sort(): void {
    if (!this.#lanes.some(({ connection }) => isLocal(connection))) return;
    const places = new Map<string, number>();
    for (const { lane } of this.#queue)
      if (!places.has(lane.config.id)) places.set(lane.config.id, places.size);
    const placeOf = ({ lane }: PlannedSample): number => places.get(lane.config.id) ?? 0;
    this.#queue = this.#queue.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  mayStart(now: number): boolean {
    return this.#underWay < this.#mostAtOnce && now >= this.#pausedUntil;
  }

  get #mostAtOnce(): number {
    return Math.min(this.#limit, this.#gate.limitOf(this.#name));
  }

  hasNext(stopped: ReadonlyMap<string, unknown>): boolean {
    while (stopped.has(this.#queue[this.#at]?.lane.config.id ?? '')) this.#at++;
    return this.#at < this.#queue.length;
  }

  next(stopped: ReadonlyMap<string, unknown>): PlannedSample | undefined {
    return this.hasNext(stopped) ? this.#queue[this.#at++] : undefined;
  }

  /** The sample that `next` returned last comes again. */
  putBack(): void {
    this.#at--;
  }

  begin(): void {
    this.#underWay++;
  }

  finish(ledgers: readonly (readonly AttemptRecord[])[], since: number, now: number): void {
    this.#underWay--;
    if (ledgers.some((ledger) => ledger.some(({ status }) => status === 429))) return this.#cut(since, now);
    if (++this.#clean < CLEAN_SAMPLES) return;
    this.#clean = 0;
    this.#limit++;
  }

  /** @returns whether it asked for a pause */
  notePhase({ phase, ledger }: CallProgress, since: number, now: number): boolean {
    const last = ledger.at(-1);
    if (phase !== 'waiting-to-retry' || last?.status !== 429) return false;
    this.#cut(since, now);
    // A wait of the retry policy is that of one request; what the server asks for holds for all.
    if (last.delaySource !== 'retry-after' || last.delayMs === undefined) return false;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + last.delayMs);
    return true;
  }

  /** Halves the limit, once for all requests that were under way together. */
  #cut(since: number, now: number): void {
    this.#clean = 0;
    if (since <= this.#cutAt) return;
    this.#cutAt = now;
    this.#limit = Math.max(1, Math.floor(this.#mostAtOnce / 2));
  }

  /** Calls back when a pause is over. */
  wake(clock: Pick<Clock, 'now' | 'after'>, callback: () => void): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const waitMs = this.#pausedUntil - clock.now();
    if (waitMs > 0 && this.#at < this.#queue.length) this.#cancelTimer = clock.after(waitMs, callback);
  }

  end(): void {
    this.#cancelTimer?.();
  }

  waiting(now: number): EvaluationProgress['waiting'] {
    if (this.#pausedUntil <= now) return [];
    const reason = t('The server asked for a pause.');
    return this.#lanes.map(({ config }) => ({ laneId: config.id, reason, untilMs: this.#pausedUntil }));
  }
}
