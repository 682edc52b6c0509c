// Files that are being renamed or moved, alone or with their folder: an editor that opens under the new name waits until the
// runs have followed. Knows no session and no store.

/** A rename that was announced and did not happen holds nobody up for longer. */
const ANNOUNCED_FOR_MS = 5_000;

interface Move {
  ended: Promise<void>;
  end: () => void;
}

/** Whether an id is that of the file, or of one below the folder. */
export const isWithin = (id: string, place: string): boolean => id === place || id.startsWith(`${place}/`);

export class RunMoves {
  /** By the id of the new name. */
  readonly #moves = new Map<string, Move>();
  readonly #underWay = new Set<Promise<void>>();

  /** A rename is about to happen, or is refused yet. */
  announce(to: string): void {
    const { end } = this.#begin(to);
    setTimeout(end, ANNOUNCED_FOR_MS).unref();
  }

  /** @param work What has the runs follow. */
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

  /** Resolves when nothing more comes to this id. Never rejects. */
  async settled(id: string): Promise<void> {
    const moves = [...this.#moves].flatMap(([to, { ended }]) => (isWithin(id, to) ? [ended] : []));
    await Promise.all(moves);
  }

  /** Resolves when all that have begun are done. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #begin(to: string): Move {
    let resolve: (() => void) | undefined;
    const ended = new Promise<void>((resolved) => (resolve = resolved));
    const end = (): void => {
      if (this.#moves.get(to) === move) this.#moves.delete(to);
      resolve?.();
    };
    const move: Move = { ended, end };
    this.#moves.set(to, move);
    return move;
  }
}
