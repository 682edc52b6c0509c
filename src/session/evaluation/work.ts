// The samples of an evaluation under way: their order, how many at once, what is sent again, and when a connection or all of it
// stops. Judges nothing and stores nothing.
import { t } from '@vscode/l10n';
import type { EvaluationProgress } from '../../protocol';
import type { CallProgress, NoVerdictReason } from '../../types';
import type { AgentServices } from '../run/agent-run';
import type { EarlyEnd } from './evaluation-head';
import { failureScope } from './failure-reason';
import { Origin } from './origin';
import type { RanSample } from './run-sample';
import { runSample } from './run-sample';
import { SampleSetups } from './sample-setups';
import type { SampleOutcome } from './sample-facts';
import { toOutcome } from './sample-facts';
import type { EvaluationSetting, PlannedSample } from './setting';
import type { Spending } from './spending';

export interface FinishedSample {
  planned: PlannedSample;
  ran: RanSample;
  outcome: SampleOutcome;
}

export interface WorkParts {
  services: AgentServices;
  setting: EvaluationSetting;
  /** Amounts of the samples that are stored already. */
  spent: Spending;
  onFinished: (sample: FinishedSample) => void;
  onChange: () => void;
}

const MAX_REQUEUES = 2;
/** Equal failures in a row, none of which another attempt would change. */
const MAX_EQUAL_FAILURES = 5;

interface UnderWay {
  /** Milliseconds of the clock's `now`. */
  since: number;
  phase?: CallProgress | undefined;
}

export class EvaluationWork {
  readonly #parts: WorkParts;
  readonly #setups: SampleSetups;
  readonly #origins = new Map<string, Origin>();
  readonly #originOf = new Map<string, Origin>();
  readonly #controller = new AbortController();
  readonly #underWay = new Map<PlannedSample, UnderWay>();
  /** By lane id: why its samples are not run. */
  readonly #stoppedLanes = new Map<string, string>();
  /** By connection: the failure that its last samples ended with. */
  readonly #equalFailures = new Map<string, { message: string; count: number }>();
  readonly #since: number;
  readonly #planned: number;
  #done = 0;
  #early: EarlyEnd | undefined;
  #resolve: ((early: EarlyEnd | undefined) => void) | undefined;

  constructor(parts: WorkParts, planned: number) {
    this.#parts = parts;
    this.#setups = new SampleSetups(parts.setting);
    this.#planned = planned;
    this.#since = parts.services.clock.now();
  }

