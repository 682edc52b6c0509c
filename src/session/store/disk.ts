// File-system helpers of the run store. Independent of what a journal contains.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';

/**
 * Does not follow symbolic links, which lead to files that are not ours, and does not block on a named pipe, which may never
 * end. Windows has no such flags; there both count as 0.
 */
const CAREFUL = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ = constants.O_RDONLY | CAREFUL;
/** With O_APPEND the system writes at the current end of the file, also while other processes append to it. */
export const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFUL;
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;
/** Maximum size of one write, in bytes; a single longer line is written on its own. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

export interface Span {
  offset: number;
  /** In bytes, without the line feed. */
  length: number;
}

export interface ScannedLine extends Span {
  /** undefined when the line is longer than the limit. */
  bytes: Buffer | undefined;
  /** Only the last line can lack one: it was cut off, or is still being written. */
  hasLineFeed: boolean;
}

/** Runs `work` on the file, and closes the file afterwards. */
export async function withFile<T>(
  opened: FileHandle | Promise<FileHandle>,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await opened;
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** Like `withFile`, for a file that is only read. @returns undefined when there is no such file */
export async function withFileToRead<T>(
  path: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const handle = await open(path, READ).catch(ignoreMissing);
  return handle && withFile(handle, work);
}

/** Reads the bytes of a span; fewer when the file ends before it does. */
export async function readSpan(handle: FileHandle, { offset, length }: Span): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** Yields the lines between two offsets of a file of any size. A line that is longer than the limit comes without its bytes. */
export async function* scanLines(
  handle: FileHandle,
  start: number,
  end: number,
  maxLineBytes: number,
): AsyncGenerator<ScannedLine> {
  for await (const lines of scanBatches(handle, { start, end }, maxLineBytes)) yield* lines;
}

/** The same lines, those together that end in one chunk: waiting for each of many short ones takes longer than reading them. */
export async function* scanBatches(
  handle: FileHandle,
  { start, end }: { start: number; end: number },
  maxLineBytes: number,
): AsyncGenerator<readonly ScannedLine[]> {
  let held: Buffer[] = [];
  let offset = start;
  let length = 0;
  const hold = (piece: Buffer): void => {
    length += piece.length;
    if (length > maxLineBytes) held = [];
    else held.push(piece);
  };
  const take = (hasLineFeed: boolean): ScannedLine => {
    const [piece] = held;
    const whole = held.length === 1 ? piece : Buffer.concat(held);
    const bytes = length > maxLineBytes ? undefined : whole;
    const line = { offset, length, bytes, hasLineFeed };
    offset += length + 1;
    length = 0;
    held = [];
    return line;
  };
  for (let position = start; position < end;) {
    const chunk = await readSpan(handle, {
      offset: position,
      length: Math.min(CHUNK_BYTES, end - position),
    });
    if (chunk.length === 0) break;
    const lines: ScannedLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      hold(chunk.subarray(from, at));
      lines.push(take(true));
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
    position += chunk.length;
    yield lines;
  }
  if (length > 0) yield [take(false)];
}

/** Does not fail when there is no such file. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ignoreMissing);
}

/** Error handler for operations on a file whose absence, or whose folder's absence, is not an error. */
export function ignoreMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
}

/** The system reports no error while it can still write a part; it does with the next write. */
export const diskFull = (): Error => Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });

/** A name for the error that may be shown. The message may not: it contains the path. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'unknown';
}
