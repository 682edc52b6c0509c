// Positions in the text of a reply. Pure.
import type { RescueRepair } from '../../src/types';
import { toCharacterStart, toOneLine } from './format';
import type { TextPoint } from './text-segments';
import { characterAt } from './text-segments';

/** Maximum number of places tried for the first words of a reasoning block. */
const MAX_TRIES = 50;

/**
 * Positions of the blocks of closed reasoning, without their tags. The report holds only their text, the blocks
 * separated by an empty line. Returns none if one of them is not found between two tags.
 */
export function findReasoning(text: string, reasoning: string): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  for (const paragraph of reasoning === '' ? [] : reasoning.split('\n\n')) {
    const last = blocks.at(-1);
    if (last && text.startsWith(`\n\n${paragraph}`, last.end)) {
      last.end += paragraph.length + 2;
      continue;
    }
    const start = findBlock(text, paragraph, last?.end ?? 0);
    if (start < 0) return [];
    blocks.push({ start, end: start + paragraph.length });
  }
  return blocks.every(({ end }) => isBeforeTag(text, end)) ? blocks : [];
}

function findBlock(text: string, words: string, from: number): number {
  let at = text.indexOf(words, from);
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries++) {
    if (isAfterTag(text, at)) return at;
    at = text.indexOf(words, at + 1);
  }
  return -1;
}

/** True after a tag, or at the beginning: the opening tag may have been part of the prompt. */
const isAfterTag = (text: string, at: number): boolean =>
  /(?:^|[>\]]|<\|channel>thought)$/.test(text.slice(0, at).trimEnd().slice(-20));

const isBeforeTag = (text: string, at: number): boolean => /^[<[]/.test(text.slice(at).trimStart());

const REMOVED: ReadonlySet<string> = new Set(['trailing-comma', 'extra-opener', 'extra-closer']);

export function toPoint({ kind, at }: RescueRepair): TextPoint {
  if (kind.startsWith('missing-')) return { at, shape: 'inserted' };
  return { at, shape: REMOVED.has(kind) ? 'removed' : 'changed' };
}

const QUOTED_AROUND = 10;

/** The damaged character, or '' where one is missing, with a few characters around it from the same line. They are from the call, unless the place is behind it. */
export function quoteAt(
  text: string,
  { at, shape }: TextPoint,
  call: { start: number; end: number },
): { before: string; bit: string; after: string } {
  const bit = shape === 'inserted' ? '' : characterAt(text, at);
  const from = Math.max(call.start, toCharacterStart(text, at - QUOTED_AROUND));
  const end = at < call.end ? call.end : text.length;
  const to = Math.min(end, toCharacterStart(text, at + bit.length + QUOTED_AROUND));
  return {
    before:
      text
        .slice(from, Math.max(from, at))
        .split(/[\r\n]+/)
        .at(-1) ?? '',
    bit: toOneLine(bit),
    after: text.slice(at + bit.length, Math.max(at + bit.length, to)).split(/[\r\n]/, 1)[0] ?? '',
  };
}
