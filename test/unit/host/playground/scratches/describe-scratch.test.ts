import { describe, expect, test } from 'vitest';
import { describeScratch } from '../../../../../src/host/playground/scratches/describe-scratch';

const NOW = new Date(2026, 4, 10, 12).getTime();
const describeAt = (date: Date): string => describeScratch({ modifiedAt: date.getTime(), lanes: [] }, NOW);

describe('describeScratch', () => {
  test('names only the time for today, otherwise also the day, and the year if it is another one', () => {
    expect(describeAt(new Date(2026, 4, 10, 9, 41))).toMatch(/^0?9:41(\sAM)?$/);
    const yesterday = describeAt(new Date(2026, 4, 9, 9, 41));
    expect(yesterday).toMatch(/\b9\b.*9:41/);
    expect(yesterday).not.toContain('2026');
    expect(describeAt(new Date(2025, 4, 10, 9, 41))).toMatch(/2025.*9:41/);
  });

  test('names up to two different models of the lanes', () => {
    const models = (...names: (string | undefined)[]): string | undefined =>
      describeScratch({ modifiedAt: NOW, lanes: names.map((model) => ({ model })) }, NOW).split(' · ')[1];
    expect(models('first-look')).toBe('first-look');
    expect(models('a', 'a', 'b')).toBe('a, b');
    expect(models('a', 'b', 'c')).toBe('a, b, …');
    expect(models(undefined, '')).toBeUndefined();
    expect(models('[x](command:y)\u202e')).toBe(String.raw`[x] (command:y)\u{202e}`);
    expect(models('x'.repeat(100))).toHaveLength(41);
  });
});
