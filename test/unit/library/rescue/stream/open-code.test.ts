import { describe, expect, it } from 'vitest';
import { OpenCode } from '../../../../../src/library/rescue/stream/open-code';

function follow(text: string, runs: readonly number[], findings: readonly number[]): OpenCode {
  const code = new OpenCode(text);
  for (const at of runs) code.addRun(at);
  for (const at of findings) code.addFinding(at);
  return code;
}

describe('OpenCode', () => {
  it('finds the first backticks with a finding after them on their line', () => {
    expect(follow('`a\n`` b <c>', [0, 3], [8]).find()).toBe(3);
  });

  it('finds none where nothing was found on the line, or another paragraph began', () => {
    expect(follow('it`s so\n<b>', [2], [8]).find()).toBe(11);
    expect(follow('it`s <b>\n\nAnd so', [2], [5]).find()).toBe(16);
  });

  it('tells the backticks before a place, on its line only', () => {
    const code = follow('`a\n`` b ` c', [0, 3, 8], []);
    expect(code.before(11)).toEqual({ at: 3, length: 2 });
    expect(code.before(3)).toBeUndefined();
  });
});
