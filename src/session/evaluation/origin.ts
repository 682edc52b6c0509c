// The samples of one evaluation that are sent to one origin, in their order, as its pace allows. Knows no sample's content and no
// other origin.
import { t } from '@vscode/l10n';
import { isLocal } from '../../protocol';
import type { EvaluationProgress } from '../../protocol';
import type { AttemptRecord, CallProgress } from '../../types';
import type { Clock } from '../ports';
import type { RequestGate } from '../request-gate';
import type { OriginPace } from './origin-pace';
import { paceOf } from './origin-pace';
import type { LaneSetting, PlannedSample } from './setting';

export class Origin {
  readonly #pace: OriginPace;
  readonly #lanes: LaneSetting[] = [];
  #queue: PlannedSample[] = [];
  /** Index of the next one in the queue. */
  #at = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(name: string, gate: Pick<RequestGate, 'limitOf'>) {
    this.#pace = paceOf(name, gate);
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
    return this.#pace.mayStart(now);
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
    this.#pace.begin();
  }

  finish(ledgers: readonly (readonly AttemptRecord[])[], since: number, now: number): void {
    const isLimited = ledgers.some((ledger) => ledger.some(({ status }) => status === 429));
    this.#pace.finish(this, { isLimited, since, now });
  }

  /** @returns whether it asked for a pause */
  notePhase({ phase, ledger }: CallProgress, since: number, now: number): boolean {
    const last = ledger.at(-1);
    if (phase !== 'waiting-to-retry' || last?.status !== 429) return false;
    this.#pace.cut(since, now);
    // A wait of the retry policy is that of one request; what the server asks for holds for all.
    if (last.delaySource !== 'retry-after' || last.delayMs === undefined) return false;
    this.#pace.pause(now + last.delayMs);
    return true;
  }

  /** Calls back when a pause is over, or another evaluation leaves room. */
  wake(clock: Pick<Clock, 'now' | 'after'>, callback: () => void): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#at >= this.#queue.length) return;
    this.#pace.join(this, callback);
    const waitMs = this.#pace.pausedUntil - clock.now();
    if (waitMs > 0) this.#cancelTimer = clock.after(waitMs, callback);
  }

  end(): void {
    this.#cancelTimer?.();
    this.#pace.leave(this);
  }

  waiting(now: number): EvaluationProgress['waiting'] {
    const { pausedUntil } = this.#pace;
    if (pausedUntil <= now) return [];
    const reason = t('The server asked for a pause.');
    return this.#lanes.map(({ config }) => ({ laneId: config.id, reason, untilMs: pausedUntil }));
  }
}
