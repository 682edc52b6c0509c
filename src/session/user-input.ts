// What runs wait for from the person: results of calls, and resuming a paused agent run. Independent of lanes.
import type { ToolAnswer } from './transcript';
import { waitFor } from './wait-for';

export class UserInput {
  /** Keyed by run id and call index. */
  readonly #asked = new Map<string, (answer: ToolAnswer) => void>();
  /** Keyed by lane id. */
  readonly #paused = new Map<string, (isStepMode: boolean) => void>();

  /** @throws the signal's reason when it aborts first */
  ask(runId: string, callIndex: number, signal: AbortSignal): Promise<ToolAnswer> {
    return waitIn(this.#asked, askKey(runId, callIndex), signal);
  }

  /** @returns whether a run was waiting for the answer */
  answer(runId: string, callIndex: number, answer: ToolAnswer): boolean {
    const waiting = this.#asked.get(askKey(runId, callIndex));
    waiting?.(answer);
    return waiting !== undefined;
  }

  /** @returns whether the run continues in step mode. @throws the signal's reason when it aborts first */
  pause(laneId: string, signal: AbortSignal): Promise<boolean> {
    return waitIn(this.#paused, laneId, signal);
  }

  isPaused(laneId: string): boolean {
    return this.#paused.has(laneId);
  }

  resume(laneId: string, isStepMode: boolean): void {
    this.#paused.get(laneId)?.(isStepMode);
  }
}

function waitIn<T>(waiting: Map<string, (value: T) => void>, key: string, signal: AbortSignal): Promise<T> {
  return waitFor(signal, (resolve) => {
    waiting.set(key, resolve);
    return () => waiting.delete(key);
  });
}

const askKey = (runId: string, callIndex: number): string => `${runId}:${callIndex}`;
