// Runs one sample: a chat or an agent run with the setup of its lane and row, in a conversation of its own. Does not know what
// is expected of it, nor where it is stored.
import type { AgentEnding, RunState } from '../../protocol';
import type { CallProgress } from '../../types';
import type { AgentServices } from '../run/agent-run';
import { MemorySink } from '../run/memory-sink';
import type { RunRecord } from '../run/record/run-record';
import { runOnce } from '../run/run-once';
import type { OpenRun } from '../run/setup';
import type { EvaluationSetting } from './setting';

export interface SampleRequest {
  opened: OpenRun;
  evaluate: EvaluationSetting['evaluate'];
  signal: AbortSignal;
  onPhase: (phase: CallProgress) => void;
}

export interface RanSample {
  /** Everything that happened. */
  sink: MemorySink;
  /** Of a chat one, of an agent run one a step. */
  records: readonly RunRecord[];
  ending?: AgentEnding | undefined;
  /** It took longer than the evaluation allows. */
  isOverTime: boolean;
}

/** Never rejects. */
export async function runSample(services: AgentServices, request: SampleRequest): Promise<RanSample> {
  const { opened, evaluate, onPhase } = request;
  const limit = new TimeLimit(services, evaluate.timeoutMs, request.signal);
  const sink = new SampleSink(limit, onPhase);
  const isAgent = evaluate.mode === 'agent';
  const once = { opened, isAgent, signal: limit.signal, isBackground: true };
  const ending = await runOnce(services, sink, once);
  limit.end();
  return { sink, records: sink.records, ending, isOverTime: limit.isOver };
}

/** Notes for a sample when its time passes, and reports the phases of its requests. */
class SampleSink extends MemorySink {
  readonly setPhase: (phase: CallProgress) => void;
  readonly #limit: TimeLimit;

  constructor(limit: TimeLimit, onPhase: (phase: CallProgress) => void) {
    super();
    this.#limit = limit;
    this.setPhase = onPhase;
  }

  override changeRun({ phase }: Partial<RunState>): void {
    if (phase !== undefined) this.#limit.follow(phase);
  }
}

/** The time limit of a sample. While it waits for other requests its time stands still. */
class TimeLimit {
  readonly signal: AbortSignal;
  readonly #clock: AgentServices['clock'];
  readonly #controller = new AbortController();
  #leftMs: number | undefined;
  #since: number | undefined;
  #cancel: (() => void) | undefined;
  isOver = false;

  constructor({ clock }: Pick<AgentServices, 'clock'>, limitMs: number | undefined, signal: AbortSignal) {
    this.#clock = clock;
    this.#leftMs = limitMs;
    this.signal = limitMs === undefined ? signal : AbortSignal.any([signal, this.#controller.signal]);
  }

  follow(phase: RunState['phase']): void {
    if (this.#leftMs === undefined) return;
    if (phase === 'queued') this.#stand();
    else if (this.#since === undefined) this.#go(this.#leftMs);
  }

  end(): void {
    this.#cancel?.();
  }

  #go(leftMs: number): void {
    this.#since = this.#clock.elapsed();
    this.#cancel = this.#clock.after(leftMs, () => {
      this.isOver = true;
      this.#controller.abort(new Error('timeout'));
    });
  }

  #stand(): void {
    if (this.#since === undefined || this.#leftMs === undefined) return;
    this.#leftMs -= this.#clock.elapsed() - this.#since;
    this.#since = undefined;
    this.#cancel?.();
  }
}
