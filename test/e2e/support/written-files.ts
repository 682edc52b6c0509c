// The files of a folder that somebody else writes: one may be renamed or gone between the moment it is listed and the moment it
// is read, and then all are taken again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_PASSES = 50;

/** What the work gives, once it has met every file where it was listed. */
function untilNoneIsMissing<T>(work: () => T): T {
  for (let pass = 1; ; pass++) {
    try {
      return work();
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing || pass === MOST_PASSES) throw error;
    }
  }
}

const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every file in the folder and below. */
export const filesIn = (folder: string): string[] => untilNoneIsMissing(() => list(folder));

/** Those that hold one of the texts. */
export const filesWith = (folder: string, texts: readonly string[]): string[] =>
  untilNoneIsMissing(() =>
    list(folder).filter((file) => {
      const bytes = readFileSync(file);
      return texts.some((text) => bytes.includes(text));
    }),
  );
