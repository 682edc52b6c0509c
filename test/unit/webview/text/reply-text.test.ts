import { describe, expect, it } from 'vitest';
import { findReasoning, quoteAt, toPoint } from '../../../../webview/text/reply-text';

describe('findReasoning', () => {
  const find = (text: string, reasoning: string): string[] =>
    findReasoning(text, reasoning).map(({ start, end }) => text.slice(start, end));

  it('finds a block between its tags, with its empty lines', () => {
    expect(find('<think>\nFirst.\n\nThen.\n</think>\nFirst.', 'First.\n\nThen.')).toEqual([
      'First.\n\nThen.',
    ]);
  });

  it('finds several blocks, and one whose opening tag was in the prompt', () => {
    expect(find('One.</think>Hello <think>Two.</think>', 'One.\n\nTwo.')).toEqual(['One.', 'Two.']);
  });

  it('does not find the same words in the answer', () => {
    const text = 'I say: Hm. <think>Hm.</think>';
    expect(findReasoning(text, 'Hm.')).toEqual([{ start: 18, end: 21 }]);
    expect(findReasoning('Hm, that is all.', 'Hm')).toEqual([]);
  });

  it('finds nothing if a part is missing', () => {
    expect(findReasoning('<think>One.</think>', 'One.\n\nGone.')).toEqual([]);
    expect(findReasoning('text', '')).toEqual([]);
  });
});

describe('toPoint', () => {
  it('distinguishes missing, extra and changed text', () => {
    const shapes = ['missing-close-tag', 'trailing-comma', 'single-quotes'].map(
      (kind) => toPoint({ kind, at: 3 }).shape,
    );
    expect(shapes).toEqual(['inserted', 'removed', 'changed']);
  });
});

describe('quoteAt', () => {
  const call = { start: 4, end: 24 };

  it('quotes what follows the call if an extra closer comes after it', () => {
    const text = '<t>{}</t></t> Then the rest of it';
    expect(quoteAt(text, { at: 9, shape: 'removed' }, { start: 0, end: 9 })).toEqual({
      before: '<t>{}</t>',
      bit: '<',
      after: '/t> Then t',
    });
  });

  it('quotes the repaired characters with a few characters of their line and call', () => {
    expect(quoteAt('no: {"city": "Oslo",} and', { at: 19, shape: 'removed' }, call)).toEqual({
      before: 'y": "Oslo"',
      bit: ',',
      after: '} an',
    });
    expect(quoteAt("a\n{'x': 1}", { at: 3, shape: 'changed' }, { start: 2, end: 10 })).toEqual({
      before: '{',
      bit: "'",
      after: "x': 1}",
    });
  });

  it('quotes nothing for missing text, and shows a line end as a symbol', () => {
    expect(quoteAt('{"a":1}', { at: 7, shape: 'inserted' }, { start: 0, end: 7 })).toEqual({
      before: '{"a":1}',
      bit: '',
      after: '',
    });
    expect(quoteAt('"a\nb"', { at: 2, shape: 'changed' }, { start: 0, end: 5 }).bit).toBe('↵');
  });

  it('splits no character', () => {
    const text = '😀 3456789 x 3456789 😀';
    const quote = quoteAt(text, { at: 11, shape: 'changed' }, { start: 0, end: text.length });
    expect(quote).toEqual({ before: '😀 3456789 ', bit: 'x', after: ' 3456789 ' });
  });

  it('quotes nothing beyond the end of the text', () => {
    const quote = quoteAt('short', { at: 900, shape: 'changed' }, { start: 890, end: 990 });
    expect(quote).toEqual({ before: '', bit: '', after: '' });
  });
});
