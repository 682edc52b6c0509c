// Reads the contents of all frames of a page. The editor may replace a frame at any time.
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Reads every frame of the page. Frames that appear, disappear or load meanwhile are not missed: the pass is
 * repeated until one has seen the same frames from start to end.
 * @returns everything that was read, including in incomplete passes.
 */
export async function readEveryFrame(
  page: Page,
  read: (frame: Frame) => Promise<string>,
): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const pass = async (): Promise<boolean> => {
    const frames = page.frames();
    await Promise.all(frames.map(async (frame) => texts.add(await read(frame))));
    const after = page.frames();
    return after.length === frames.length && after.every((frame) => frames.includes(frame));
  };
  await expect.poll(pass).toBe(true);
  return texts;
}
