// Text that other people chose, such as a label, the name of a tool or the words of a server, fit for a dialog, a toast, a
// list and the log. Knows no vscode.

/**
 * Control characters, those that turn the direction of the text or have no width, blanks that are no blank, halves of a
 * pair.
 */
const HIDDEN = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** VS Code makes a link of `[text](command:…)` in its messages and an icon of `$(name)` in its lists. */
const MARKUP = /([\]$])\(/g;

/** @returns one line with every hidden character written out, such as `\u{202e}`, and nothing that VS Code draws otherwise. */
export const toVisible = (text: string): string =>
  text
    .replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replaceAll(MARKUP, '$1 (');

/** The same for a text whose lines count. */
export const toVisibleLines = (text: string): string => text.split('\n').map(toVisible).join('\n');

/** One line, cut to a length that fits a list. */
export const toLabel = (text: string, limit = 100): string => {
  const visible = toVisible(text.slice(0, limit));
  return text.length > limit ? `${visible}…` : visible;
};
