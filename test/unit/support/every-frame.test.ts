import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readEveryFrame } from '../../e2e/support/every-frame';

/** A page whose frames are those of the first list at first, then those of the next one; the last one stays. */
function pageOf(...lists: readonly string[][]): Page {
  const frames = new Map(lists.flat().map((name) => [name, { name: () => name }]));
  let looks = 0;
  return {
    frames: () => (lists[Math.min(looks++, lists.length - 1)] ?? []).map((name) => frames.get(name)),
  } as unknown as Page;
}

const readName = async (frame: Frame): Promise<string> => frame.name();

describe('reading every frame', () => {
  it('reads each of them', async () => {
    const held = await readEveryFrame(pageOf(['page', 'panel']), readName);
    expect([...held]).toEqual(['page', 'panel']);
  });

  it('reads all again when one goes before it is read, and keeps what was read of the others', async () => {
    const detached = (frame: Frame): Promise<string> => {
      if (frame.name() === 'gone') return Promise.reject(new Error('Frame was detached'));
      return readName(frame);
    };
    const held = await readEveryFrame(pageOf(['page', 'gone'], ['page', 'new']), detached);
    expect([...held]).toEqual(['page', 'new']);
  });

  it('reads one that comes while the others are read', async () => {
    const held = await readEveryFrame(pageOf(['page'], ['page', 'late']), readName);
    expect([...held]).toEqual(['page', 'late']);
  });

  it('reads one that takes the place of another without a word', async () => {
    const held = await readEveryFrame(pageOf(['page', 'old'], ['page', 'new']), readName);
    expect([...held]).toEqual(['page', 'old', 'new']);
  });
});
