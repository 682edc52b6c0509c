import { describe, expect, it } from 'vitest';
import { findLead, findLimit, findTail } from '../../../../../src/library/rescue/stream/held-tail';
import { createContext } from '../rescue-fixtures';

const NOTHING = { candidates: [], markup: [], unread: [] };

describe('findLimit', () => {
  it('leaves at least the last 64 characters undecided, from the start of a word', () => {
    const limit = findLimit('word '.repeat(100), 0);
    expect(limit).toBeLessThanOrEqual(500 - 64 - 16);
    expect(limit % 5).toBe(0);
  });

  it('does not return an offset before the held text', () => {
    expect(findLimit('a few words', 6)).toBe(6);
  });
});

describe('findTail', () => {
  it('goes back over reasoning and end tokens to the last text that counts', () => {
    const text = 'Words <think>a</think>\n</s>';
    const reasoning = [{ start: 6, end: 22, bodyStart: 13, bodyEnd: 14 }];
    expect(findTail(createContext(text, []), { ...NOTHING, reasoning }, text.length)).toBe(6);
    expect(findTail(createContext(`${text}!`, []), { ...NOTHING, reasoning }, text.length + 1)).toBe(
      text.length + 1,
    );
  });

  it('includes reasoning that may still close', () => {
    const text = 'Words <think>a';
    expect(findTail(createContext(text, []), { ...NOTHING, reasoning: [] }, text.length, [6])).toBe(6);
  });
});

describe('findLead', () => {
  it('includes the nearby words before an opener', () => {
    expect(findLead('call it {', 0, 8)).toBe(0);
    expect(findLead('call it {', 5, 8)).toBe(5);
    const far = findLead(`${'word '.repeat(100)}{`, 0, 500);
    expect(far).toBeGreaterThanOrEqual(500 - 128);
    expect(far % 5).toBe(0);
  });
});
