// Reads a folder that another process writes to. If a file is renamed or deleted between listing and reading, all
// files are read again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAX_PASSES = 50;

/** Result of the work once it found every listed file. */
function untilNoneIsMissing<T>(work: () => T): T {
  for (let pass = 1; ; pass++) {
    try {
      return work();
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing || pass === MAX_PASSES) throw error;
    }
  }
}

const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every file in the folder, recursively. */
export const filesIn = (folder: string): string[] => untilNoneIsMissing(() => list(folder));

/** The files that contain one of the texts. */
export const filesWith = (folder: string, texts: readonly string[]): string[] =>
  untilNoneIsMissing(() =>
    list(folder).filter((file) => {
      const bytes = readFileSync(file);
      return texts.some((text) => bytes.includes(text));
    }),
  );
