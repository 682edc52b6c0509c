// Lock files of one session, so that its file is rewritten only while nobody else has it open. Appending needs no lock.
// Knows process ids and file names, not contents.
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../ports';
import { codeOf, FILE_MODE, removeFile, withFile } from './disk';

const POLL_MS = 25;
/** Rewriting a file takes less than this. */
const MAX_WAIT_MS = 10_000;
/** An older lock is stale even if a process with its id is alive: process ids are reused. */
const MAX_LOCK_AGE_MS = 60_000;

/**
 * There are two kinds of files: a mark for each process that has the session open, and one lock for the process that
 * rewrites the file. Opening first creates the mark and then looks for the lock; rewriting first takes the lock and then
 * looks for marks. So at least one of the two always sees the other.
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

  /** Creates the mark (again, if somebody has cleared the folder), and waits until a rewrite in progress has ended. */
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
   * Runs `work` unless someone else has the session open.
   * @param work Gets a function that tells whether the lock is still owned by this process.
   * @returns undefined when someone else has the session open
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

  /**
   * Re-reads the lock: two processes may take over a stale lock at the same moment, and only one of them owns it afterwards.
   */
  async #isOwner(): Promise<boolean> {
    return (await readFile(this.#lockPath, 'utf8').catch(() => '')) === this.token;
  }
}

/** @returns false when the file existed already */
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
    // An empty lock has just been created by a process that has not written its token yet.
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
