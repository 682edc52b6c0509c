// The few things that the run store asks of the disk. Knows nothing of journals.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';

/** A link in the folder leads to somebody else's file, and a pipe may have no end. Windows has no such flags: there they count as 0. */
const CAREFUL = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ = constants.O_RDONLY | CAREFUL;
/** The system itself puts each write behind all others, those of other processes too. */
export const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFUL;
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;
/** Of one write, unless one line is longer. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

export interface Span {
  offset: number;
  /** In bytes, without a line feed. */
  length: number;
}

export interface ScannedLine extends Span {
  /** undefined when it is longer than the limit. */
  bytes: Buffer | undefined;
  /** The last line may have none: it was cut, or is being written. */
  hasLineFeed: boolean;
}

/** Does the work with the file and closes it. */
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

/** The same with one that is only read. @returns undefined when there is none */
export async function withFileToRead<T>(
  path: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const handle = await open(path, READ).catch(ignoreMissing);
  return handle && withFile(handle, work);
}

/** The bytes of a part, fewer where the file ends. */
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

/** The lines between two offsets, however large the file is; of a line that is longer than the limit only its place. */
export async function* scanLines(
  handle: FileHandle,
  start: number,
  end: number,
  maxLineBytes: number,
): AsyncGenerator<ScannedLine> {
  let held: Buffer[] = [];
  let offset = start;
  let length = 0;
  const hold = (piece: Buffer): void => {
    length += piece.length;
    if (length > maxLineBytes) held = [];
    else held.push(piece);
  };
  const take = (hasLineFeed: boolean): ScannedLine => {
    const bytes = length > maxLineBytes ? undefined : Buffer.concat(held);
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
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      hold(chunk.subarray(from, at));
      yield take(true);
      from = at + 1;
    }
    hold(chunk.subarray(from));
    position += chunk.length;
  }
  if (length > 0) yield take(false);
}

/** Also when there is none. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ignoreMissing);
}

/** For what is done to a file that need not be there, nor its folder. */
export function ignoreMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
}

/** Never the message: it holds the path. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'unknown';
}
