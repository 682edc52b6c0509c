// Who has the file of a session open, so that it is rewritten only when nobody else does. Appending needs no lock. Knows
// processes and names of files, not contents.
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../ports';
import { codeOf, FILE_MODE, removeFile, withFile } from './disk';

const POLL_MS = 25;
/** A file is rewritten in less. */
const MAX_WAIT_MS = 10_000;
/** An older one is stale, even if a process has its number: numbers are given again. */
const MAX_LOCK_AGE_MS = 60_000;

/**
 * Two kinds of files: a mark for each one that has the session open, and one lock for whoever rewrites it. To open is to
 * make a mark and then look for the lock; to rewrite is to take the lock and then look for marks. So one of two always
 * sees the other.
 */
export class SessionLock {
  readonly token = `${process.pid}-${randomBytes(6).toString('hex')}`;
  readonly #folder: string;
  readonly #name: string;
  readonly #clock: Pick<Clock, 'after'>;

  constructor(folder: string, name: string, clock: Pick<Clock, 'after'>) {
    this.#folder = folder;
    this.#name = name;
    this.#clock = clock;
  }

  get #markPath(): string {
    return join(this.#folder, `${this.#name}.${this.token}.open`);
  }

  get #lockPath(): string {
    return join(this.#folder, `${this.#name}.lock`);
  }

  /** Makes the mark, also again when somebody has cleared the folder, and waits for a rewriting to end. */
  async hold(): Promise<void> {
    if (!(await createFile(this.#markPath, ''))) return;
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
      if (await isStale(this.#lockPath)) return;
      await new Promise<void>((resolve) => void this.#clock.after(POLL_MS, resolve));
    }
  }

  async release(): Promise<void> {
    await removeFile(this.#markPath);
  }

  async isHeldElsewhere(): Promise<boolean> {
    const marks = (await readdir(this.#folder)).filter(
      (file) => file.startsWith(`${this.#name}.`) && file.endsWith('.open'),
    );
    const living = marks.filter((mark) => isAlive(pidOf(mark.slice(this.#name.length + 1))));
    const dead = marks.filter((mark) => !living.includes(mark));
    await Promise.all(dead.map((mark) => removeFile(join(this.#folder, mark))));
    return living.some((mark) => !mark.includes(this.token));
  }

  /**
   * Does the work when nobody else has the session open.
   * @param work Is given what tells whether that still holds.
   * @returns undefined when somebody has
   */
  async runAlone<T>(work: (isStillAlone: () => Promise<boolean>) => Promise<T>): Promise<T | undefined> {
    if (!(await this.#take())) return undefined;
    try {
      if (await this.isHeldElsewhere()) return undefined;
      return await work(() => this.#isOwner());
    } finally {
      if (await this.#isOwner()) await removeFile(this.#lockPath);
    }
  }

  async #take(): Promise<boolean> {
    if (await createFile(this.#lockPath, this.token)) return true;
    if (!(await isStale(this.#lockPath))) return false;
    await removeFile(this.#lockPath);
    return createFile(this.#lockPath, this.token);
  }

  /** Two that take over the same stale lock at once may both believe to have it. */
  async #isOwner(): Promise<boolean> {
    return (await readFile(this.#lockPath, 'utf8').catch(() => '')) === this.token;
  }
}

/** @returns whether it was not there before */
async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await withFile(open(path, 'wx', FILE_MODE), (handle) => handle.writeFile(text));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(lockPath: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(lockPath);
    if (Date.now() - mtimeMs > MAX_LOCK_AGE_MS) return true;
    const owner = await readFile(lockPath, 'utf8');
    // made a moment ago, and not yet written
    return owner !== '' && !isAlive(pidOf(owner));
  } catch {
    return true;
  }
}

const pidOf = (token: string): number => Number(/^\d+(?=-)/.exec(token)?.[0]);

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
