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
});
