// What the frames of a page hold. The editor puts a frame in another one's place whenever it likes.
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Reads every frame of the page. One that comes, goes or loads meanwhile is no hole: all are read again until a whole pass
 * has met the same frames from its beginning to its end.
 * @returns all that was read, in the unfinished passes as well
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
