import { describe, expect, test } from 'vitest';
import { answerFromResults, quoteResults } from '../../../../src/demo/model/answer-from-result';
import type { PendingResult } from '../../../../src/demo/model/conversation';

const result = (content: string, more: Partial<PendingResult> = {}): PendingResult => ({
  toolName: 'get_weather',
  arguments: { city: 'Oslo' },
  content,
  isError: false,
  ...more,
});

describe('answerFromResults', () => {
  test.each([
    ['{"temp_c":-2,"sky":"snow"}', 'It is −2 °C in Oslo, with snow.'],
    ['{"temp_c":21}', 'It is 21 °C in Oslo.'],
    ['{"temp_f":70,"condition":"sun","city":"Rome"}', 'It is 70 °F in Rome, with sun.'],
    ['{"sky":"snow"}', 'The tool get_weather answered: {"sky":"snow"}'],
    ['[1]', 'The tool get_weather answered: [1]'],
    ['sunny', 'The tool get_weather answered: sunny'],
  ])('says %s', (content, sentence) => {
    expect(answerFromResults([result(content)])).toBe(sentence);
  });

  test('describes the weather without a place when the call is unknown', () => {
    expect(answerFromResults([result('{"temp_c":1}', { arguments: undefined })])).toBe('It is 1 °C.');
  });

  test('says one sentence per result, including failures', () => {
    const failed = result('no such city', { isError: true });
    expect(answerFromResults([result('{"temp_c":1}'), failed])).toBe(
      'It is 1 °C in Oslo. The tool get_weather failed: no such city',
    );
  });
});

describe('quoteResults', () => {
  test('quotes every field exactly', () => {
    expect(quoteResults([result('{"a":"x \\"y\\"","b":[1,null]}')])).toBe(
      'The tool get_weather answered: a is "x \\"y\\"", b is [1,null].',
    );
  });

  test('quotes a result without fields unchanged', () => {
    expect(quoteResults([result('{}'), result('plain')])).toBe(
      'The tool get_weather answered: {}\nThe tool get_weather answered: plain',
    );
  });
});
