// How a dialect writes a tool's name, and after it the arguments in JSON, between its own tokens, as data for the
// reader: `open NAME separators {…} closers`, all of that perhaps several times in one wrapper.
import type { RescueContext } from '../core/rescue-context';
import type { Token, TokenMatcher } from './token';

export interface NameReading {
  name: string;
  end: number;
  /** Written with the name. */
  id?: string | undefined;
}

export interface NamedSpelling {
  /** Around all calls of an emission. */
  wrapper?: { open: Token; close: Token } | undefined;
  /** Before the name, in this order. */
  open: readonly Token[];
  /** Between the name and the arguments, in this order. */
  separators: readonly Token[];
  /** After the arguments, in this order; none where only the next thing ends a call. */
  closers: readonly Token[];
  /** A code fence around the arguments is the form's own way; elsewhere it is damage. */
  isFenced?: boolean | undefined;
  /** What another format writes where arguments are due; a call with it is that format's. */
  foreignBody?: RegExp | undefined;
  /** Where a tool's name is; null when none stands there. @default a word without brackets and quotes */
  readName?: ((context: RescueContext, at: number) => NameReading | null) | undefined;
  /** @default the token as it is written */
  matchToken?: TokenMatcher;
}
