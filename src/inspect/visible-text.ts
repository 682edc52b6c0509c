// Makes text from others, such as labels, tool names or server messages, safe for dialogs, notifications, pick
// lists and the log. Independent of vscode.

/** Characters without a width that an emoji, or the spelling of Persian and its relatives, is made with. */
const JOINERS = [
  String.raw`(?<=\p{ExtPict})\uFE0F`,
  String.raw`(?<=[\p{ExtPict}\p{EMod}]\uFE0F?)\u200D(?=\p{ExtPict})`,
  String.raw`(?<=\p{sc=Arab})\u200C(?=\p{sc=Arab})`,
].join('|');

/**
 * Control characters, characters that change the text direction or have no width, blanks other than the space,
 * lone surrogates. Not a literal: V8 looks up the properties in a literal when the extension is loaded, which takes a
 * millisecond.
 */
const HIDDEN = String.raw`(?! |${JOINERS})[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;

let hidden: RegExp | undefined;

/** Has no hidden characters. */
const PLAIN = /^[ -~]*$/;

/**
 * VS Code turns `[text](command:…)` into a link in its messages and `$(name)` into an icon in its lists. The log of GitHub Actions
 * carries out `##[command]` wherever it stands in a line: https://github.com/actions/runner, ActionCommand.cs.
 */
const MARKUP = /([\]$])(?=\()|(##)(?=\[)/g;

/**
 * @returns one line in which hidden characters are written as `\u{202e}` and nothing is interpreted as markup by
 *   VS Code, or as a command by a CI.
 */
export const toVisible = (text: string): string => spellHidden(text).replaceAll(MARKUP, '$1$2 ');

function spellHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  hidden ??= new RegExp(HIDDEN, 'gu');
  return text.replaceAll(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The same for a text with several lines. */
export const toVisibleLines = (text: string): string => text.split('\n').map(toVisible).join('\n');

/**
 * The same for a terminal, which has no markup: only hidden characters are changed, so that nothing moves the cursor; line breaks
 * and tabs stay.
 */
export const toPrintable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : spellHidden(part)))
    .join('');

/** One line, truncated to fit a list; a joiner or half of a surrogate pair at its end would be spelled out. */
export const toLabel = (text: string, limit = 100): string =>
  text.length > limit
    ? `${toVisible(text.slice(0, limit).replace(/\u200D?[\uD800-\uDBFF]?$/, ''))}…`
    : toVisible(text);
