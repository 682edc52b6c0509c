import { describe, expect, it } from 'vitest';
import { Repetition } from '../../../../src/library/rescue/repetition';

/** Where the walk looks when each `<` leads nowhere. */
function visit(text: string, seenTo: (at: number) => number = (at) => at): number[] {
  const repetition = new Repetition(text);
  const places: number[] = [];
  for (let at = text.indexOf('<'); at !== -1;) {
    places.push(at);
    repetition.note(seenTo(at));
    at = text.indexOf('<', Math.max(at + 1, repetition.skipFrom(at)));
  }
  return places;
}

const count = (text: string): number => text.split('<').length - 1;

describe('Repetition', () => {
  it('leaves out nearly all of a loop, whatever its length', () => {
    for (const round of ['<a>', '<tool_call>{', `<a>${' '.repeat(900)}`]) {
      const text = round.repeat(Math.ceil(100_000 / round.length));
      expect(visit(text).length, round).toBeLessThan(count(text) / 5 + 100);
    }
  });

  it('looks at what comes before the loop ends, and after it', () => {
    const loop = '<tool_call>'.repeat(5000);
    const text = `${loop}{"name": "f"}<b>`;
    const places = visit(text);
    expect(places.at(-1)).toBe(text.length - 3);
    expect(places).toContain(loop.length - '<tool_call>'.length);
  });

  it('leaves nothing out of a text that only begins alike', () => {
    const text = Array.from({ length: 3000 }, (_, index) => `<a> is ${index}`).join(' ');
    expect(visit(text)).toHaveLength(count(text));
  });

  it('leaves nothing out where readers looked farther than a round', () => {
    const text = '<a>'.repeat(3000);
    expect(visit(text, () => text.length)).toHaveLength(count(text));
  });

  const ROUND = '<call>{"a":1,}\n';
  const LENGTH = ROUND.length - 1;
  const FIFTH = 50 * ROUND.length;

  /** The end of what is passed with the round that begins at `start`. */
  function skipFrom(text: string, start: number, seenTo = start + LENGTH): number {
    const repetition = new Repetition(text);
    repetition.note(seenTo, true);
    return repetition.skipRounds(start, start + LENGTH);
  }

  it('passes whole rounds of what was read over and over, and not the last ones', () => {
    const loop = ROUND.repeat(3000);
    const end = skipFrom(`${loop}<call>{"a":1,}</call>`, FIFTH);
    expect((end - LENGTH) % ROUND.length).toBe(0);
    expect(end).toBeGreaterThan(loop.length * 0.9);
    expect(end).toBeLessThan(loop.length - 400);
  });

  it.each([
    { name: 'at the start of a text, before which something may count', text: ROUND.repeat(3000), start: 0 },
    {
      name: 'where something else stood before it',
      text: `${ROUND.repeat(49)}${' '.repeat(ROUND.length)}${ROUND.repeat(3000)}`,
      start: FIFTH,
    },
    { name: 'where few follow', text: ROUND.repeat(60), start: FIFTH },
    {
      name: 'where those that follow differ',
      text: ROUND.repeat(51) + Array.from({ length: 3000 }, (_, at) => ROUND.replace('1', `${at}`)).join(''),
      start: FIFTH,
    },
  ])('passes no round $name', ({ text, start }) => {
    expect(skipFrom(text, start)).toBe(start + LENGTH);
  });

  it('passes no round of which a reader looked far ahead', () => {
    const text = ROUND.repeat(3000);
    expect(skipFrom(text, FIFTH, text.length)).toBe(FIFTH + LENGTH);
  });
});
