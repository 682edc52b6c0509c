// How a dialect spells its tags, as data for the readers of pairs. Reads tags, but never values.
import type { TextSource } from '../core/rescue-context';
import type { Tag } from './tag';

export interface PairSpelling {
  /** The text with which every tag begins. */
  lead: string;
  /** The text in every closing tag that distinguishes it from an opening one, if there is such a text. */
  slash?: string | undefined;
  /** Reads the tag that begins at `at`; null when there is none. */
  readTag(source: TextSource, at: number): Tag | null;
  /** Whether a tag that is cut off by the end of the text can only have been a closing one. */
  isCloserCut(rest: string): boolean;
  /** The same of an opening one, for tags that have brackets inside them. */
  isOpenerCut?(rest: string): boolean;
  /** The first and the last character of a tag. @default '<>' */
  brackets?: string | undefined;
  /** Texts that every tag has besides its name. */
  marks?: readonly string[] | undefined;
  /** Names of the tags that open calls, by which damaged ones are recognised. */
  callNames?: readonly string[] | undefined;
  /** What another dialect writes before a tool's name, and models sometimes write in this one. */
  foreignHead?: string | undefined;
  /** The closing tag of `opener` as it is written. @default in angle brackets */
  toCloser?(opener: Tag): string;
  /**
   * How line breaks around values are treated. `each`: the format puts every value on lines of its own, so one is removed on
   * each side. `both`: only a line break on both sides was written by habit and is removed; one on a single side belongs to
   * the value.
   */
  breaks: 'each' | 'both';
  /** Whether a value may be in `<![CDATA[…]]>`. */
  hasCdata?: boolean | undefined;
  /** Whether parameters are elements of their own name; elsewhere that is damage. */
  hasOwnNames?: boolean | undefined;
  /** Whether every tag of a dialect has the same prefix or suffix. */
  hasAffixes?: boolean | undefined;
  /** Whether a parameter's tag says if its value is text or JSON. */
  hasTypedTags?: boolean | undefined;
  /** Whether the tool's name follows the tag that opens the call. */
  hasNamesInText?: boolean | undefined;
  /** Whether a name without its tag opens a call inside a wrapper. */
  hasBrokenHeads?: boolean | undefined;
  /** Whether the element of a call may contain the JSON of a whole call. */
  hasJsonBodies?: boolean | undefined;
}

/** The two bracket characters. */
export const bracketsOf = ({ brackets = '<>' }: PairSpelling): [open: string, close: string] => [
  brackets.charAt(0),
  brackets.charAt(1),
];

/** The closing tag of an opening one, as it would be written. */
export function toClosingTag(text: string, spelling: PairSpelling, tag: Tag): string {
  if (spelling.toCloser) return spelling.toCloser(tag);
  const [, close] = bracketsOf(spelling);
  const head = text.slice(tag.start, findBracket(text, spelling, tag) + 1);
  return `${head}/${toWrittenName(text, spelling, tag)}${close}`;
}

/** The name with everything that is added to it, such as a namespace or bars. */
export function toWrittenName(text: string, spelling: PairSpelling, tag: Tag): string {
  const written = text.slice(findBracket(text, spelling, tag) + 1, tag.end);
  const end = written.search(/[\s=>]/);
  const name = end === -1 ? written : written.slice(0, end);
  const [, close] = bracketsOf(spelling);
  return name.endsWith(close) ? name.slice(0, -close.length) : name;
}

/** The opening bracket of the tag itself; the lead of all tags may have one too. */
function findBracket(text: string, spelling: PairSpelling, { start }: Tag): number {
  const [open] = bracketsOf(spelling);
  return text.indexOf(open, spelling.lead.startsWith(open) ? start : start + spelling.lead.length);
}
