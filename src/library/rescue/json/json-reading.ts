// What a reader of JSON gives back.
import type { RescueRepair } from '../../../types';

export interface JsonFailure {
  reason: 'truncated' | 'malformed' | 'too-deep';
  at: number;
  /** What was being read, for a sentence: the string `content`. */
  inside: string;
  /** What would have gone on at `at`, for a sentence: `` `,` or `}` ``. Absent where nothing would. */
  expected?: string | undefined;
}

/**
 * What the value is to the reader, for whom a bracket may be missing only outside the arguments of a call: `call` has
 * them under a key that says so, `arguments` is them, `keyed` has them under any key, as the key is the tool's name.
 */
export type JsonRole = 'call' | 'arguments' | 'keyed';

export interface Extent {
  start: number;
  end: number;
}

export interface JsonReading {
  /** After a failure, what was read until then. */
  value: unknown;
  /** After the value, or where the reading failed. */
  end: number;
  repairs: readonly RescueRepair[];
  /** Closing brackets were missing. */
  isPartial: boolean;
  failure?: JsonFailure | undefined;
  /** Where each object and array stands; the tolerant reader alone knows. */
  spans?: ReadonlyMap<object, Extent> | undefined;
}
