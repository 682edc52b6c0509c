// A conversation in memory to which a run reports, without a lane, a journal or a view.
import type { AgentEnding, RunState } from '../../protocol';
import type { Message } from '../../types';
import type { Item, RunItem, ToolAnswer } from '../conversation/transcript';
import type { RunRecord } from './record/run-record';
import type { BegunRun, ProgressSource, RunSink } from './run-sink';
import type { Setup } from './setup';
import type { RunWire } from './record/wire-record';

export class MemorySink implements RunSink {
  readonly items: Item[] = [];
  /** What each run was set to, by its id. */
  readonly setups = new Map<string, Setup>();
  /** What was sent and received, by the id of the run. */
  readonly wires = new Map<string, RunWire>();

  addMessage(message: Message): void {
    this.items.push({ kind: 'message', id: crypto.randomUUID(), message });
  }

  beginRun(runId: string, { step }: BegunRun): void {
    this.items.push({ kind: 'run', id: runId, step, results: new Map(), asked: new Set() });
  }

  setSetup(runId: string, setup: Setup): void {
    this.setups.set(runId, setup);
  }

  setRecord(runId: string, record: RunRecord, wire?: RunWire): void {
    this.#change(runId, { record, verdict: record.verdict });
    if (wire) this.wires.set(runId, wire);
  }

  setResult(runId: string, callIndex: number, result: ToolAnswer): void {
    this.#find(runId)?.results.set(callIndex, result);
    this.setAsked(runId, callIndex, false);
  }

  setAsked(runId: string, callIndex: number, isAsked: boolean): void {
    const asked = this.#find(runId)?.asked;
    if (isAsked) asked?.add(callIndex);
    else asked?.delete(callIndex);
  }

  setEnding(runId: string, ending: AgentEnding): void {
    this.#change(runId, { ending });
  }

  cutFrom(itemId: string): void {
    const index = this.items.findIndex(({ id }) => id === itemId);
    if (index >= 0) this.items.splice(index);
  }

  /** The records so far, in order. */
  get records(): RunRecord[] {
    return this.items.flatMap((item) => (item.kind === 'run' && item.record ? [item.record] : []));
  }

  // Nobody watches the run, and nothing of it is stored.
  changeRun(_change: Partial<RunState>): void {}
  setProgress(_source: ProgressSource | undefined): void {}
  progressChanged(): void {}

  #change(runId: string, change: Partial<RunItem>): void {
    Object.assign(this.#find(runId) ?? {}, change);
  }

  #find(runId: string): RunItem | undefined {
    return this.items.findLast((item): item is RunItem => item.kind === 'run' && item.id === runId);
  }
}
