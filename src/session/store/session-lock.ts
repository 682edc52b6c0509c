// Lock files of one session, so that its file is rewritten only while nobody else has it open. Appending takes no lock.
// Knows process ids and file names, not contents.
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../ports';
import { codeOf, FILE_MODE, ignoreMissing, removeFile, withFile } from './disk';

const POLL_MS = 25;
/** Rewriting a file takes less than this. */
const MAX_WAIT_MS = 10_000;
/** An older lock is stale even if a process with its id is alive: process ids are reused. */
const MAX_LOCK_AGE_MS = 60_000;
/** How long a mark counts after it was last renewed. */
const LEASE_MS = 300_000;
const RENEWAL_MS = 60_000;

/**
 * There are two kinds of files: a mark for each process that has the session open, and one lock for the process that
 * rewrites the file. Opening first creates the mark and then looks for the lock; rewriting first takes the lock and then
 * looks for marks. So at least one of the two always sees the other. A mark is a lease: a window that was killed leaves its
 * mark, and the process id in its name may belong to another program later.
 */
export class SessionLock {
  readonly token = `${process.pid}-${randomBytes(6).toString('hex')}`;
  readonly #folder: string;
  readonly #name: string;
  readonly #clock: Pick<Clock, 'after'>;
  /** When the mark was last renewed, in milliseconds since the epoch. */
  #renewedAt = 0;
  #cancelRenewal: (() => void) | undefined;

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

  /** Creates the mark (again, if somebody has cleared the folder) or renews it, and waits until a rewrite has ended. */
  async hold(): Promise<void> {
    const isNew = await createFile(this.#markPath, '');
    this.#cancelRenewal ??= this.#renewLater();
    if (isNew) await this.#awaitRewrite();
    else if (Date.now() - this.#renewedAt >= RENEWAL_MS) await this.#renew();
  }

  async release(): Promise<void> {
    this.#cancelRenewal?.();
    this.#cancelRenewal = undefined;
    await removeFile(this.#markPath);
  }

  async isHeldElsewhere(): Promise<boolean> {
    const marks = (await readdir(this.#folder)).filter(
      (file) => file.startsWith(`${this.#name}.`) && file.endsWith('.open') && !file.includes(this.token),
    );
    const held = await Promise.all(
      marks.map(async (mark) => {
        const path = join(this.#folder, mark);
        const isHeld = await isInUse(path);
        if (!isHeld) await removeFile(path);
        return isHeld;
      }),
    );
    return held.includes(true);
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

  #renewLater(): () => void {
    return this.#clock.after(RENEWAL_MS, () => {
      this.#cancelRenewal = this.#renewLater();
      // In a folder that cannot be written, there is nothing to protect.
      void this.#renew().catch(() => undefined);
    });
  }

  async #renew(): Promise<void> {
    const now = Date.now();
    await utimes(this.#markPath, now / 1000, now / 1000).catch(ignoreMissing);
    // If the lease was about to end, as after the machine was asleep, somebody may rewrite the file already.
    if (now - this.#renewedAt >= LEASE_MS / 2) await this.#awaitRewrite();
    else this.#renewedAt = now;
  }

  async #awaitRewrite(): Promise<void> {
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
      if (await isStale(this.#lockPath)) break;
      await new Promise<void>((resolve) => void this.#clock.after(POLL_MS, resolve));
    }
    this.#renewedAt = Date.now();
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

/**
 * Whether the process that created a mark or temporary file still has a use for it.
 * @param path Ends in the token of the process and an extension.
 */
export async function isInUse(path: string): Promise<boolean> {
  const [, token = ''] = /\.(\d+-[0-9a-f]+)\.\w+$/.exec(path) ?? [];
  const stats = await stat(path).catch(() => undefined);
  // The absolute value, because the machine's time may have been set back since.
  return stats !== undefined && isAlive(pidOf(token)) && Math.abs(Date.now() - stats.mtimeMs) < LEASE_MS;
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
