import { describe, expect, it } from 'vitest';
import { toPattern } from '../../../../src/library/rescue/literal-pattern';

const matcher = (...literals: string[]): RegExp => new RegExp(`^(?:${toPattern(literals)})`);

describe('toPattern', () => {
  it('matches each of the literals and nothing else', () => {
    const pattern = matcher('<tool_call>', '<tool>', '[ARGS]', '✿F✿');
    for (const text of ['<tool_call>x', '<tool>', '[ARGS]{', '✿F✿']) expect(text).toMatch(pattern);
    for (const text of ['<tool_cal>', 'tool>', 'ARGS', '✿f✿', '']) expect(text).not.toMatch(pattern);
  });

  it('takes signs of patterns for what they are', () => {
    expect('a.b').toMatch(matcher('a.b'));
    expect('axb').not.toMatch(matcher('a.b'));
    expect('**(|)\\^$').toMatch(matcher('**(|)\\^$'));
  });

  it('is satisfied with the shorter of two that begin alike', () => {
    expect(matcher('<a', '<ab>').exec('<ab>')?.[0]).toBe('<a');
  });
});
