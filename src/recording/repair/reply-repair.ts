// What the repair of one reply is, whether it is a stream or one document.
import type { RepairedCall } from '../../types';

export interface ReplyRepair {
  /** Empty while nothing was changed. */
  readonly changed: readonly RepairedCall[];
  /** Whether it gave up at the limit of what may be held back. */
  readonly isTooLong: boolean;
  /** Whether something that arrived is held back. */
  readonly isHolding: boolean;
  /** @returns what goes to the program now, perhaps nothing */
  push: (chunk: Buffer) => Buffer;
  /** @returns the end of the reply */
  end: () => Buffer;
}

/** In bytes. More is not held back: the rest of the reply is then passed on as it is. */
export const MAX_HELD_BYTES = 8 * 1024 * 1024;
