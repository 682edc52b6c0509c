// Arbitrary texts of any characters. fast-check's own arbitrary for all of Unicode takes a second or two to build.
import { fc } from './properties';

const WELL_KNOWN = [
  '\0',
  '\n',
  '\r',
  '"',
  '\\',
  '/',
  ' ',
  'é',
  'ß',
  '€',
  '漢',
  '😀',
  '\u200d',
  '\u0301',
  '\u2028',
  '\ufeff',
];
const codePoint = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** One character; never a lone surrogate. */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(codePoint, fc.constantFrom(...WELL_KNOWN));

export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: anyCharacter, ...lengths });
