// Sends the samples of several playgrounds, one after the other: the next one begins when the last sample of the one before is
// under way, so that one server has one queue. Limits hold for all of them together.
import { t } from '@vscode/l10n';
import type { EvaluationProgress } from '../../protocol';
import type { Batch, EarlyEnd, PlannedSample, SampleEntry, SpendingLimits } from '../../session';
import { Spending } from '../../session';
import type { JudgedSample } from '../../types';
import type { RunLimits } from './read-options';

type Services = Parameters<Batch['run']>[0]['services'];

export interface RunParts {
  batches: readonly Batch[];
  /** What is to be sent of each. */
  samples: ReadonlyMap<Batch, readonly PlannedSample[]>;
  services: Services;
  limits: RunLimits;
  onSample: (batch: Batch, whole: SampleEntry, judged: JudgedSample | undefined) => void;
  onChange: () => void;
}

export class BatchRuns {
  readonly #parts: RunParts;
  readonly #total = new TotalSpending();
  readonly #running = new Set<Batch>();
  #early: EarlyEnd | undefined;
  #isBailed = false;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  get requests(): number {
    return this.#total.requests;
  }

  get costUsd(): number {
    return this.#total.costUsd;
  }

  /** Whether it ended because as many rows had failed as are allowed. */
  get isBailed(): boolean {
    return this.#isBailed;
  }

  /** Of those that are under way. */
  get progress(): readonly { batch: Batch; progress: EvaluationProgress }[] {
    return [...this.#running].flatMap((batch) => {
      const { progress } = batch;
      return progress ? [{ batch, progress }] : [];
    });
  }

  /** @returns why they ended early. Never rejects */
  async run(): Promise<EarlyEnd | undefined> {
    const { batches, services, limits } = this.#parts;
    const { maxMs } = limits;
    const cancel =
      maxMs === undefined
        ? undefined
        : services.clock.after(maxMs, () =>
            this.stop({ reason: 'budget', text: t('{0} minutes are over', maxMs / 60_000) }),
          );
    const ended: Promise<void>[] = [];
    for (const batch of batches) {
      if (this.#early) break;
      const samples = this.#parts.samples.get(batch) ?? [];
      if (samples.length === 0) continue;
      await new Promise<void>((resolve) => {
        ended.push(this.#runOne(batch, samples, resolve).finally(resolve));
      });
    }
    await Promise.all(ended);
    cancel?.();
    return this.#early;
  }

  stop(early: EarlyEnd): void {
    this.#early ??= early;
    for (const batch of this.#running) batch.stop(early);
  }

  /** @param onLastUnderWay Called when no sample is left that is not under way. */
  async #runOne(batch: Batch, samples: readonly PlannedSample[], onLastUnderWay: () => void): Promise<void> {
    const { services, limits, onSample, onChange } = this.#parts;
    this.#running.add(batch);
    let left = samples.length;
    const early = await batch.run({
      services,
      samples,
      spent: new PartSpending(this.#total, limits),
      onSample: (whole, judged) => {
        left--;
        onSample(batch, whole, judged);
        if (judged?.verdict === 'failed') this.#bail();
      },
      onChange: () => {
        if (left <= batch.underWayCount) onLastUnderWay();
        onChange();
      },
    });
    this.#running.delete(batch);
    // What stops one connection or what a playground allows itself does not stop the others.
    if (early?.reason === 'budget' && this.#total.isOverLimits(limits)) this.stop(early);
    else if (early && early !== this.#early) this.#ownEnds.push(early);
  }

  /** Why single playgrounds ended early. */
  readonly #ownEnds: EarlyEnd[] = [];

  get ownEnds(): readonly EarlyEnd[] {
    return this.#ownEnds;
  }

  #bail(): void {
    const { batches, limits } = this.#parts;
    if (limits.bail === undefined || this.#early) return;
    let lost = 0;
    for (const batch of batches) for (const { lostCases } of batch.summary(false).lanes) lost += lostCases;
    if (lost < limits.bail) return;
    this.#isBailed = true;
    this.stop({ reason: 'failures', text: t('{0} rows failed in a lane, as --bail allows', lost) });
  }
}

/** The sum over all playgrounds, with what is under way in each. */
class TotalSpending extends Spending {
  readonly underWay = new Map<Spending, number>();

  isOverLimits(limits: SpendingLimits): boolean {
    let count = 0;
    for (const each of this.underWay.values()) count += each;
    return this.isOver(limits, count);
  }
}

/** What one playground has spent, which is also spent of the limits of all. */
class PartSpending extends Spending {
  readonly #total: TotalSpending;
  readonly #limits: SpendingLimits;

  constructor(total: TotalSpending, limits: SpendingLimits) {
    super();
    this.#total = total;
    this.#limits = limits;
  }

  override add(records: Parameters<Spending['add']>[0]): void {
    super.add(records);
    this.#total.add(records);
  }

  override isOver(limits: SpendingLimits, underWay: number): boolean {
    this.#total.underWay.set(this, underWay);
    return super.isOver(limits, underWay) || this.#total.isOverLimits(this.#limits);
  }

  override describe(limits: SpendingLimits): string {
    return super.isOver(limits, 0) ? super.describe(limits) : this.#total.describe(this.#limits);
  }
}
