// Text that other people chose, such as the name of a file, fit for a dialog and the log. Knows no vscode.

/** Control characters, those that turn the direction of the text, blanks that are no blank, and halves of a pair. */
const HIDDEN = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/gu;

/** @returns the text with every hidden character written out, such as `\u{202e}`. */
export const toVisible = (text: string): string =>
  text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** The same, cut to a length that fits a list. */
export const toLabel = (text: string, limit = 100): string => {
  const visible = toVisible(text.slice(0, limit));
  return text.length > limit ? `${visible}…` : visible;
};