  /** Resolves when nothing is under way or to be sent any more. Never rejects. */
  async run(samples: readonly PlannedSample[]): Promise<EarlyEnd | undefined> {
    await this.#openLanes(samples);
    for (const sample of samples) this.#originOf.get(sample.lane.config.id)?.add(sample);
    for (const origin of this.#origins.values()) origin.sort();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#pump();
    });
  }

  stop(early: EarlyEnd = { reason: 'person', text: t('stopped by you') }): void {
    this.#early ??= early;
    this.#controller.abort(new Error('stopped'));
    this.#parts.onChange();
    if (this.#underWay.size === 0) this.#pump();
  }

  /** Number of samples that are under way. */
  get underWayCount(): number {
    return this.#underWay.size;
  }

  get progress(): EvaluationProgress {
    const { clock } = this.#parts.services;
    const origins = [...this.#origins.values()];
    const waiting = origins.flatMap((origin) => origin.waiting(clock.now()));
    const left = this.#planned - this.#done;
    const atOnce = Math.max(1, this.#underWay.size);
    const medianMs = this.#parts.spent.medianMs;
    return {
      since: this.#since,
      isStopping: this.#controller.signal.aborted,
      done: this.#done,
      planned: this.#planned,
      underWay: [...this.#underWay].map(([{ row, lane, repeat }, { since, phase }]) => ({
        rowId: row.id,
        laneId: lane.config.id,
        repeat,
        since,
        phase: phase?.phase,
      })),
      waiting,
      ...(medianMs !== undefined && { leftMs: Math.round((medianMs * left) / atOnce) }),
    };
  }

  /** Opens the connections of the lanes. Those of one origin share its limit. */
  async #openLanes(samples: readonly PlannedSample[]): Promise<void> {
    const { services } = this.#parts;
    const lanes = new Map(samples.map(({ lane }) => [lane.config.id, lane]));
    await Promise.all(
      [...lanes].map(async ([laneId, lane]) => {
        try {
          const { gate } = await this.#setups.open(services, lane, this.#controller.signal);
          const known = this.#origins.get(gate) ?? new Origin(gate, services.gate);
          this.#origins.set(gate, known);
          this.#originOf.set(laneId, known);
          known.addLane(lane);
        } catch (error) {
          const { what } = await services.connections.explain(error, lane.config.connection);
          this.#stoppedLanes.set(laneId, what);
        }
      }),
    );
  }

  /** Starts what may start. Ends the evaluation when nothing is left. */
  #pump(): void {
    const { clock } = this.#parts.services;
    for (const origin of this.#origins.values()) {
      while (!this.#controller.signal.aborted && origin.mayStart(clock.now())) {
        const sample = origin.next(this.#stoppedLanes);
        if (!sample) break;
        if (this.#isOverBudget()) {
          origin.putBack();
          break;
        }
        void this.#runOne(origin, sample);
      }
      origin.wake(clock, () => this.#pump());
    }
    this.#parts.onChange();
    if (this.#underWay.size > 0) return;
    const isLeft = [...this.#origins.values()].some((origin) => origin.hasNext(this.#stoppedLanes));
    const isAborted = this.#controller.signal.aborted;
    if (isLeft && !isAborted && !this.#isOverBudget()) return;
    if (isLeft && !isAborted)
      this.#early = { reason: 'budget', text: this.#parts.spent.describe(this.#parts.setting.evaluate) };
    this.#end();
  }

  #end(): void {
    for (const origin of this.#origins.values()) origin.end();
    const reasons = new Set(this.#stoppedLanes.values());
    if (reasons.size > 0) this.#early ??= { reason: 'failures', text: [...reasons].join(' ') };
    this.#resolve?.(this.#early);
    this.#resolve = undefined;
  }

  #isOverBudget(): boolean {
    const { spent, setting } = this.#parts;
    return spent.isOver(setting.evaluate, this.#underWay.size);
  }

  async #runOne(origin: Origin, sample: PlannedSample): Promise<void> {
    const { services, setting } = this.#parts;
    const state: UnderWay = { since: services.clock.now() };
    this.#underWay.set(sample, state);
    origin.begin();
    const onPhase = (phase: CallProgress): void => {
      state.phase = phase;
      if (origin.notePhase(phase, state.since, services.clock.now())) this.#parts.onChange();
    };
    const ran = await runSample(services, {
      opened: this.#setups.of(sample),
      evaluate: setting.evaluate,
      signal: this.#controller.signal,
      onPhase,
    });
    this.#underWay.delete(sample);
    origin.finish(
      ran.records.map(({ ledger }) => ledger),
      state.since,
      services.clock.now(),
    );
    this.#finish(origin, sample, ran);
    this.#pump();
  }

  #finish(origin: Origin, planned: PlannedSample, ran: RanSample): void {
    this.#parts.spent.add(ran.records);
    const outcome: SampleOutcome | undefined = ran.isOverTime
      ? {
          reason: 'time',
          message: t('It took longer than the time limit of a sample.'),
          limitMs: this.#parts.setting.evaluate.timeoutMs,
        }
      : toOutcome(ran.records, ran.ending);
    // Stopped while it was under way, so it did not run.
    if (!outcome) return;
    const reason = 'reason' in outcome ? outcome.reason : undefined;
    // A quota is the person's, who was asked about one request for each sample.
    const isSentAgain = planned.requeued < MAX_REQUEUES && !planned.lane.connection.usesQuota;
    if (reason === 'infrastructure' && isSentAgain) {
      origin.add({ ...planned, requeued: planned.requeued + 1 });
      return;
    }
    this.#done++;
    this.#noteFailure(planned, ran, outcome, reason);
    this.#parts.onFinished({ planned, ran, outcome });
  }

  #noteFailure(
    { lane }: PlannedSample,
    { records }: RanSample,
    outcome: SampleOutcome,
    reason: NoVerdictReason | undefined,
  ): void {
    const { connection, id } = lane.config;
    const last = records.at(-1);
    const message = 'message' in outcome ? outcome.message : '';
    const before = this.#equalFailures.get(connection);
    const count = reason === 'request' && before?.message === message ? before.count + 1 : 1;
    if (reason === 'request') this.#equalFailures.set(connection, { message, count });
    else this.#equalFailures.delete(connection);
    const isSetup = reason === 'setup' && last !== undefined;
    if (!isSetup && !(reason === 'request' && count >= MAX_EQUAL_FAILURES)) return;
    const isWhole = !isSetup || failureScope(last) === 'connection';
    for (const { config } of this.#parts.setting.lanes) {
      if (config.id === id || (isWhole && config.connection === connection))
        this.#stoppedLanes.set(config.id, message);
    }
  }
}
