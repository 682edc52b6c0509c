import { describe, expect, it } from 'vitest';
import { shorten } from '../../../../../src/library/rescue/text/loops';
import type { ShortText } from '../../../../../src/library/rescue/text/loops';

/** The whole text, by what its loops tell. */
const lengthen = ({ text, loops }: ShortText): string =>
  loops.reduceRight((short, { end, unit, removed }) => {
    const round = short.slice(end - unit, end);
    return short.slice(0, end) + round.repeat(removed / unit) + short.slice(end);
  }, text);

const ALIKE = '<a> a round that begins in its middle as at its start: ';
const ROUNDS = ['<a>', '<tool_call>{', `<a>${' '.repeat(900)}`, '<a><b>\n<a>{', `${ALIKE}one ${ALIKE}two `];

/** More than the longest round, without a loop in it. */
const WORDS = Array.from({ length: 2000 }, (_, index) => `word ${index} `).join('');

describe('shorten', () => {
  it.each(ROUNDS)('leaves out most of a loop, in whole rounds', (round) => {
    const text = `Sure.\n${round.repeat(Math.ceil(400_000 / round.length))}\nThe end.`;
    const short = shorten(text);
    expect(short.text.length).toBeLessThan(100_000);
    expect(short.text).toMatch(/^Sure\.\n<a>|^Sure\.\n<tool/);
    expect(short.text.endsWith(`${round}\nThe end.`)).toBe(true);
    expect(short.loops.map(({ unit }) => unit % round.length)).toEqual([0]);
    expect(lengthen(short)).toBe(text);
  });

  it('leaves out most of each of several loops', () => {
    const text = ROUNDS.map((round) => round.repeat(Math.ceil(200_000 / round.length))).join(' and ');
    const short = shorten(text);
    expect(short.loops).toHaveLength(ROUNDS.length);
    expect(short.text.length).toBeLessThan(text.length / 2);
    expect(lengthen(short)).toBe(text);
  });

  it.each([
    { name: 'a loop that is short', text: '<tool_call>'.repeat(900) },
    {
      name: 'a text that only begins alike',
      text: Array.from({ length: 3000 }, (_, index) => `<a> is ${index}`).join(' '),
    },
    { name: 'rounds that are longer than a loop has', text: `<a>${WORDS}`.repeat(60) },
    { name: 'an empty text', text: '' },
  ])('leaves $name as it is', ({ text }) => {
    expect(shorten(text)).toEqual({ text, loops: [] });
  });
});
