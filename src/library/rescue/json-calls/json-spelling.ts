// How a dialect writes whole calls in JSON between its own tokens, as data for the reader.
import type { CallShape } from './read-calls';
import type { ReadCall, RejectionReading } from '../core/rescue-format';
import type { RescueContext } from '../core/rescue-context';

export interface JsonSpelling {
  /** After the opener and before the JSON, in this order. */
  tokens?: readonly string[] | undefined;
  /** After the JSON: the usual closer, then others that are as good. Empty for a form that only opens. */
  closers: readonly string[];
  /** A code fence around the JSON is the form's own way; elsewhere it is damage. */
  isFenced?: boolean | undefined;
  /** Where the calls are in the JSON. @default the shapes that models and servers give a call */
  shape?: CallShape | undefined;
  /** Kinds of damage that are the usual way to write here: quotes of Python. */
  usual?: readonly string[] | undefined;
  /** Reads what the form writes between the JSON and its closer; undefined when that is not there. */
  readRest?:
    ((context: RescueContext, from: number, calls: readonly ReadCall[]) => JsonRest | undefined) | undefined;
}

export interface JsonRest {
  /** The calls with what was read. */
  calls: readonly ReadCall[];
  end: number;
  failure?: RejectionReading | undefined;
}
