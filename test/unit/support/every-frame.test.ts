import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readEveryFrame } from '../../e2e/support/every-frame';

/** A page whose list of frames changes at each look, from one list to the next; the last one remains. */
function pageOf(...lists: readonly string[][]): Page {
  const frames = new Map(lists.flat().map((name) => [name, { name: () => name }]));
  let looks = 0;
  return {
    frames: () => (lists[Math.min(looks++, lists.length - 1)] ?? []).map((name) => frames.get(name)),
  } as unknown as Page;
}

const readName = async (frame: Frame): Promise<string> => frame.name();

describe('reading every frame', () => {
  it('reads each frame', async () => {
    const held = await readEveryFrame(pageOf(['page', 'panel']), readName);
    expect([...held]).toEqual(['page', 'panel']);
  });

  it('looks again when a frame was detached before it was read, and keeps what was read of the others', async () => {
    const detached = (frame: Frame): Promise<string> => {
      if (frame.name() === 'gone') return Promise.reject(new Error('Frame was detached'));
      return readName(frame);
    };
    const held = await readEveryFrame(pageOf(['page', 'gone'], ['page', 'new']), detached);
    expect([...held]).toEqual(['page', 'new']);
  });

  it('reads a frame that was added while the others were read', async () => {
    const held = await readEveryFrame(pageOf(['page'], ['page', 'late']), readName);
    expect([...held]).toEqual(['page', 'late']);
  });

  it('reads a frame that replaced another', async () => {
    const held = await readEveryFrame(pageOf(['page', 'old'], ['page', 'new']), readName);
    expect([...held]).toEqual(['page', 'old', 'new']);
  });
});
