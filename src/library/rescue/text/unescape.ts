// Backslashes: text that went through a writer of JSON once too often, and paths that did not. Knows no JSON.

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The text without one layer of escapes; what is no escape stays as it is. */
export const unescapeOnce = (text: string): string =>
  text.replaceAll(/\\([\\"'/nrt])/g, (_, sign: string) => ESCAPES[sign] ?? sign);

/** A drive, a colon and one backslash: all backslashes are the path's own. */
export const isWindowsPath = (text: string): boolean => /^[A-Za-z]:\\(?!\\)/.test(text);
