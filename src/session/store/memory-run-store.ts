// Keeps journals in memory only: for those who want no history on the disk, and for tests.
import type { Journal, JournalLine } from '../ports';
import type { HistoryStore, StoredLines, StoredSession } from './history-store';
import { isPart } from './history-store';
import { findPinned } from './pinned-bodies';
import type { EncodedRecord, PlainRecord, Redact } from './record';
import { encodeRecord, parseBody, parseRecord, toPlainRecords } from './record';
import { Serial } from './serial';

export interface MemoryRunStoreOptions {
  /** The same redaction as on the disk, so that nothing depends on the kind of store. @default nothing is redacted */
  redact?: Redact | undefined;
  onProblem?: ((problem: string) => void) | undefined;
  /** Maximum size of everything that is kept, in bytes; the oldest bodies are removed first. @default 64 MB */
  maxBytes?: number | undefined;
}

interface KeptLine {
  bytes: Buffer;
  /** Key of the body that the line is about. */
  about: string | undefined;
}

/** Records are kept as encoded bytes, so that nobody can change them afterwards. */
interface MemorySession {
  lines: KeptLine[];
  bodies: Map<string, Buffer>;
  /** Keys of the bodies that the limit does not remove. */
  pinned: Set<string>;
  /** By the key of a body, the key of another one that stays as long as it. */
  held: Map<string, string>;
  /** Of its lines and bodies. Counted along: an evaluation has 100,000 lines, and the limit is checked with each. */
  byteCount: number;
  modifiedAt: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

export class MemoryRunStore implements HistoryStore {
  readonly #redact: Redact;
  readonly #onProblem: (problem: string) => void;
  readonly #maxBytes: number;
  readonly #serial = new Serial();
  /** In the order of their last change, the latest at the end. */
  readonly #sessions = new Map<string, MemorySession>();
  readonly #journals = new Map<Journal, string>();

  constructor({ redact, onProblem, maxBytes }: MemoryRunStoreOptions = {}) {
    this.#redact = redact ?? ((value) => value);
    this.#onProblem = onProblem ?? (() => {});
    this.#maxBytes = maxBytes ?? MAX_BYTES;
  }

