// How a dialect writes a tool's name followed by the arguments in JSON, between its own tokens, as data for the reader:
// `open NAME separators {…} closers`, possibly several times in one wrapper.
import type { RescueContext } from '../core/rescue-context';
import type { Token, TokenMatcher } from './token';

export interface NameReading {
  name: string;
  end: number;
  /** The id that is written together with the name. */
  id?: string | undefined;
}

export interface NamedSpelling {
  /** Tokens around all calls of an emission. */
  wrapper?: { open: Token; close: Token } | undefined;
  /** Tokens before the name, in this order. */
  open: readonly Token[];
  /** Tokens between the name and the arguments, in this order. */
  separators: readonly Token[];
  /** Tokens after the arguments, in this order; empty where a call ends only where something else begins. */
  closers: readonly Token[];
  /** Whether a code fence around the arguments is usual in this form; elsewhere it is damage. */
  isFenced?: boolean | undefined;
  /** Matches what another format writes in place of the arguments; a call with it belongs to that format. */
  foreignBody?: RegExp | undefined;
  /** Reads the name of a tool; null when there is none. @default a word without brackets and quotes */
  readName?: ((context: RescueContext, at: number) => NameReading | null) | undefined;
  /** @default compares with the token as it is written, without regard to ASCII case */
  matchToken?: TokenMatcher;
}
