// The journal of one session on the disk: an append-only file of lines, and an index beside it that can be rebuilt from the
// file. Has no queue and no timer; the caller must not run two methods at the same time.
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, JournalLine } from '../ports';
import {
  APPEND,
  diskFull,
  FILE_MODE,
  FOLDER_MODE,
  MAX_BATCH_BYTES,
  readSpan,
  removeFile,
  scanBatches,
  scanLines,
  withFile,
  withFileToRead,
} from './disk';
import { FileMap } from './file-map';
import type { CompactLimits } from './pinned-bodies';
import { chooseDropped } from './pinned-bodies';
import type { EncodedRecord, RecordHead } from './record';
import { MAX_RECORD_BYTES, parseBody, parseRecord } from './record';
import { SessionLock } from './session-lock';

const LINE_FEED = Buffer.from('\n');
const CHECKED_BYTES = 4096;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

export interface SessionFileOptions {
  folder: string;
  /** Name of the session's files, without their extensions. */
  name: string;
  onProblem: (problem: string) => void;
  clock: Pick<Clock, 'after'>;
}

export class SessionFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #indexPath: string;
  readonly #onProblem: (problem: string) => void;
  readonly #lock: SessionLock;
  #map = new FileMap();
  /** How many bytes of the file the index on the disk covers. */
  #indexedBytes = 0;
  #hasFolder = false;

  constructor({ folder, name, onProblem, clock }: SessionFileOptions) {
    this.#folder = folder;
    this.#path = join(folder, `${name}.jsonl`);
    this.#indexPath = join(folder, `${name}.index.json`);
    this.#onProblem = onProblem;
    this.#lock = new SessionLock(folder, name, clock);
  }

  /** Tells other windows that the session is open if its file exists; otherwise the first write does. */
  async hold(): Promise<void> {
    if (await stat(this.#path).catch(() => undefined)) await this.#lock.hold();
  }

  async release(): Promise<void> {
    await this.#lock.release();
  }

  /** Never rejects: a folder that cannot be read is in nobody's use. */
  isHeldElsewhere(): Promise<boolean> {
    return this.#lock.isHeldElsewhere().catch(() => false);
  }

  /**
   * @param options.areLinesRead Without them a file that has an index opens without being read.
   * @returns the light lines, in the order of the file
   */
  async load({ areLinesRead = true } = {}): Promise<JournalLine[]> {
    const lines: JournalLine[] = [];
    await this.#read(async (handle) => {
      this.#map = (await this.#loadIndex(handle, areLinesRead ? lines : undefined)) ?? new FileMap();
      await this.#scanNewRecords(handle, lines);
    });
    return this.#map.isForeign ? [] : lines;
  }

  /** Keys of the bodies in the file, as far as it has been scanned. */
  get keys(): string[] {
    return this.#map.isForeign ? [] : [...this.#map.bodies.keys()];
  }

  /** @returns how many of the records are on the disk now; fewer than given when the disk is full */
  async append(records: readonly EncodedRecord[], header: EncodedRecord): Promise<number> {
    await this.#prepare();
    return withFile(open(this.#path, APPEND, FILE_MODE), async (handle) => {
      const before = await handle.stat();
      this.#follow(before);
      if (this.#map.isForeign) throw new Error('a later version has written it');
      const added = this.#map.hasHeader ? [] : [header];
      // The file may end in half a line, for example when another process failed to write, so a line feed comes first.
      const lead = before.size > 0 ? LINE_FEED : Buffer.alloc(0);
      const bytes = Buffer.concat([lead, ...[...added, ...records].map((record) => record.bytes)]);
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, null);
      const { size } = await handle.stat();
      const isAtEnd = before.size === this.#map.covered && size === before.size + bytesWritten;
      const offset = before.size + lead.length;
      const end = before.size + bytesWritten;
      const written = this.#register([...added, ...records], { offset, end, isAtEnd });
      return Math.max(0, written - added.length);
    });
  }

  async readBody(key: string): Promise<unknown> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const found = await this.#read(async (handle) => {
        await this.#scanNewRecords(handle);
        const span = this.#map.bodies.get(key);
        if (!span || this.#map.isForeign) return { value: undefined };
        return parseBody(await readSpan(handle, span), key);
      });
      if (found) return found.value;
      // The map does not match the file: scan the whole file again.
      if (attempt === 0) this.#map = new FileMap();
    }
    // It matches now, so the body itself is damaged. Keeping its place would cause a scan with each reading.
    if (this.#map.bodies.delete(key)) this.#onProblem('A damaged part of the history was skipped.');
    return undefined;
  }

  async saveIndex(): Promise<void> {
    await this.#read(async (handle) => {
      await this.#scanNewRecords(handle);
      const { covered, isForeign } = this.#map;
      if (covered === 0 || covered === this.#indexedBytes || isForeign) return;
      const text = this.#map.toIndex(await checkOf(handle, covered));
      await this.#replace(this.#indexPath, async (temporary) => temporary.writeFile(text));
      this.#indexedBytes = covered;
    });
  }

  /**
   * Rewrites the file without the oldest bodies and without replaced ones, unless someone else has the session open.
   * @param limits.freeBytes How many bytes smaller the file should become.
   */
  async compact(limits: CompactLimits): Promise<void> {
    const choose = async (): Promise<ReadonlySet<string> | undefined> => {
      await this.#read((handle) => this.#scanNewRecords(handle));
      return chooseDropped(this.#map, limits);
    };
    if (!(await choose())) return;
    await this.#lock.runAlone(async (isStillAlone) => {
      const dropped = await choose();
      if (dropped) await this.#rewrite(dropped, isStillAlone);
    });
  }

  /** Runs `work` only when nobody has the session open, in this window or elsewhere. */
  async whenClosed(work: () => Promise<void>): Promise<void> {
    await this.#lock.runAlone(work);
  }

  async copyTo(target: SessionFile, header: EncodedRecord): Promise<void> {
    await this.#read(async (handle) => {
      for await (const batch of inBatches(this.#liveRecords(handle, new Set()))) {
        const records = batch.filter(({ head }) => head.kind !== 'header');
        if ((await target.append(records, header)) < records.length) throw diskFull();
      }
    });
  }

  /** @returns undefined when the file does not exist */
  async #read<T>(work: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
    return withFileToRead(this.#path, work);
  }

  async #prepare(): Promise<void> {
    try {
      if (!this.#hasFolder) await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
      this.#hasFolder = true;
      await this.#lock.hold();
    } catch (error) {
      // The folder may have been removed, so the next write creates it again.
      this.#hasFolder = false;
      throw error;
    }
  }

  /** Resets the map when the file was replaced by another one or became shorter. */
  #follow(stats: Stats): void {
    const identity = identify(stats);
    if (this.#map.identity === identity && stats.size >= this.#map.covered) return;
    this.#indexedBytes = 0;
    this.#map = new FileMap();
    this.#map.identity = identity;
  }

  /** Scans what was added since the last scan, by this process or another one. */
  async #scanNewRecords(handle: FileHandle, lines: JournalLine[] = []): Promise<void> {
    const stats = await handle.stat();
    this.#follow(stats);
    const map = this.#map;
    if (stats.size === map.seen) return;
    let damaged = 0;
    for await (const line of scanLines(handle, map.covered, stats.size, MAX_RECORD_BYTES)) {
      const record = line.bytes && parseRecord(line.bytes);
      if (!line.hasLineFeed && (await isCutOff(record, line.bytes))) break;
      if (record) map.add(record, line);
      else if (line.length > 0) damaged++;
      if (record?.kind === 'line') lines.push(record.line);
      map.covered = line.offset + line.length + Number(line.hasLineFeed);
    }
    map.seen = stats.size;
    if (damaged > 0) this.#onProblem(`Damaged lines of the history were skipped: ${damaged}.`);
  }

  /** @returns undefined when there is no index, or it does not belong to this file */
  async #loadIndex(handle: FileHandle, lines: JournalLine[] | undefined): Promise<FileMap | undefined> {
    const text = await readText(this.#indexPath).catch(() => undefined);
    if (text === undefined) return undefined;
    const stats = await handle.stat();
    const index = FileMap.fromIndex(text, stats.size);
    const found: JournalLine[] = [];
    const isOfFile = index !== undefined && index.check === (await checkOf(handle, index.map.covered));
    if (isOfFile && lines) for (const part of index.map.lights) await readLines(handle, part, found);
    if (!isOfFile || (lines && found.length !== index.map.lineCount)) {
      // Removed, because the file may grow until a wrong index looks like a valid one.
      await removeFile(this.#indexPath).catch(() => undefined);
      return undefined;
    }
    for (const line of found) lines?.push(line);
    this.#indexedBytes = index.map.covered;
    return Object.assign(index.map, { identity: identify(stats) });
  }

  /** @returns how many of the records are complete in the file; the last one may lack its line feed */
  #register(
    records: readonly EncodedRecord[],
    place: { offset: number; end: number; isAtEnd: boolean },
  ): number {
    let { offset } = place;
    let written = 0;
    for (const { head, bytes } of records) {
      if (offset + bytes.length - 1 > place.end) break;
      if (place.isAtEnd) this.#map.add(head, { offset, length: bytes.length - 1 });
      offset = Math.min(place.end, offset + bytes.length);
      written++;
    }
    if (place.isAtEnd && written > 0) this.#map.covered = offset;
    this.#map.hasHeader ||= written > 0;
    return written;
  }

  async #rewrite(dropped: ReadonlySet<string>, isStillAlone: () => Promise<boolean>): Promise<void> {
    const map = new FileMap();
    const write = async (temporary: FileHandle): Promise<void> => {
      await this.#read(async (handle) => {
        const { atime, mtime } = await handle.stat();
        for await (const batch of inBatches(this.#liveRecords(handle, dropped))) {
          await temporary.appendFile(Buffer.concat(batch.map(({ bytes }) => bytes)));
          for (const { head, bytes } of batch) {
            map.add(head, { offset: map.covered, length: bytes.length - 1 });
            map.covered += bytes.length;
          }
        }
        // Keep the file times: the list shows when something last happened in the session, and a rewrite is no such event.
        await temporary.utimes(atime, mtime);
      });
      await temporary.sync();
      if (!(await isStillAlone())) throw new Error('another process rewrites it');
      // The index has the offsets of the old file.
      await removeFile(this.#indexPath);
    };
    map.identity = identify(await this.#replace(this.#path, write));
    map.seen = map.covered;
    this.#map = map;
    this.#indexedBytes = 0;
    await this.saveIndex();
  }

  /**
   * Yields the records that a rewritten file has: without replaced and dropped bodies, and without the lines about those.
   */
  async *#liveRecords(handle: FileHandle, dropped: ReadonlySet<string>): AsyncGenerator<EncodedRecord> {
    const { covered, bodies } = this.#map;
    let hasHeader = false;
    for await (const { bytes, offset } of scanLines(handle, 0, covered, MAX_RECORD_BYTES)) {
      const head: RecordHead | undefined = bytes && parseRecord(bytes);
      if (!bytes || !head) continue;
      const isRepeated = head.kind === 'header' && hasHeader;
      const isReplaced = head.kind === 'body' && bodies.get(head.key)?.offset !== offset;
      if (isRepeated || isReplaced || isDropped(head, bodies, dropped)) continue;
      hasHeader ||= head.kind === 'header';
      yield { head, bytes: Buffer.concat([bytes, LINE_FEED]) };
    }
  }

  /** Writes to a temporary file and renames it, so that nobody ever reads half a file. */
  async #replace(path: string, write: (temporary: FileHandle) => Promise<void>): Promise<Stats> {
    const temporaryPath = `${path}.${this.#lock.token}.tmp`;
    try {
      const stats = await withFile(open(temporaryPath, 'wx', FILE_MODE), async (temporary) => {
        await write(temporary);
        return temporary.stat();
      });
      await rename(temporaryPath, path);
      return stats;
    } catch (error) {
      await removeFile(temporaryPath).catch(() => undefined);
      throw error;
    }
  }
}

