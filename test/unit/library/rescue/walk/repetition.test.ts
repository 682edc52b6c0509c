import { describe, expect, it } from 'vitest';
import { Repetition } from '../../../../../src/library/rescue/walk/repetition';
import type { Round } from '../../../../../src/library/rescue/walk/repetition';

interface Walk {
  /** @default always the same */
  state?: (at: number) => string;
  /** How far ahead something ends; @default nothing does */
  ends?: (at: number) => readonly number[];
  /** @default always */
  isSame?: (one: Round, other: Round, next: Round) => boolean;
}

/** Walks from one `<` to the next and returns the offsets that were not skipped. */
function visit(
  text: string,
  { state = () => '', ends = () => [], isSame = () => true }: Walk = {},
): number[] {
  const repetition = new Repetition(text);
  const places: number[] = [];
  for (let at = text.indexOf('<'); at !== -1;) {
    const isBoundary = repetition.isBoundary(at);
    const round = { at, state: state(at), ends: ends(at) };
    const rest = isBoundary ? (repetition.find(round, isSame)?.rest ?? 0) : 0;
    places.push(at + rest);
    at = text.indexOf('<', at + rest + 1);
  }
  return places;
}

const count = (text: string): number => text.split('<').length - 1;

describe('Repetition', () => {
  const ALIKE = '<a> a round that begins in its middle as at its start: ';

  it.each(['<a>', '<tool_call>{', `<a>${' '.repeat(900)}`, '<a><b>\n<a>{', `${ALIKE}one ${ALIKE}two `])(
    'skips nearly all of a loop',
    (round) => {
      const text = round.repeat(Math.ceil(400_000 / round.length));
      expect(visit(text).length).toBeLessThan(count(text) / 3);
    },
  );

  it('visits the last repetition and what follows the loop', () => {
    const loop = '<tool_call>'.repeat(5000);
    const text = `${loop}{"name": "f"}<b>`;
    const places = visit(text);
    expect(places.at(-1)).toBe(text.length - 3);
    expect(places).toContain(loop.length - '<tool_call>'.length);
  });

  it('skips whole repetitions only', () => {
    const text = `<x><y>${'<a><bb><ccc>'.repeat(5000)}`;
    const names = visit(text).map((at) => text.charAt(at + 1));
    expect(names.length).toBeLessThan(1000);
    expect(names.join('')).toMatch(/^xy(?:abc)*$/);
  });

  it.each([
    { name: 'a loop that is short', text: '<tool_call>'.repeat(700) },
    {
      name: 'a text that only begins alike',
      text: Array.from({ length: 3000 }, (_, index) => `<a> is ${index}`).join(' '),
    },
    { name: 'rounds that are longer than a loop has', text: `<a>${'x'.repeat(9000)}`.repeat(60) },
  ])('skips nothing in $name', ({ text }) => {
    expect(visit(text)).toHaveLength(count(text));
  });

  const LOOP = '<tool_call>'.repeat(5000);

  it('skips nothing when the findings or the state differ', () => {
    expect(visit(LOOP, { isSame: () => false })).toHaveLength(5000);
    expect(visit(LOOP, { state: (at) => `${at}` })).toHaveLength(5000);
  });

  it('compares every other repetition when the state differs in between', () => {
    expect(visit(LOOP, { state: (at) => (at % 22 === 0 ? '' : `${at}`) }).length).toBeLessThan(1000);
  });

  it('does not skip beyond a fixed place where a region ends', () => {
    const passed = visit(LOOP, { ends: (at) => [20_000 - at] });
    const [jump = 0] = passed.filter((at, index) => at - (passed[index - 1] ?? at) > 1000);
    expect(jump).toBeGreaterThan(19_900);
    expect(jump).toBeLessThanOrEqual(20_000);
  });
});
