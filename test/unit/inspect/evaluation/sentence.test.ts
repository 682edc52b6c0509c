import { describe, expect, test } from 'vitest';
import { fillSentence } from '../../../../src/inspect/evaluation/sentence';

describe('fillSentence', () => {
  test('marks what the text marks', () => {
    expect(fillSentence('**{0}** has {1} rows (`{2}`).', 'a', 3, 'x: y')).toEqual([
      { text: 'a', mark: 'strong' },
      { text: ' has 3 rows (' },
      { text: 'x: y', mark: 'code' },
      { text: ').' },
    ]);
  });

  test('leaves marks and placeholders in values as they are', () => {
    expect(fillSentence('{0} and **{1}**', '**a** `b` {1}', '{0}`')).toEqual([
      { text: '**a** `b` {1} and ' },
      { text: '{0}`', mark: 'strong' },
    ]);
  });

  test('puts sentences in with their marks', () => {
    const inner = fillSentence('**not decided**; {0} rows', 12);
    expect(fillSentence('a: {0}.', inner)).toEqual([
      { text: 'a: ' },
      { text: 'not decided', mark: 'strong' },
      { text: '; 12 rows.' },
    ]);
  });
});
