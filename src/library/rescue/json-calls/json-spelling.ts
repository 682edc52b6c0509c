// How a dialect writes whole calls in JSON between its own tokens, as data for the reader.
import type { CallShape } from './read-calls';
import type { ReadCall, RejectionReading } from '../core/rescue-format';
import type { RescueContext } from '../core/rescue-context';

export interface JsonSpelling {
  /** Tokens between the opener and the JSON, in this order. */
  tokens?: readonly string[] | undefined;
  /** Tokens after the JSON: the usual closer, then equivalent ones. Empty for a form that has only an opener. */
  closers: readonly string[];
  /** Whether a code fence around the JSON is usual in this form; elsewhere it is damage. */
  isFenced?: boolean | undefined;
  /** Where the calls are in the JSON. @default the shapes that models and servers give a call */
  shape?: CallShape | undefined;
  /** Kinds of damage that are usual in this form, such as the quotes of Python; these are not reported. */
  usual?: readonly string[] | undefined;
  /** Reads what the form writes between the JSON and its closer; undefined when that is missing. */
  readRest?:
    ((context: RescueContext, from: number, calls: readonly ReadCall[]) => JsonRest | undefined) | undefined;
}

export interface JsonRest {
  /** The calls, completed with what was read. */
  calls: readonly ReadCall[];
  end: number;
  failure?: RejectionReading | undefined;
}