/** The last line may end anywhere, also behind a brace within a body. */
async function isCutOff(record: RecordHead | undefined, bytes: Buffer = Buffer.alloc(0)): Promise<boolean> {
  return record?.kind === 'body' ? !(await parseBody(bytes, record.key)) : !record;
}

/** An inode number is soon reused for another file; together with the time of creation it is unique. */
const identify = ({ ino, birthtimeMs }: Stats): string => `${ino}:${birthtimeMs}`;

function isDropped(
  head: RecordHead,
  bodies: ReadonlyMap<string, unknown>,
  dropped: ReadonlySet<string>,
): boolean {
  if (head.kind === 'body') return dropped.has(head.key);
  const about = head.kind === 'line' ? head.about : undefined;
  return about !== undefined && (dropped.has(about) || !bodies.has(about));
}

async function* inBatches(records: AsyncIterable<EncodedRecord>): AsyncGenerator<EncodedRecord[]> {
  let batch: EncodedRecord[] = [];
  let length = 0;
  for await (const record of records) {
    batch.push(record);
    length += record.bytes.length;
    if (length < MAX_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

async function readLines(
  handle: FileHandle,
  [start, end]: [number, number],
  lines: JournalLine[],
): Promise<void> {
  for await (const scanned of scanBatches(handle, { start, end }, MAX_RECORD_BYTES))
    for (const { bytes } of scanned) {
      const record = bytes && parseRecord(bytes);
      if (record?.kind === 'line') lines.push(record.line);
    }
}

/** Checksum of the last bytes before the offset. */
async function checkOf(handle: FileHandle, covered: number): Promise<string> {
  const offset = Math.max(0, covered - CHECKED_BYTES);
  const bytes = await readSpan(handle, { offset, length: covered - offset });
  return createHash('sha256').update(bytes).digest('hex');
}

async function readText(path: string): Promise<string | undefined> {
  return withFileToRead(path, async (handle) => {
    const { size } = await handle.stat();
    if (size > MAX_INDEX_BYTES) return undefined;
    return (await readSpan(handle, { offset: 0, length: size })).toString('utf8');
  });
}
