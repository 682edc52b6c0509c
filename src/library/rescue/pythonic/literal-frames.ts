// The brackets around the value that is being read, and the values that they become. Independent of the text.
import type { JsonRecord } from '../../util/json';
import { setOwn } from '../core/call-keys';

/** A set begins like a dictionary; the first comma or the end distinguishes them. */
export type BracketKind = 'list' | 'tuple' | 'dictionary' | 'set';

export interface LiteralFrame {
  kind: BracketKind;
  items: unknown[];
  record: JsonRecord;
  /** The key whose value is being read. */
  key: string;
  hasComma: boolean;
}

const KINDS: Readonly<Record<string, BracketKind>> = { '[': 'list', '(': 'tuple', '{': 'dictionary' };

export const BRACKET_CLOSERS: Readonly<Record<BracketKind, string>> = {
  list: ']',
  tuple: ')',
  dictionary: '}',
  set: '}',
};

export const findBracketKind = (character: string): BracketKind | undefined =>
  Object.hasOwn(KINDS, character) ? KINDS[character] : undefined;

export const createFrame = (kind: BracketKind): LiteralFrame => ({
  kind,
  items: [],
  record: {},
  key: '',
  hasComma: false,
});

/** Brackets around a single value only group it; a comma makes them a tuple. */
export function toFrameValue({ kind, items, record, hasComma }: LiteralFrame): unknown {
  if (kind === 'dictionary') return record;
  return kind === 'tuple' && !hasComma && items.length === 1 ? items[0] : items;
}

export function addToFrame({ kind, items, record, key }: LiteralFrame, value: unknown): void {
  if (kind === 'dictionary') setOwn(record, key, value);
  else items.push(value);
}
