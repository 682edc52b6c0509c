// Recognises what a line of YAML is: a key, an entry of a list, or text with a comment after it.
import type { YamlLine } from './yaml-lines';
import { readQuoted } from './yaml-scalars';

export interface YamlKey {
  name: string;
  /** Offset of the value on the same line, after spaces and tabs; the end of the line when there is none. */
  valueStart: number;
}

const LONGEST_KEY = 256;
/** Characters with which no plain key begins. */
const INDICATORS = '[]{},#&*!|>@`"\'%?';

/** Whether the line is an entry of a list: `- item`. */
export const isEntry = (text: string, { start, end }: YamlLine): boolean =>
  text.charAt(start) === '-' && (start + 1 >= end || text.charAt(start + 1) === ' ');

/** The key in `key: value`, quoted or not; undefined when the line is something else. */
export function findKey(text: string, { start, end }: YamlLine): YamlKey | undefined {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return findQuotedKey(text, start, end);
  if (INDICATORS.includes(first)) return undefined;
  const limit = Math.min(end, start + LONGEST_KEY);
  for (let at = start + 1; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === '#' && text.charAt(at - 1) === ' ') return undefined;
    if (character === ':' && endsKey(text, at, end))
      return { name: text.slice(start, at).trim(), valueStart: skipBlanks(text, at + 1, end) };
  }
  return undefined;
}

function findQuotedKey(text: string, start: number, end: number): YamlKey | undefined {
  const quoted = readQuoted(text, start, Math.min(end, start + LONGEST_KEY));
  if (!quoted) return undefined;
  const colon = skipBlanks(text, quoted.end, end);
  if (text.charAt(colon) !== ':' || !endsKey(text, colon, end)) return undefined;
  return { name: quoted.value, valueStart: skipBlanks(text, colon + 1, end) };
}

const endsKey = (text: string, colon: number, end: number): boolean =>
  colon + 1 >= end || ' \t'.includes(text.charAt(colon + 1));

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && ' \t'.includes(text.charAt(at))) at += 1;
  return at;
}

/** The offset at which a comment begins on the line, or the end of the line. */
export function findPlainEnd(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1)
    if (text.charAt(at) === '#' && ' \t'.includes(text.charAt(at - 1))) return at;
  return end;
}
