// Where forms without a marker may begin, as patterns that a search over the whole text can skip the rest with. They
// follow the first character; all of them are bounded, hold in more places than calls begin at, and name no format.

/** Characters of tools' names, as the readers take them. */
const NAME = String.raw`[\w\-./:\u00c0-\uffff]`;
const LINE_START = String.raw`(?:^|[\n>]) {0,3}`;
/** White space, and then one of these; where it is long nothing is said. */
const beforeOneOf = (characters: string): string => String.raw`(?:\s{0,8}[${characters}]|\s{9})`;
const KEY = String.raw`[A-Za-z_$\u00c0-\uffff][\w$\-\u00c0-\uffff]{0,127}${beforeOneOf(':')}`;
const OBJECT = String.raw`(?:\s{0,8}(?:["'“”‘/]|$|${KEY})|\s{9})`;

/** After `{` or `[`: an object with a key, or a list with an object or a string. */
export const BLOCK_ANCHOR = String.raw`(?<=\{)${OBJECT}|(?<=\[)${beforeOneOf('"{')}`;

/** At the bracket of `name{`, the name beginning its line; a few blanks and line breaks may stand between them. */
export const LINE_NAME_ANCHOR = String.raw`(?<=${LINE_START}${NAME}{1,128}\s{0,4}\{)`;

/** At the bracket of `name(`. */
export const CALL_ANCHOR = String.raw`(?<=${NAME}\()`;

/** At the bracket of `call:name{` or `call:name(`. */
export const LABELED_CALL_ANCHOR = String.raw`(?<=call: {0,3}${NAME}{1,128} {0,3}[{(])`;

/** After the bracket of a list of Python calls. */
export const LIST_ANCHOR = String.raw`(?:\s{0,8}${NAME}{1,128}[ (]|\s{9})`;

/** The same where the list begins its line. */
export const LINE_LIST_ANCHOR = String.raw`(?<=${LINE_START}\[)${LIST_ANCHOR}`;

/** After a bracket with a name in it and an object behind it. */
export const BRACKET_NAME_ANCHOR = String.raw`[^[\]\n]{1,128}\]${beforeOneOf('{')}`;

/** After the bracket of an element that has nothing but a name. */
export const ELEMENT_ANCHOR = String.raw`[\w:.|\-\u00c0-\uffff]{1,80}[>\s/]`;

/** At the colon of `Action:`, decorated or numbered. */
export const ACTION_ANCHOR =
  String.raw`(?<=action(?: ?#?\d{1,3})?[*_"'` + '`' + String.raw`]{0,3}[ \t]{0,2}[:：])`;
