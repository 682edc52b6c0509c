// Reads the entries of a zip archive from its central directory.
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DEFLATED = 8;

/**
 * @param archive The whole file, without an archive comment. @returns each name with the offset of its directory
 *   entry.
 */
function readDirectory(archive: Buffer): [string, number][] {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('this is no zip archive');
  const entries: [string, number][] = [];
  let at = archive.readUInt32LE(end + 16);
  while (archive.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push([archive.toString('utf8', at + 46, at + 46 + nameLength), at]);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** The names of the files in the archive. */
export const zipEntries = (archive: Buffer): string[] => readDirectory(archive).map(([name]) => name);

/** The text of one file of the archive. */
export function readZipEntry(archive: Buffer, wanted: string): string {
  const [, at] = readDirectory(archive).find(([name]) => name === wanted) ?? [];
  if (at === undefined) throw new Error(`the archive has no ${wanted}`);
  const local = archive.readUInt32LE(at + 42);
  // The lengths in the local header may differ from those in the directory.
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 20));
  return (archive.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(bytes) : bytes).toString('utf8');
}
