// The journal of one session while it is open: gathers what is appended, has it redacted and written, and holds what could
// not be written until it can. Knows no folder and no other session.
import type { Clock, Journal, JournalLine } from '../ports';
import { codeOf, MAX_BATCH_BYTES } from './disk';
import type { EncodedRecord } from './record';
import { encodeRecord, headerOf, parseRecord, toTexts } from './record';
import { Serial } from './serial';
import type { SessionFile } from './session-file';

const WRITE_DELAY_MS = 200;
/** Of what waits for the disk; beyond it, what is appended is not kept. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

export type Redact = (value: unknown) => unknown;

export interface FileJournalOptions {
  sessionId: string;
  file: SessionFile;
  /** Those that were there. */
  lines: readonly JournalLine[];
  redact: Redact;
  onProblem: (problem: string) => void;
  clock: Pick<Clock, 'after'>;
  onWritten: () => void;
  /** What is left to do when everything is written. */
  onClose: (journal: FileJournal) => Promise<void>;
}

export class FileJournal implements Journal {
  readonly lines: readonly JournalLine[];
  readonly #options: FileJournalOptions;
  readonly #serial = new Serial();
  /** As JSON, not yet redacted. */
  #queue: string[] = [];
  /** Redacted, and not yet on the disk. */
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

  append(line: JournalLine, body?: { key: string; value: unknown }): void {
    if (this.#closing) return;
    const texts = toTexts(line, body, this.#options.onProblem);
    if (texts.length === 0) return;
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#tellOverfull();
      return;
    }
    for (const text of texts) this.#waitingBytes += text.length;
    this.#queue.push(...texts);
    this.#cancelTimer ??= this.#options.clock.after(WRITE_DELAY_MS, () => void this.flush());
  }

  readBody(key: string): Promise<unknown> {
    return this.#serial.run(async () => {
      await this.#write();
      try {
        const { head } = await this.#redact({ body: key });
        const stored = head.kind === 'body' ? head.key : key;
        const waiting = this.#backlog.findLast((record) => isBodyOf(record, stored));
        const record = waiting && parseRecord(waiting.bytes);
        if (record) return record.kind === 'body' ? record.value : undefined;
        return await this.#options.file.readBody(stored);
      } catch (error) {
        this.#options.onProblem(`A part of the history cannot be read (${codeOf(error)}).`);
        return undefined;
      }
    });
  }

  flush(): Promise<void> {
    return this.#serial.run(() => this.#write());
  }

  close(): Promise<void> {
    this.#closing ??= this.flush().then(() => this.#options.onClose(this));
    return this.#closing;
  }

  /** Does the work while this writes nothing. */
  withFile<T>(work: (file: SessionFile) => Promise<T>): Promise<T> {
    return this.#serial.run(() => work(this.#options.file));
  }

  /** Drops what is not written yet, and does the work before anything else is written. */
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
    for (const text of this.#queue.splice(0)) await this.#take(text);
    if (this.#backlog.length > 0) await this.#writeBacklog();
    const queued = this.#queue.reduce((sum, text) => sum + text.length, 0);
    this.#waitingBytes = this.#backlog.reduce((sum, { bytes }) => sum + bytes.length, queued);
    if (this.#waitingBytes === 0) this.#isOverfull = false;
  }

  async #take(text: string): Promise<void> {
    try {
      this.#backlog.push(await this.#redact(JSON.parse(text)));
    } catch {
      this.#options.onProblem('A line of the history was not stored: its secrets could not be masked.');
    }
  }

  async #redact(record: unknown): Promise<EncodedRecord> {
    return encodeRecord(await this.#options.redact(record));
  }

  async #writeBacklog(): Promise<void> {
    const { file, sessionId, onWritten, onProblem } = this.#options;
    try {
      const header = await this.#redact(headerOf(sessionId));
      while (this.#backlog.length > 0) {
        const written = await file.append(takeBatch(this.#backlog), header);
        if (written === 0) throw new Error('the disk is full');
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

  #tellOverfull(): void {
    if (!this.#isOverfull) this.#options.onProblem('Too much of the history waits to be written.');
    this.#isOverfull = true;
  }
}

const isBodyOf = ({ head }: EncodedRecord, key: string): boolean => head.kind === 'body' && head.key === key;

/** At least one. */
function takeBatch(records: readonly EncodedRecord[]): EncodedRecord[] {
  let length = 0;
  const end = records.findIndex(({ bytes }) => (length += bytes.length) > MAX_BATCH_BYTES);
  return end === -1 ? [...records] : records.slice(0, Math.max(1, end));
}
