// JSON for a terminal. Models and servers wrote parts of it, and JSON itself escapes no more than the first control characters.

/** Those that a terminal obeys or that turn the direction of the text; all stand inside strings only. */
const HIDDEN = /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** The same JSON, with hidden characters spelled as `\u202e`. */
export const escapeHidden = (json: string): string =>
  json.replaceAll(
    HIDDEN,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

export const toJsonText = (value: unknown): string =>
  `${escapeHidden(JSON.stringify(value, undefined, 2))}\n`;
