// A folder for one test with stores in it, and functions that inspect the files on disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { FileRunStoreOptions, JournalLine } from '../../../../src/session';
import { FileRunStore } from '../../../../src/session';
import { FakeClock } from '../../../support/fake-clock';

export const ID = 'file:///projects/weather.playground.json';
export const line = (n: number): JournalLine => ({ n });

/** Appends this number of lines with a body each, then closes the journal. */
export async function fill(
  folder: StoreFolder,
  count: number,
  body: unknown = 'body',
  id = ID,
): Promise<void> {
  const journal = await folder.store().open(id);
  for (let n = 0; n < count; n++) journal.append(line(n), { key: `${n}`, value: body });
  await journal.close();
}

const parents: string[] = [];

afterEach(() => {
  for (const parent of parents.splice(0)) rmSync(parent, { recursive: true, force: true });
});

export class StoreFolder {
  /** Does not exist before the first write. */
  readonly path: string;
  readonly clock = new FakeClock();
  readonly problems: string[] = [];

  constructor() {
    const parent = mkdtempSync(join(tmpdir(), 'run-store-'));
    parents.push(parent);
    this.path = join(parent, 'history');
  }

  store(options: Partial<FileRunStoreOptions> = {}): FileRunStore {
    return new FileRunStore({
      folder: this.path,
      limits: () => ({ maxBytes: 1e9, maxRuns: 1e6 }),
      redact: (value) => value,
      onProblem: (problem) => this.problems.push(problem),
      clock: this.clock,
      ...options,
    });
  }

  names(): string[] {
    try {
      return readdirSync(this.path);
    } catch {
      return [];
    }
  }

  /** The path of the only file with this ending. */
  file(ending: '.jsonl' | '.index.json' | '.open' | '.lock'): string {
    const found = this.names().filter((name) => name.endsWith(ending));
    if (found.length !== 1) throw new Error(`${found.length} files end in ${ending}`);
    return join(this.path, found[0] ?? '');
  }

  /** The content of all files, as text. */
  contents(): string {
    return this.names()
      .map((name) => readFileSync(join(this.path, name), 'latin1'))
      .join('\n');
  }

  size(): number {
    return this.names().reduce((sum, name) => sum + readFileSync(join(this.path, name)).length, 0);
  }
}
