// Handles backslashes: in text that was escaped as JSON once too often, and in paths that were not escaped. Does not parse
// JSON.

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The text without one layer of escapes; anything that is no escape is kept. */
export const unescapeOnce = (text: string): string =>
  text.replaceAll(/\\([\\"'/nrt])/g, (_, sign: string) => ESCAPES[sign] ?? sign);

/** Whether the text is a path with a drive, a colon and one backslash, so that all its backslashes are separators. */
export const isWindowsPath = (text: string): boolean => /^[A-Za-z]:\\(?!\\)/.test(text);
