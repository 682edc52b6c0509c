// Where each record stands in the file of a session, as far as the file has been scanned, and the index file in which that
// is saved beside it. Keeps offsets only, no contents.
import * as v from 'valibot';
import type { Span } from './disk';
import type { RecordHead } from './record';
import { FORMAT } from './record';

/** Light lines that are at most this far apart are read in one go, together with the bytes between them. */
const MAX_GAP_BYTES = 1024;

const Whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const IndexSchema = v.object({
  format: v.literal(FORMAT),
  covered: Whole,
  /** Checksum of the last bytes before `covered`. */
  check: v.string(),
  hasHeader: v.boolean(),
  lineCount: Whole,
  lights: v.array(v.tuple([Whole, Whole])),
  bodies: v.array(v.tuple([v.string(), Whole, Whole])),
  pinned: v.optional(v.array(v.string()), []),
  held: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  removedCount: v.optional(Whole, 0),
});

export class FileMap {
  /** Identity of the file on the disk, to notice when it was replaced by another one. */
  identity = '';
  /** Everything before this offset is whole lines that have been scanned. */
  covered = 0;
  /** Size of the file at the last scan. The bytes between `covered` and this may be the beginning of a line. */
  seen = 0;
  lineCount = 0;
  hasHeader = false;
  /** The file was written by a later version, so it is neither read nor changed. */
  isForeign = false;
  /** Start and end offsets of the parts that contain light lines (journal lines, as opposed to bodies). */
  readonly lights: [number, number][] = [];
  /** The bodies by key, in the order in which they stand in the file. */
  readonly bodies = new Map<string, Span>();
  /** Keys of the bodies that the limits of the history do not remove. */
  readonly pinned = new Set<string>();
  /** By the key of a body, the key of another one that stays as long as it. */
  readonly held = new Map<string, string>();
  /** Number of bodies that were removed but still stand in the file. */
  removedCount = 0;

  add(record: RecordHead, { offset, length }: Span): void {
    if (record.kind === 'line') {
      this.#addLight(offset, offset + length);
      this.#setPinned(record);
      if (record.holder !== undefined) this.held.set(record.holder, record.held ?? '');
    }
    if (record.kind === 'header') {
      this.hasHeader = true;
      this.isForeign ||= record.format !== FORMAT;
    }
    if (record.kind !== 'body') return;
    // A map keeps the old position of a key that is set again, so the key is deleted first.
    const wasThere = this.bodies.delete(record.key);
    if (record.hasValue) {
      this.bodies.set(record.key, { offset, length });
    } else if (wasThere) {
      this.removedCount++;
      this.pinned.delete(record.key);
    }
  }

  #setPinned({ about, isPinned }: Extract<RecordHead, { kind: 'line' }>): void {
    if (about === undefined || isPinned === undefined) return;
    if (isPinned) this.pinned.add(about);
    else this.pinned.delete(about);
  }

  #addLight(start: number, end: number): void {
    this.lineCount++;
    const last = this.lights.at(-1);
    if (last && start - last[1] <= MAX_GAP_BYTES) last[1] = end;
    else this.lights.push([start, end]);
  }

  /** Approximate size in bytes that the file would have without replaced and removed bodies. */
  get liveBytes(): number {
    const lights = this.lights.reduce((sum, [start, end]) => sum + end - start, 0);
    return [...this.bodies.values()].reduce((sum, { length }) => sum + length + 1, lights);
  }

  toIndex(check: string): string {
    const { covered, hasHeader, lineCount, lights, removedCount } = this;
    const bodies = [...this.bodies].map(([key, { offset, length }]) => [key, offset, length]);
    const pinned = [...this.pinned];
    const held = [...this.held];
    const known = { format: FORMAT, covered, check, hasHeader, lineCount, lights, bodies };
    return JSON.stringify({ ...known, pinned, held, removedCount });
  }

  /** @returns undefined when the text is no valid index, or not the index of a file of this size */
  static fromIndex(text: string, size: number): { map: FileMap; check: string } | undefined {
    const index = parseIndex(text);
    if (!index || index.covered > size) return undefined;
    const map = new FileMap();
    const { covered, check, hasHeader, lineCount, lights, bodies, pinned, held, removedCount } = index;
    const isInside = (start: number, end: number): boolean => start <= end && end <= covered;
    if (!lights.every(([start, end]) => isInside(start, end))) return undefined;
    if (!bodies.every(([, offset, length]) => isInside(offset, offset + length))) return undefined;
    map.lights.push(...lights);
    for (const [key, offset, length] of bodies) map.bodies.set(key, { offset, length });
    for (const key of pinned) map.pinned.add(key);
    for (const [holder, key] of held) map.held.set(holder, key);
    return { map: Object.assign(map, { covered, hasHeader, lineCount, removedCount }), check };
  }
}

function parseIndex(text: string): v.InferOutput<typeof IndexSchema> | undefined {
  try {
    return v.parse(IndexSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}
