// What runs wait for from the person: results of calls, and resuming a paused agent run. Independent of lanes.
import type { ToolAnswer } from './transcript';
import { waitFor } from '../wait-for';

export class UserInput {
  /** Keyed by run id and call index. */
  readonly #asked = new Map<string, (answer: ToolAnswer) => void>();
  /** Keyed by lane id. */
  readonly #paused = new Map<string, Pause>();

  /** @throws the signal's reason when it aborts first */
  ask(runId: string, callIndex: number, signal: AbortSignal): Promise<ToolAnswer> {
    return waitFor(signal, (resolve) => {
      this.#asked.set(askKey(runId, callIndex), resolve);
      return () => this.#asked.delete(askKey(runId, callIndex));
    });
  }

  /** @returns whether a run was waiting for the answer */
  answer(runId: string, callIndex: number, answer: ToolAnswer): boolean {
    const waiting = this.#asked.get(askKey(runId, callIndex));
    waiting?.(answer);
    return waiting !== undefined;
  }

  /**
   * @param say Called with the text of a message to send before the next step.
   * @returns whether the run continues in step mode. @throws the signal's reason when it aborts first
   */
  pause(laneId: string, signal: AbortSignal, say: (text: string) => void): Promise<boolean> {
    return waitFor(signal, (resume) => {
      this.#paused.set(laneId, { say, resume });
      return () => this.#paused.delete(laneId);
    });
  }

  isPaused(laneId: string): boolean {
    return this.#paused.has(laneId);
  }

  /** @param text Added to the conversation by the paused run, before this returns. */
  resume(laneId: string, isStepMode: boolean, text: string | undefined): void {
    const paused = this.#paused.get(laneId);
    if (text !== undefined) paused?.say(text);
    paused?.resume(isStepMode);
  }
}

interface Pause {
  say: (text: string) => void;
  resume: (isStepMode: boolean) => void;
}

const askKey = (runId: string, callIndex: number): string => `${runId}:${callIndex}`;
