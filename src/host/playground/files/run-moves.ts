// Tracks files that are being renamed or moved, alone or with their folder: an editor that opens under the new
// name waits until the runs have been moved. Independent of sessions and the store.

/** An announced rename that does not happen blocks nobody for longer than this. */
const ANNOUNCED_FOR_MS = 5_000;

interface RunMove {
  ended: Promise<void>;
  end: () => void;
}

/** Whether an id is that of the file, or of a file inside the folder. */
export const isWithin = (id: string, place: string): boolean => id === place || id.startsWith(`${place}/`);

export class RunMoves {
  /** By the id of the new name. */
  readonly #moves = new Map<string, RunMove>();
  readonly #underWay = new Set<Promise<void>>();

  /** Called before a rename, which may still be refused. */
  announce(to: string): void {
    const { end } = this.#begin(to);
    setTimeout(end, ANNOUNCED_FOR_MS).unref();
  }

  /** @param work Moves the runs. */
  async move(to: string, work: () => Promise<void>): Promise<void> {
    const announced = this.#moves.get(to);
    const { end } = this.#begin(to);
    const done = work().finally(() => {
      this.#underWay.delete(done);
      end();
      announced?.end();
    });
    this.#underWay.add(done);
    await done;
  }

  /** Resolves when no more runs are being moved to this id. Never rejects. */
  async settled(id: string): Promise<void> {
    const moves = [...this.#moves].flatMap(([to, { ended }]) => (isWithin(id, to) ? [ended] : []));
    await Promise.all(moves);
  }

  /** Resolves when all moves that have begun are finished. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #begin(to: string): RunMove {
    let resolve: (() => void) | undefined;
    const ended = new Promise<void>((resolved) => (resolve = resolved));
    const end = (): void => {
      if (this.#moves.get(to) === move) this.#moves.delete(to);
      resolve?.();
    };
    const move: RunMove = { ended, end };
    this.#moves.set(to, move);
    return move;
  }
}
