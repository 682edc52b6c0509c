import { describe, expect, it } from 'vitest';
import { createCallId } from '../../../../src/library/util/ids';

describe('createCallId', () => {
  it('returns nine letters and digits, which Mistral requires, different each time', () => {
    const ids = Array.from({ length: 2000 }, createCallId);
    for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{9}$/);
    expect(new Set(ids).size).toBe(2000);
  });

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of Array.from({ length: 13_778 }, createCallId).join('')) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 2000 of each on average; a bias from the remainder of 256 / 62 would be 21 %.
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(280);
  });
});
