// The journal of one open session: collects appended records, redacts and writes them in batches, and keeps what cannot be
// written in memory until it can. Independent of the folder and of other sessions.
import type { Clock, Journal, JournalLine } from '../ports';
import { codeOf, diskFull, MAX_BATCH_BYTES } from './disk';
import type { EncodedRecord, PlainRecord, Redact } from './record';
import { encodeRecord, headerOf, parseBody, toPlainRecords } from './record';
import { Serial } from './serial';
import type { SessionFile } from './session-file';

const WRITE_DELAY_MS = 200;
/** When masking has taken so long, what is masked is written before another body is: a crash would lose it. */
const MAX_MASKING_MS = 200;
/** Maximum size of the records that wait for the disk. Beyond it, appended records are dropped. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

export interface FileJournalOptions {
  sessionId: string;
  file: SessionFile;
  /** The lines that were in the file when it was opened. */
  lines: readonly JournalLine[];
  redact: Redact;
  /** Maximum number of bodies. */
  maxBodies: () => number;
  onProblem: (problem: string) => void;
  clock: Pick<Clock, 'after' | 'elapsed'>;
  onWritten: () => void;
  /** Called once, on close, when everything that can be written is on the disk. */
  onClose: (journal: FileJournal) => Promise<void>;
}

export class FileJournal implements Journal {
  readonly lines: readonly JournalLine[];
  readonly #options: FileJournalOptions;
  readonly #serial = new Serial();
  #queue: PlainRecord[] = [];
  /** Redacted records that are not yet on the disk. */
  #backlog: EncodedRecord[] = [];
  #waitingBytes = 0;
  #cancelTimer: (() => void) | undefined;
  #isFailing = false;
  #isOverfull = false;
  #closing: Promise<void> | undefined;

  constructor(options: FileJournalOptions) {
    this.#options = options;
    this.lines = options.lines;
  }

  get maxBodies(): number {
    return this.#options.maxBodies();
  }

  append(line: JournalLine, body?: { key: string; value: unknown }): void {
    if (this.#closing) return;
    const records = toPlainRecords(line, body, this.#options.onProblem);
    if (records.length === 0) return;
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#reportOverfull();
    } else {
      for (const { text } of records) this.#waitingBytes += text.length;
      this.#queue.push(...records);
    }
    // Also for a record that is dropped: the disk may take again what waits.
    this.#cancelTimer ??= this.#options.clock.after(WRITE_DELAY_MS, () => void this.flush());
  }

  readBody(key: string): Promise<unknown> {
    return this.#serial.run(async () => {
      await this.#write();
      try {
        const stored = (await this.#options.redact(key)) as string;
        const waiting = this.#backlog.findLast((record) => isBodyOf(record, stored));
        const body = waiting && (await parseBody(waiting.bytes.subarray(0, -1), stored));
        return body ? body.value : await this.#options.file.readBody(stored);
      } catch (error) {
        this.#options.onProblem(`A part of the history cannot be read (${codeOf(error)}).`);
        return undefined;
      }
    });
  }

  isShared(): Promise<boolean> {
    return this.#options.file.isHeldElsewhere();
  }

  flush(): Promise<void> {
    return this.#serial.run(() => this.#write());
  }

  close(): Promise<void> {
    this.#closing ??= this.flush().then(() => this.#options.onClose(this));
    return this.#closing;
  }

  /** Runs `work` on the file while the journal itself writes nothing. */
  withFile<T>(work: (file: SessionFile) => Promise<T>): Promise<T> {
    return this.#serial.run(() => work(this.#options.file));
  }

  /** Drops everything that is not written yet, then runs `work` before anything else is written. */
  discard(work: () => Promise<void>): Promise<void> {
    this.#queue = [];
    return this.#serial.run(async () => {
      this.#backlog = [];
      await work();
    });
  }

  /** Never rejects. */
  async #write(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { clock } = this.#options;
    let since = clock.elapsed();
    for (const record of this.#queue.splice(0)) {
      if (record.head.kind === 'body' && clock.elapsed() - since >= MAX_MASKING_MS && !this.#isFailing) {
        await this.#writeBacklog();
        since = clock.elapsed();
      }
      await this.#take(record);
    }
    if (this.#backlog.length > 0) await this.#writeBacklog();
    const queued = this.#queue.reduce((sum, { text }) => sum + text.length, 0);
    this.#waitingBytes = this.#backlog.reduce((sum, { bytes }) => sum + bytes.length, queued);
    if (this.#waitingBytes === 0) this.#isOverfull = false;
  }

  async #take(record: PlainRecord): Promise<void> {
    try {
      this.#backlog.push(await encodeRecord(record, this.#options.redact));
    } catch {
      this.#options.onProblem('A line of the history was not stored: its secrets could not be masked.');
    }
  }

  async #writeBacklog(): Promise<void> {
    const { file, sessionId, redact, onWritten, onProblem } = this.#options;
    try {
      const header = await encodeRecord(headerOf(sessionId), redact);
      while (this.#backlog.length > 0) {
        const written = await file.append(takeBatch(this.#backlog), header);
        if (written === 0) throw diskFull();
        this.#backlog.splice(0, written);
      }
      this.#isFailing = false;
      onWritten();
    } catch (error) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      onProblem(`The history cannot be written (${codeOf(error)}); it is kept in memory until it can.`);
    }
  }

  #reportOverfull(): void {
    if (!this.#isOverfull) this.#options.onProblem('Too much of the history waits to be written.');
    this.#isOverfull = true;
  }
}

const isBodyOf = ({ head }: EncodedRecord, key: string): boolean => head.kind === 'body' && head.key === key;

/** Takes the first records up to the maximum batch size, and at least one. */
function takeBatch(records: readonly EncodedRecord[]): EncodedRecord[] {
  let length = 0;
  const end = records.findIndex(({ bytes }) => (length += bytes.length) > MAX_BATCH_BYTES);
  return end === -1 ? [...records] : records.slice(0, Math.max(1, end));
}
