// How a dialect spells its tags, as data for the readers of pairs. It reads tags, never values.
import type { TextSource } from '../rescue-context';
import { findNameEnd, readTagRest } from './tag';
import type { Tag, TagRole } from './tag';

export interface PairSpelling {
  /** What every tag begins with. */
  lead: string;
  /** Stands in every closing tag, if anything does. */
  slash?: string | undefined;
  /** The tag that begins at `at`; null when none does. */
  readTag(source: TextSource, at: number): Tag | null;
  /** Whether a tag that the end of the text cut can only have been a closing one. */
  isCloserCut(rest: string): boolean;
  /** What stands in every tag beside its name. */
  marks?: readonly string[] | undefined;
  /** The tag that closes `opener`, as it is written. @default in angle brackets */
  toCloser?(opener: Tag): string;
  /**
   * Line breaks of the markup: `each` for formats that put every value on lines of its own; `both` where a value that
   * has one on both sides was put there by habit, and one on one side alone is the value's.
   */
  breaks: 'each' | 'both';
  /** A value may stand in `<![CDATA[…]]>`. */
  hasCdata?: boolean | undefined;
  /** Parameters are elements of their own name; elsewhere that is damage. */
  hasOwnNames?: boolean | undefined;
  /** Every tag of a dialect carries the same prefix or suffix. */
  hasAffixes?: boolean | undefined;
  /** A parameter's tag says whether its value is text or JSON. */
  hasTypedTags?: boolean | undefined;
  /** The tool's name stands after the tag that opens the call. */
  hasNamesInText?: boolean | undefined;
  /** In a wrapper, a name without its tag opens a call. */
  hasBrokenHeads?: boolean | undefined;
  /** What a call's element holds may be the JSON of a whole call. */
  hasJsonBodies?: boolean | undefined;
}

export interface AngleOptions {
  /** Before the `<` of every tag. */
  prefix?: string;
  roles: Readonly<Record<string, TagRole>>;
  /** The parts of a name as written; null when it cannot be of this dialect. */
  locate(fullName: string): { space: string; name: string } | null;
}

/** `ns:name` */
export function locateByNamespace(fullName: string): { space: string; name: string } | null {
  if (fullName.includes('|')) return null;
  const colon = fullName.lastIndexOf(':');
  return { space: fullName.slice(0, Math.max(0, colon)).toLowerCase(), name: fullName.slice(colon + 1) };
}

/** Tags in angle brackets; those that the dialect does not know only in their plainest form. */
export function readAngleTag(source: TextSource, at: number, options: AngleOptions): Tag | null {
  const { text } = source;
  const { prefix = '' } = options;
  const bracket = at + prefix.length;
  if (text.charCodeAt(bracket) !== 60 || !text.startsWith(prefix, at)) return null;
  const isCloser = text.charCodeAt(bracket + 1) === 47;
  const from = bracket + (isCloser ? 2 : 1);
  const nameEnd = findNameEnd(text, from);
  if (nameEnd === from) return null;
  const located = options.locate(text.slice(from, nameEnd));
  if (!located) return null;
  const folded = located.name.toLowerCase();
  const role = Object.hasOwn(options.roles, folded) ? options.roles[folded] : undefined;
  const isPlain = text.startsWith('>', nameEnd) || text.startsWith('/>', nameEnd);
  const rest = role !== undefined || isPlain ? readTagRest(source, nameEnd, '>') : null;
  if (!rest) return null;
  const { space, name } = located;
  const { end, isEmpty, label, style, attributes, damage } = rest;
  return { start: at, end, isCloser, isEmpty, space, name, role, label, style, attributes, damage };
}

export const isAngleCloserCut = (rest: string): boolean => rest.startsWith('</');

const ELEMENT_ROLES: Readonly<Record<string, TagRole>> = {
  tool_call: 'wrapper',
  tool_calls: 'wrapper',
  function_calls: 'wrapper',
  dots_function_call: 'wrapper',
  functions: 'wrapper',
  toolcall: 'wrapper',
  function: 'call',
  invoke: 'call',
  tool_name: 'call-name',
  parameters: 'group',
  params: 'group',
  parameter: 'parameter',
  param: 'parameter',
};

export const ELEMENTS: AngleOptions = { roles: ELEMENT_ROLES, locate: locateByNamespace };

/** `<function=…>` with its parameters, whatever is around it. */
export const FUNCTION_SPELLING: PairSpelling = {
  lead: '<',
  slash: '</',
  readTag: (source, at) => readAngleTag(source, at, ELEMENTS),
  isCloserCut: isAngleCloserCut,
  breaks: 'each',
  hasBrokenHeads: true,
};

/** `<invoke name="…">`: the same tags, whose values begin where the tag ends. */
export const INVOKE_SPELLING: PairSpelling = {
  ...FUNCTION_SPELLING,
  breaks: 'both',
};
