// Texts that lose their middle.
import { describe, expect, test } from 'vitest';
import { cutInside } from '../../../../src/inspect';

describe('cutInside', () => {
  test('changes nothing that is short enough', () => {
    expect(cutInside('12345678', 8)).toBe('12345678');
  });

  test('keeps the beginning and the end, and says how much is left out', () => {
    expect(cutInside('123456789', 8)).toBe('123456\n… 1 characters are left out here …\n89');
  });

  test('cuts no character in two', () => {
    for (let most = 4; most < 20; most++) expect(cutInside('🌧'.repeat(20), most)).toMatch(/^🌧+\n.*\n🌧*$/u);
  });
});
