// Stores the journals of all sessions in one folder: opens them, lists them, and keeps the folder within its limits. Other
// windows may use the same folder at the same time.
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Journal, JournalLine, JournalOptions } from '../ports';
import { codeOf, ignoreMissing, removeFile, scanLines, withFileToRead } from './disk';
import { FileJournal } from './file-journal';
import type { HistoryStore, StoredLines, StoredSession } from './history-store';
import { isPart } from './history-store';
import type { Redact } from './record';
import { encodeRecord, headerOf, parseRecord } from './record';
import { Serial } from './serial';
import { SessionFile } from './session-file';
import { isInUse } from './session-lock';

export interface FileRunStoreOptions {
  /** Contains only files of the store. Created with the first write. */
  folder: string;
  /** Called each time the folder is tidied. */
  limits: () => HistoryLimits;
  /**
   * The one redaction function, which is given lists of texts. A record for which it throws is not stored.
   */
  redact: Redact;
  /** Called with a sentence that contains no path and no secret. */
  onProblem: (problem: string) => void;
  clock?: Pick<Clock, 'after' | 'elapsed'> | undefined;
}

export interface HistoryLimits {
  /** Maximum size of all files together. */
  maxBytes: number;
  maxSessions?: number | undefined;
  /** Maximum number of bodies of one session. */
  maxRuns: number;
}

/** A session found on the disk. `name` is the part that the names of its files have in common. */
interface FoundSession {
  name: string;
  bytes: number;
  modifiedAt: number;
}

const TIDY_DELAY_MS = 5_000;
const OWN_FILE = /^([0-9a-f]{32})\.(?:jsonl|index\.json|lock|[\w.-]+\.(?:open|tmp))$/;
/** The header line is within these first bytes, even with the longest session id. */
const HEADER_BYTES = 16 * 1024;

