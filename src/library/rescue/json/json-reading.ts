// What a reader of JSON gives back.
import type { RescueRepair } from '../../../types';

export interface JsonFailure {
  reason: 'truncated' | 'malformed' | 'too-deep';
  at: number;
  /** What was being read, for a sentence: the string `content`. */
  inside: string;
}

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