  open(sessionId: string): Promise<Journal> {
    return this.#serial.run(async () => {
      const lines = this.#sessions.get(sessionId)?.lines ?? [];
      const journal = this.#toJournal(sessionId, lines.flatMap(toLine));
      this.#journals.set(journal, sessionId);
      return journal;
    });
  }

  read(sessionId: string): Promise<StoredLines> {
    return this.#serial.run(async () => {
      const { lines = [], bodies } = this.#sessions.get(sessionId) ?? {};
      return { lines: lines.flatMap(toLine), keys: new Set(bodies?.keys()) };
    });
  }

  copy(fromSessionId: string, toSessionId: string): Promise<void> {
    return this.#serial.run(async () => {
      const from = this.#sessions.get(fromSessionId);
      if (fromSessionId === toSessionId) return;
      this.#sessions.delete(toSessionId);
      if (!from) return;
      const { lines, bodies, pinned, held, byteCount } = from;
      this.#sessions.set(toSessionId, {
        lines: [...lines],
        bodies: new Map(bodies),
        pinned: new Set(pinned),
        held: new Map(held),
        byteCount,
        modifiedAt: Date.now(),
      });
      this.#enforceLimit();
    });
  }

  remove(sessionId: string): Promise<void> {
    return this.#serial.run(async () => void this.#sessions.delete(sessionId));
  }

  clear(): Promise<void> {
    return this.#serial.run(async () => this.#sessions.clear());
  }

  list(): Promise<StoredSession[]> {
    return this.#serial.run(async () =>
      [...this.#sessions]
        .filter(([sessionId]) => !isPart(sessionId))
        .map(([sessionId, session]) => ({
          sessionId,
          bytes: session.byteCount,
          modifiedAt: session.modifiedAt,
        }))
        .toReversed(),
    );
  }

  #toJournal(sessionId: string, lines: readonly JournalLine[]): Journal {
    const close = async (): Promise<void> => {
      this.#journals.delete(journal);
      await this.#serial.run(async () => {});
    };
    const journal: Journal = {
      lines,
      append: (line, body) => {
        if (!this.#journals.has(journal)) return;
        const records = toPlainRecords(line, body, this.#onProblem);
        if (records.length > 0) void this.#serial.run(() => this.#add(sessionId, records));
      },
      readBody: (key) => this.#serial.run(() => this.#readBody(sessionId, key)),
      isShared: () => Promise.resolve(false),
      flush: () => this.#serial.run(async () => {}),
      close,
    };
    return journal;
  }

  async #add(sessionId: string, added: readonly PlainRecord[]): Promise<void> {
    try {
      const records = [];
      for (const record of added) records.push(await encodeRecord(record, this.#redact));
      const empty: MemorySession = {
        lines: [],
        bodies: new Map(),
        pinned: new Set(),
        held: new Map(),
        byteCount: 0,
        modifiedAt: 0,
      };
      const session = this.#sessions.get(sessionId) ?? empty;
      for (const record of records) addRecord(session, record);
      this.#sessions.delete(sessionId);
      this.#sessions.set(sessionId, { ...session, modifiedAt: Date.now() });
      this.#enforceLimit();
    } catch {
      this.#onProblem('A line of the history was not kept: its secrets could not be masked.');
    }
  }

  async #readBody(sessionId: string, key: string): Promise<unknown> {
    try {
      const stored = (await this.#redact(key)) as string;
      const bytes = this.#sessions.get(sessionId)?.bodies.get(stored);
      return bytes && (await parseBody(bytes.subarray(0, -1), stored))?.value;
    } catch {
      return undefined;
    }
  }

  #enforceLimit(): void {
    const open = new Set(this.#journals.values());
    let total = [...this.#sessions.values()].reduce((sum, { byteCount }) => sum + byteCount, 0);
    if (total <= this.#maxBytes) return;
    for (const session of this.#sessions.values()) {
      total -= dropBodies(session, total - this.#maxBytes);
      if (total <= this.#maxBytes) return;
    }
    for (const [sessionId, { byteCount }] of this.#sessions) {
      if (total <= this.#maxBytes) return;
      if (open.has(sessionId)) continue;
      this.#sessions.delete(sessionId);
      total -= byteCount;
    }
  }
}

/** Removes the oldest bodies that may go until so many bytes are free. @returns how many are */
function dropBodies(session: MemorySession, wanted: number): number {
  const { bodies, pinned, held, byteCount: before } = session;
  const kept = findPinned(bodies.keys(), pinned, bodies.size);
  const holders = new Map<string, number>();
  for (const [holder, key] of held) if (bodies.has(holder)) holders.set(key, (holders.get(key) ?? 0) + 1);
  const isKept = (key: string): boolean => kept.has(key) || (holders.get(key) ?? 0) > 0;
  for (const key of bodies.keys()) {
    if (before - session.byteCount >= wanted) break;
    if (isKept(key)) continue;
    removeBody(session, key);
    const own = held.get(key) ?? '';
    holders.set(own, (holders.get(own) ?? 0) - 1);
    // What it held was passed over before.
    if (!isKept(own)) removeBody(session, own);
  }
  return before - session.byteCount;
}

function addRecord(session: MemorySession, { head, bytes }: EncodedRecord): void {
  const { lines, bodies, pinned } = session;
  if (head.kind === 'line') {
    lines.push({ bytes, about: head.about });
    session.byteCount += bytes.length;
    if (head.holder !== undefined) session.held.set(head.holder, head.held ?? '');
    if (head.isPinned === true && head.about !== undefined) pinned.add(head.about);
    if (head.isPinned === false && head.about !== undefined) pinned.delete(head.about);
  }
  if (head.kind !== 'body') return;
  removeBody(session, head.key);
  if (!head.hasValue) return forget(session, head.key);
  bodies.set(head.key, bytes);
  session.byteCount += bytes.length;
}

function removeBody(session: MemorySession, key: string): void {
  session.byteCount -= session.bodies.get(key)?.length ?? 0;
  session.bodies.delete(key);
}

/** When a body is removed, the lines about it are removed too. */
function forget(session: MemorySession, key: string): void {
  session.pinned.delete(key);
  const kept = session.lines.filter(({ about }) => about !== key);
  for (const { bytes, about } of session.lines) if (about === key) session.byteCount -= bytes.length;
  session.lines = kept;
}

function toLine({ bytes }: KeptLine): JournalLine[] {
  const record = parseRecord(bytes);
  return record?.kind === 'line' ? [record.line] : [];
}