const MACHINE_CLOCK: Pick<Clock, 'after' | 'elapsed'> = {
  elapsed: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

export class FileRunStore implements HistoryStore {
  readonly #options: FileRunStoreOptions;
  readonly #clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly #journals = new Map<FileJournal, string>();
  readonly #serial = new Serial();
  #cancelTimer: (() => void) | undefined;
  #isFailing = false;

  constructor(options: FileRunStoreOptions) {
    this.#options = options;
    this.#clock = options.clock ?? MACHINE_CLOCK;
  }

  async open(sessionId: string, { isForBodies = false }: JournalOptions = {}): Promise<Journal> {
    const { redact, onProblem } = this.#options;
    const name = toName(sessionId);
    await Promise.all(this.#openJournals(name).map((journal) => journal.flush()));
    const file = this.#file(name);
    // Marking the session as open fails in a folder that cannot be written, but the session can still be read.
    await file.hold().catch(() => undefined);
    const lines = await this.#load(file, !isForBodies);
    const journal = new FileJournal({
      sessionId,
      maxBodies: () => (isForBodies ? Number.POSITIVE_INFINITY : this.#options.limits().maxRuns),
      file,
      lines,
      redact,
      onProblem,
      clock: this.#clock,
      onWritten: () => this.#tidySoon(),
      onClose: (closed) => this.#close(closed),
    });
    this.#journals.set(journal, name);
    this.#tidySoon();
    return journal;
  }

  async read(sessionId: string): Promise<StoredLines> {
    const name = toName(sessionId);
    await Promise.all(this.#openJournals(name).map((journal) => journal.flush()));
    const file = this.#file(name);
    const lines = await this.#load(file);
    return { lines, keys: new Set(file.keys) };
  }

  /** Replaces what is stored under the other id. @throws when it cannot be written */
  async copy(fromSessionId: string, toSessionId: string): Promise<void> {
    const [from, to] = [toName(fromSessionId), toName(toSessionId)];
    if (from === to) return;
    const header = await encodeRecord(headerOf(toSessionId), this.#options.redact);
    await Promise.all(this.#openJournals(from).map((journal) => journal.flush()));
    await this.#serial.run(async () => {
      const source = this.#file(from);
      await source.load();
      await this.#discard(to);
      const target = this.#file(to);
      try {
        await source.copyTo(target, header);
      } finally {
        await target.release();
      }
    });
  }

  /** @throws when not all files of the session could be removed */
  async remove(sessionId: string): Promise<void> {
    await this.#serial.run(() => this.#discard(toName(sessionId)));
  }

  async clear(): Promise<void> {
    await this.#serial.run(async () => {
      const names = new Set([...this.#journals.values(), ...(await this.#ownFiles()).map(nameOf)]);
      for (const name of names) await this.#discard(name);
    });
  }

  async list(): Promise<StoredSession[]> {
    const found = (await this.#find().catch(() => [])).toReversed();
    const sessions = await Promise.all(
      found.map(async ({ name, bytes, modifiedAt }) => {
        const sessionId = await this.#readSessionId(name).catch(() => undefined);
        const isListed = sessionId !== undefined && !isPart(sessionId);
        return isListed ? [{ sessionId, bytes, modifiedAt }] : [];
      }),
    );
    return sessions.flat();
  }

  #load(file: SessionFile, areLinesRead = true): Promise<JournalLine[]> {
    return file.load({ areLinesRead }).catch((error: unknown) => {
      this.#options.onProblem(`The history of a session cannot be read (${codeOf(error)}).`);
      return [];
    });
  }

  #file(name: string): SessionFile {
    const { folder, onProblem } = this.#options;
    return new SessionFile({ folder, name, onProblem, clock: this.#clock });
  }

  #openJournals(name: string): FileJournal[] {
    return [...this.#journals].flatMap(([journal, opened]) => (opened === name ? [journal] : []));
  }

  async #discard(name: string): Promise<void> {
    const journals = this.#openJournals(name);
    for (const journal of journals) await journal.discard(() => this.#removeFiles(name));
    if (journals.length === 0) await this.#removeFiles(name);
  }

  async #removeFiles(name: string): Promise<void> {
    const files = (await this.#ownFiles()).filter((file) => nameOf(file) === name);
    await Promise.all(files.map((file) => removeFile(join(this.#options.folder, file))));
  }

  #tidySoon(): void {
    this.#cancelTimer ??= this.#clock.after(TIDY_DELAY_MS, () => {
      this.#cancelTimer = undefined;
      void this.#tidy(async () => {
        for (const journal of this.#journals.keys()) await this.#tidyJournal(journal);
      });
    });
  }

  async #close(journal: FileJournal): Promise<void> {
    await this.#tidy(async () => {
      try {
        await this.#tidyJournal(journal);
      } finally {
        this.#journals.delete(journal);
        await journal.withFile((file) => file.release());
      }
    });
    if (this.#journals.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  async #tidyJournal(journal: FileJournal): Promise<void> {
    await journal.withFile(async (file) => {
      await file.compact({ maxBodies: journal.maxBodies, freeBytes: 0 });
      await file.saveIndex();
    });
  }

  /** Never rejects. */
  async #tidy(first: () => Promise<void>): Promise<void> {
    await this.#serial.run(async () => {
      try {
        await first();
        await this.#removeLeftovers();
        await this.#enforceLimits();
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#options.onProblem(`The history could not be tidied (${codeOf(error)}).`);
        this.#isFailing = true;
      }
    });
  }

  /**
   * Removes the oldest bodies first, then those that parts have pinned, then the oldest sessions that are not open anywhere, and
   * their parts before these: without its session, nobody would find a part again.
   */
  async #enforceLimits(): Promise<void> {
    const { maxBytes } = this.#options.limits();
    let sessions = await this.#find();
    await this.#dropBodies(sessions, { maxBytes, arePinnedKept: true });
    sessions = await this.#find();
    if (totalOf(sessions) > maxBytes) {
      const { parts, owners } = await this.#separate(sessions);
      await this.#dropBodies(parts, { maxBytes, arePinnedKept: false });
      const isLargeStill = await this.#removeSessions(parts);
      // Those that are left are open, and may be parts of any of the others.
      if (isLargeStill && (await this.#hasAny(parts))) return;
      sessions = owners;
    }
    await this.#removeSessions(sessions);
  }

  /** @returns whether the limits are still exceeded */
  async #removeSessions(oldest: readonly FoundSession[]): Promise<boolean> {
    const { maxBytes, maxSessions = Number.POSITIVE_INFINITY } = this.#options.limits();
    const isWithin = async (): Promise<boolean> => {
      const sessions = await this.#find();
      return totalOf(sessions) <= maxBytes && sessions.length <= maxSessions;
    };
    for (const { name } of oldest) {
      if (await isWithin()) return false;
      await this.#file(name).whenClosed(() => this.#removeFiles(name));
    }
    return !(await isWithin());
  }

  async #hasAny(wanted: readonly FoundSession[]): Promise<boolean> {
    const names = new Set((await this.#find()).map(({ name }) => name));
    return wanted.some(({ name }) => names.has(name));
  }

  async #dropBodies(
    sessions: readonly FoundSession[],
    { maxBytes, arePinnedKept }: { maxBytes: number; arePinnedKept: boolean },
  ): Promise<void> {
    let total = totalOf(await this.#find());
    for (const { name } of sessions) {
      let before = Number.POSITIVE_INFINITY;
      // Again, because the index that a rewritten file gets may be larger than what was freed beyond the limit.
      while (total > maxBytes && total < before) {
        before = total;
        // Frees more than necessary, so that not every added line causes files to be rewritten.
        await this.#compact(name, { freeBytes: total - Math.floor(maxBytes * 0.9), arePinnedKept });
        total = totalOf(await this.#find());
      }
    }
  }

  async #separate(
    sessions: readonly FoundSession[],
  ): Promise<{ parts: FoundSession[]; owners: FoundSession[] }> {
    const parts: FoundSession[] = [];
    const owners: FoundSession[] = [];
    for (const session of sessions) {
      const sessionId = await this.#readSessionId(session.name).catch(() => undefined);
      (sessionId !== undefined && isPart(sessionId) ? parts : owners).push(session);
    }
    return { parts, owners };
  }

  async #compact(name: string, wanted: { freeBytes: number; arePinnedKept: boolean }): Promise<void> {
    const limits = { maxBodies: Number.POSITIVE_INFINITY, ...wanted };
    const [journal] = this.#openJournals(name);
    if (journal) return journal.withFile((file) => file.compact(limits));
    const file = this.#file(name);
    await file.load();
    await file.compact(limits);
  }

  /** Removes what is left over from windows that ended in the middle of an operation. */
  async #removeLeftovers(): Promise<void> {
    const files = await this.#ownFiles();
    const journals = new Set(files.filter((file) => file.endsWith('.jsonl')).map(nameOf));
    const orphans = new Set(files.map(nameOf).filter((name) => !journals.has(name)));
    for (const name of orphans) await this.#file(name).whenClosed(() => this.#removeFiles(name));
    for (const file of files.filter((other) => other.endsWith('.tmp'))) {
      const path = join(this.#options.folder, file);
      if (!(await isInUse(path))) await removeFile(path);
    }
  }

  /** Lists the sessions on the disk, the oldest first. */
  async #find(): Promise<FoundSession[]> {
    const files = await this.#ownFiles();
    const stats = await Promise.all(
      // lstat, so that a symbolic link counts with its own size and not with that of its target.
      files.map((file) => lstat(join(this.#options.folder, file)).catch(() => undefined)),
    );
    const sessions = new Map<string, FoundSession>();
    for (const [index, file] of files.entries()) {
      const found = stats[index];
      if (!found || !/\.jsonl?$/.test(file)) continue;
      const name = nameOf(file);
      const { bytes, modifiedAt } = sessions.get(name) ?? { bytes: 0, modifiedAt: 0 };
      const changedAt = file.endsWith('.jsonl') ? found.mtimeMs : modifiedAt;
      sessions.set(name, { name, bytes: bytes + found.size, modifiedAt: changedAt });
    }
    return [...sessions.values()]
      .filter(({ modifiedAt }) => modifiedAt > 0)
      .toSorted((a, b) => a.modifiedAt - b.modifiedAt);
  }

  /** Only these files are ever touched, whatever else is in the folder. */
  async #ownFiles(): Promise<string[]> {
    const files = (await readdir(this.#options.folder).catch(ignoreMissing)) ?? [];
    return files.filter((file) => OWN_FILE.test(file));
  }

  async #readSessionId(name: string): Promise<string | undefined> {
    return withFileToRead(join(this.#options.folder, `${name}.jsonl`), async (handle) => {
      const end = Math.min(HEADER_BYTES, (await handle.stat()).size);
      for await (const { bytes } of scanLines(handle, 0, end, HEADER_BYTES)) {
        const record = bytes && parseRecord(bytes);
        if (record?.kind === 'header') return record.sessionId;
      }
      return undefined;
    });
  }
}

const totalOf = (sessions: readonly FoundSession[]): number =>
  sessions.reduce((sum, { bytes }) => sum + bytes, 0);

const nameOf = (file: string): string => file.slice(0, file.indexOf('.'));

/**
 * Hashed, because an id may be any text and must not become part of a path. JSON escapes lone surrogates, which would all
 * become the same bytes in UTF-8.
 */
const toName = (sessionId: string): string =>
  createHash('sha256').update(JSON.stringify(sessionId)).digest('hex').slice(0, 32);
