import { describe, expect, test } from 'vitest';
import { CutTexts, LostTextError } from '../../../../src/host/runs/cut-texts';

const LIMIT = 100_000;
const long = (end: string): string => 'a'.repeat(LIMIT + 20) + end;
const said = (content: string) => ({ role: 'assistant' as const, content });

describe('CutTexts', () => {
  test('a short text is left alone', () => {
    expect(new CutTexts().cut('short', LIMIT)).toBe('short');
  });

  test('a long one is cut with a word that says how much is missing, and comes back whole', () => {
    const texts = new CutTexts();
    const short = texts.cut(long('end'), LIMIT);
    expect(short).toBe(`${'a'.repeat(LIMIT)}… (23 more characters are not shown)`);
    expect(texts.restore([said(short)])).toEqual([said(long('end'))]);
  });

  test('two texts that begin alike and are equally long both come back', () => {
    const texts = new CutTexts();
    const [one, other] = [texts.cut(long('one'), LIMIT), texts.cut(long('two'), LIMIT)];
    expect(texts.cut(long('one'), LIMIT)).toBe(one);
    expect(texts.restore([said(one), said(other)])).toEqual([said(long('one')), said(long('two'))]);
  });

  test('arguments of calls come back too', () => {
    const texts = new CutTexts();
    const call = (text: string) => ({
      ...said(''),
      toolCalls: [{ id: 'c', name: 'save', arguments: { list: [text] }, source: 'native' as const }],
    });
    expect(texts.restore([call(texts.cut(long('end'), LIMIT))])).toEqual([call(long('end'))]);
  });

  test('a cut text whose rest is gone is refused instead of sent', () => {
    const short = new CutTexts().cut(long('end'), LIMIT);
    expect(() => new CutTexts().restore([said(short)])).toThrow(LostTextError);
  });

  test('what is held is bounded: the oldest goes first, the latest stays', () => {
    const texts = new CutTexts(LIMIT);
    const [first, second] = [texts.cut(long('first'), LIMIT), texts.cut(long('second'), LIMIT)];
    expect(() => texts.restore([said(first)])).toThrow(LostTextError);
    expect(texts.restore([said(second)])).toEqual([said(long('second'))]);
  });

  test('what a person wrote is sent as it was written, whatever it ends with', () => {
    const message = { role: 'user' as const, content: `${long('')}… (3 more characters are not shown)` };
    expect(new CutTexts().restore([message])).toEqual([message]);
  });
});
