// What a reader of JSON gives back.
import type { RescueRepair } from '../../../types';

export interface JsonFailure {
  reason: 'truncated' | 'malformed' | 'too-deep';
  at: number;
  /** Where the string opens that does not end. */
  from?: number | undefined;
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
  /** Arguments that were written more than once; the tolerant reader alone knows. */
  repeated?: readonly string[] | undefined;
  /** Where each object and array stands; the tolerant reader alone knows. */
  spans?: ReadonlyMap<object, Extent> | undefined;
}

/** One value of a block. */
export interface BlockElement {
  start: number;
  end: number;
  /** Of an element of a list that could not be read, and after which the list goes on, with its failure. */
  reading: JsonReading;
}

/** Values side by side as calls are written: one object, a list of them, or several in a row. */
export interface CallBlock {
  start: number;
  end: number;
  elements: BlockElement[];
  /** Damage of the list around the elements. */
  repairs: readonly RescueRepair[];
  /** The text ended before the list was closed. */
  isOpen: boolean;
  /** Where the element after the last one stopped being JSON, with what was read of it. */
  failure?: (JsonFailure & { value: unknown }) | undefined;
}
