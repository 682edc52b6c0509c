// Finds characters of a text that are invisible or change how the text around them reads. Pure; draws nothing.

export interface TextMark {
  character: string;
  /** Such as `U+202E`. */
  code: string;
  /** Such as `right-to-left override`. */
  name: string;
}

/**
 * Controls except line feed and tab, bidirectional controls, characters without width or shape such as the Hangul
 * fillers, variation selectors, tags, lone surrogates.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028-\u202E\uFFF9-\uFFFB]/gu;

/** Scripts whose spelling needs joiners: Arabic and related scripts, and those of India and its neighbours. */
const JOINING_SCRIPTS =
  'Arabic Syriac Mandaic Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Tibetan Myanmar Khmer'
    .split(' ')
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('');
const JOINED_LETTER = `(?=[\\p{L}\\p{M}])[${JOINING_SCRIPTS}]`;
const PICTURE = '\\p{Extended_Pictographic}';
const VISIBLE = '[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}]';
/** Offset from an ASCII character to its tag character. */
const TAGS = 0xe0000;
/** England, Scotland and Wales, the only flags spelled with tags. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) => `${toTags(region)}\\u{E007F}`).join('|');

/** Hidden characters in their legitimate context, where they only do what they are meant for. */
const AT_HOME = new RegExp(
  [
    '\\r(?=\\n)',
    `(?<=${PICTURE}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=${PICTURE})`,
    `(?<=${JOINED_LETTER})[\\u200C\\u200D](?=${JOINED_LETTER})`,
    `(?<=${VISIBLE})\\p{Variation_Selector}`,
    `(?<=\\u{1F3F4})(?:${FLAGS})`,
  ].join('|'),
  'uy',
);

/**
 * Splits the text from `start` to `end` into plain text and marks. Text outside that range counts as context, as a
 * joiner at its edge may join. Takes time in proportion to the range.
 */
export function markText(text: string, start = 0, end = text.length): (string | TextMark)[] {
  const piece = text.slice(start, end);
  if (piece.search(HIDDEN) < 0) return [piece];
  const parts: (string | TextMark)[] = [];
  let done = 0;
  let homeEnd = 0;
  for (const { 0: character, index } of piece.matchAll(HIDDEN)) {
    if (index < homeEnd) continue;
    AT_HOME.lastIndex = start + index;
    if (AT_HOME.test(text)) {
      homeEnd = AT_HOME.lastIndex - start;
      continue;
    }
    if (done < index) parts.push(piece.slice(done, index));
    parts.push(toMark(character));
    done = index + character.length;
  }
  if (done < piece.length) parts.push(piece.slice(done));
  return parts;
}

/** The end of a text whose characters may or may not become marks, depending on what follows. */
const UNDECIDED = /(?:\r|[\u200C\u200D]|(?<=\u{1F3F4})[\u{E0061}-\u{E007A}]{1,5})?[\uD800-\uDBFF]?$/u;
/** In UTF-16 code units: a flag with five tags and half of another one. */
const MAX_UNDECIDED = 13;

/** How far an unfinished text can already be marked: the meaning of its last characters may depend on the next ones. */
export function decidedEnd(text: string): number {
  const start = Math.max(0, text.length - MAX_UNDECIDED);
  return start + text.slice(start).search(UNDECIDED);
}

/** For places that hold only plain text, such as a tooltip: writes each mark as `[U+202E]`. */
export function spellMarks(text: string): string {
  return spellParts(markText(text));
}

export function spellParts(parts: readonly (string | TextMark)[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : `[${part.code}]`)).join('');
}

/** Keys are code points in hexadecimal, without leading zeros. */
const NAMES: Readonly<Record<string, string>> = {
  '0': 'null',
  '7': 'bell',
  '8': 'backspace',
  B: 'line tabulation',
  C: 'form feed',
  D: 'carriage return',
  '1B': 'escape',
  '7F': 'delete',
  '85': 'next line',
  AD: 'soft hyphen',
  '61C': 'Arabic letter mark',
  '180E': 'Mongolian vowel separator',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '2028': 'line separator',
  '2029': 'paragraph separator',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  FEFF: 'zero width no-break space',
  E0001: 'language tag',
  E007F: 'cancel tag',
};

/** Names for characters without one of their own, by the last code point of each range. */
const RANGES: readonly [last: number, name: string][] = [
  [0x9f, 'control character'],
  [0x17b5, 'invisible character'],
  [0x180f, 'variation selector'],
  [0x3164, 'invisible character'],
  [0xdbff, 'first half of a surrogate pair'],
  [0xdfff, 'second half of a surrogate pair'],
  [0xfe0f, 'variation selector'],
  [0x1d17a, 'invisible character'],
  [0xe007f, 'tag'],
];

function toMark(character: string): TextMark {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16).toUpperCase();
  return { character, code: `U+${hex.padStart(4, '0')}`, name: NAMES[hex] ?? nameByRange(point) };
}

function nameByRange(point: number): string {
  // Each tag stands for an ASCII character, so a whole text can be hidden in them.
  if (point > 0xe0020 && point < 0xe007f) return `tag ${String.fromCharCode(point - TAGS)}`;
  return RANGES.find(([last]) => point <= last)?.[1] ?? 'variation selector';
}

function toTags(ascii: string): string {
  return Array.from(ascii, (character) => String.fromCodePoint(TAGS + character.charCodeAt(0))).join('');
}
