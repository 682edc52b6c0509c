// Keeps what a server wants back with the calls of its replies, such as signed reasoning: the editor's chat gives back the calls
// alone, and services that were asked to think refuse them without it. In memory, because such data is large and private; a
// conversation that goes on after a reload of the window has none of it. Independent of vscode.
import type { Message, ReplayData } from '../../types';

/** Of calls and of their data together; the oldest are forgotten. */
const MAX_CALLS = 1_000;
const MAX_TEXT = 16 * 1024 * 1024;

interface Kept {
  replay: ReplayData;
  /** Length of its JSON text, in UTF-16 code units. */
  length: number;
}

export class KeptReplays {
  readonly #byCall = new Map<string, Kept>();
  #length = 0;

  /** @param callIds Those that the editor was told. */
  keep(callIds: readonly string[], replay: ReplayData | undefined): void {
    if (!replay) return;
    const { length } = JSON.stringify(replay);
    if (length * callIds.length > MAX_TEXT) return;
    for (const id of callIds) {
      this.#forget(id);
      this.#byCall.set(id, { replay, length });
      this.#length += length;
    }
    for (const id of this.#byCall.keys()) {
      if (this.#byCall.size <= MAX_CALLS && this.#length <= MAX_TEXT) break;
      this.#forget(id);
    }
  }

  #forget(callId: string): void {
    this.#length -= this.#byCall.get(callId)?.length ?? 0;
    this.#byCall.delete(callId);
  }

  /** @returns the messages, each with the data of its calls; it is withheld from another connection than it came from */
  giveBack(messages: readonly Message[], connectionId: string): Message[] {
    return messages.map((message) => {
      const [kept] = (message.toolCalls ?? []).flatMap(({ id }) => this.#byCall.get(id) ?? []);
      if (!kept) return message;
      const { replay } = kept;
      const isOthers = replay.connection !== undefined && replay.connection !== connectionId;
      return { ...message, replay: isOthers ? { ...replay, isWithheld: true } : replay };
    });
  }
}
