import { describe, expect, test } from 'vitest';
import {
  EMBEDDING_LENGTH,
  embedText,
  shortenVector,
  toShortFloat,
} from '../../../../src/demo/model/embed-text';

const lengthOf = (vector: readonly number[]): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

const nearness = (left: string, right: string): number => {
  const other = embedText(right);
  return embedText(left).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
};

describe('embedText', () => {
  test.each(['', ' ', 'a', 'The weather in Oslo', '東京の天気', '🙂', 'x'.repeat(5000)])(
    'returns 64 float32 values of length 1 for %j',
    (text) => {
      const vector = embedText(text);
      expect(vector).toHaveLength(EMBEDDING_LENGTH);
      expect(vector.every((value) => Math.fround(value) === value)).toBe(true);
      expect(lengthOf(vector)).toBeCloseTo(1, 6);
    },
  );

  test('returns the same values in every version', () => {
    expect(embedText('hello').slice(0, 4)).toEqual([
      0.0843815952539444, -0.14063598215579987, 0.028127197176218033, 0.028127197176218033,
    ]);
  });

  test('ignores letter case and white space, but distinguishes letters', () => {
    expect(embedText(' The\n  WEATHER ')).toEqual(embedText('the weather'));
    expect(embedText('the weathes')).not.toEqual(embedText('the weather'));
  });

  test.each([
    ['The weather in Oslo', 'Weather in Oslo today', 'The invoice of Ada Lovelace'],
    ['cat', 'cats', 'dog'],
    ['What is the capital of France?', 'Paris is the capital of France.', 'How do I bake bread?'],
    ['東京の天気は？', '東京の天気', '請求書を送る'],
  ])('returns vectors that are closer for %j and %j than for %j', (text, similar, other) => {
    expect(nearness(text, similar)).toBeGreaterThan(0.4);
    expect(Math.abs(nearness(text, other))).toBeLessThan(0.4);
  });
});

describe('shortenVector', () => {
  const vector = embedText('hello');

  test('keeps the first values and scales them to length 1', () => {
    const short = shortenVector(vector, 8);
    expect(short).toHaveLength(8);
    expect(lengthOf(short)).toBeCloseTo(1, 6);
    const scale = (short[0] ?? 0) / (vector[0] ?? 1);
    expect(short.map((value) => value / scale)).toEqual(
      vector.slice(0, 8).map((value) => expect.closeTo(value, 6) as number),
    );
  });

  test.each([64, 9999, 0, -1])('keeps the whole vector when %d dimensions are requested', (dimensions) => {
    expect(shortenVector(vector, dimensions)).toEqual(vector);
  });

  test('leaves a vector of zeros unchanged, as it has no direction', () => {
    expect(shortenVector([0, 0, 1], 2)).toEqual([0, 0]);
  });
});

describe('toShortFloat', () => {
  test.each([
    [Math.fround(0.1), 0.1],
    [0, 0],
    [1, 1],
    [0.019978314638137817, 0.019978315],
    [Math.fround(-6.893238e-5), -6.893238e-5],
  ])('returns %d as %d', (value, short) => {
    expect(toShortFloat(value)).toBe(short);
    expect(Math.fround(short)).toBe(value);
  });
});
