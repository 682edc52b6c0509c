// Handles backslashes: the escapes of languages other than JSON, text that was escaped as JSON once too often, and paths
// that were not escaped. Does not parse JSON.

/** The escapes of a language besides `\x41`, `\u00e9` and `\U0001F600`. */
export interface EscapeDialect {
  /** What the character after a backslash stands for. */
  signs: Readonly<Record<string, string>>;
  /** Whether up to three octal digits are a character, as in `\101`. */
  hasOctal: boolean;
}

const HEX_ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])/g;
const OCTAL_OR_HEX_ESCAPE = /\\(?:[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])/g;
const LAST_CODE_POINT = 0x10ffff;

/** Invalid escapes are kept as they are written. */
export const decodeEscapes = (body: string, { signs, hasOctal }: EscapeDialect): string =>
  body.replaceAll(hasOctal ? OCTAL_OR_HEX_ESCAPE : HEX_ESCAPE, (written) => {
    const sign = written.charAt(1);
    if (Object.hasOwn(signs, sign)) return signs[sign] ?? written;
    const isOctal = hasOctal && sign >= '0' && sign <= '7';
    const code = Number.parseInt(written.slice(isOctal ? 1 : 2), isOctal ? 8 : 16);
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : written;
  });

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The text without one layer of escapes; anything that is no escape is kept. */
export const unescapeOnce = (text: string): string =>
  text.replaceAll(/\\([\\"'/nrt])/g, (_, sign: string) => ESCAPES[sign] ?? sign);

/** Whether the text is a path with a drive, a colon and one backslash, so that all its backslashes are separators. */
export const isWindowsPath = (text: string): boolean => /^[A-Za-z]:\\(?!\\)/.test(text);
