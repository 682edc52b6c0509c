// How a dialect spells its tags, as data for the readers of pairs. Reads tags, but never values.
import type { TextSource } from '../../core/rescue-context';
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
  /** Names of the tags that open calls, by which damaged ones are recognised, even one of which only the tool's name is left. */
  callNames?: readonly string[] | undefined;
  /** Name of the tags that open parameters, by which one with a typo is recognised. */
  parameterName?: string | undefined;
  /** Name of the tags around keys, if keys and values have tags of their own. */
  keyName?: string | undefined;
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
  /** Whether the element of a call may contain the JSON of a whole call. */
  hasJsonBodies?: boolean | undefined;
  /** Whether a wrapper belongs to these formats alone, so that JSON in it is damage and not a call of another format. */
  isOwnWrapper?(wrapper: Tag): boolean;
}
