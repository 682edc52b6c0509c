// The results of reading values: JSON and what is written like it.
import type { RescueRepair } from '../../../types';
import type { Span } from '../text/cut-text';

export interface ReadFailure {
  reason: 'truncated' | 'malformed' | 'too-deep' | 'non-literal-argument';
  at: number;
  /** Offset of the opening quote of a string that does not end. */
  from?: number | undefined;
  /** What was being read, as part of a sentence, such as: the string `content`. */
  inside: string;
  /** What could have followed at `at`, as part of a sentence, such as `` `,` or `}` ``; absent where nothing could. */
  expected?: string | undefined;
}

/**
 * What the value is, which tells where its arguments are. A missing bracket is supplied only outside of them, because inside it
 * could change what they say. `call`: a whole call, with the arguments under a known key. `arguments`: nothing but the arguments.
 * `keyed`: an object whose key is the name of the tool and whose value is the arguments.
 */
export type JsonRole = 'call' | 'arguments' | 'keyed';

export interface JsonReading {
  /** The value; after a failure, what was read before it. */
  value: unknown;
  /** Offset after the value, or where reading failed. */
  end: number;
  repairs: readonly RescueRepair[];
  /** Whether closing brackets were missing. */
  isPartial: boolean;
  failure?: ReadFailure | undefined;
  /** Names of arguments that were written more than once. Only the tolerant reader sets this. */
  repeated?: readonly string[] | undefined;
  /** Objects around the arguments with two values for the name or for the arguments. Only the tolerant reader sets this. */
  doubled?: ReadonlySet<object> | undefined;
  /** The offsets of each object and array. Only the tolerant reader sets this. */
  spans?: ReadonlyMap<object, Span> | undefined;
}

/** One value of a block. */
export interface BlockElement {
  start: number;
  end: number;
  /** Has a failure if the element could not be read but the list continues after it. */
  reading: JsonReading;
}

/** Adjacent values as calls are written: one object, a list of objects, or several in a row. */
export interface CallBlock {
  start: number;
  end: number;
  elements: BlockElement[];
  /** Repairs of the list around the elements. */
  repairs: readonly RescueRepair[];
  /** Whether the text ended before the list was closed. */
  isOpen: boolean;
  /** Set when the element after the last one could not be read: where it stops being JSON, and what was read of it. */
  failure?: (ReadFailure & { value: unknown }) | undefined;
}
