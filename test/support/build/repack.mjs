// Packs a zip archive anew with a slower, better deflate; what is in it stays the same. Knows nothing of the extension.
import zopfli from '@gfx/zopfli';
import { readFileSync, writeFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const LOCAL = { length: 30, sizes: 18, flags: 6, name: 26, extra: 28 };
const ENTRY = {
  signature: 0x02014b50,
  length: 46,
  flags: 8,
  method: 10,
  sizes: 20,
  name: 28,
  extra: 30,
  comment: 32,
  at: 42,
};
const END = { length: 22, size: 12, at: 16 };
const DEFLATED = 8;
/** Sizes stand in the headers, not behind the data. */
const SIZES_FOLLOW = 8;

/** @param archive without a comment, as vsce writes it */
async function repack(archive) {
  const end = Buffer.from(archive.subarray(archive.length - END.length));
  const locals = [];
  const entries = [];
  let written = 0;
  for (let at = end.readUInt32LE(END.at); archive.readUInt32LE(at) === ENTRY.signature;) {
    const names = [ENTRY.name, ENTRY.extra, ENTRY.comment].map((field) => archive.readUInt16LE(at + field));
    const length = ENTRY.length + names.reduce((sum, one) => sum + one, 0);
    const entry = Buffer.from(archive.subarray(at, at + length));
    const { header, data } = readFile(archive, entry);
    const smaller = await deflate(data, entry);
    for (const [buffer, flags, sizes] of [
      [entry, ENTRY.flags, ENTRY.sizes],
      [header, LOCAL.flags, LOCAL.sizes],
    ]) {
      buffer.writeUInt16LE(buffer.readUInt16LE(flags) & ~SIZES_FOLLOW, flags);
      buffer.writeUInt32LE(smaller.length, sizes);
      buffer.writeUInt32LE(entry.readUInt32LE(ENTRY.sizes + 4), sizes + 4);
      buffer.writeUInt32LE(entry.readUInt32LE(ENTRY.sizes - 4), sizes - 4); // the checksum
    }
    entry.writeUInt32LE(written, ENTRY.at);
    locals.push(header, smaller);
    entries.push(entry);
    written += header.length + smaller.length;
    at += length;
  }
  end.writeUInt32LE(Buffer.concat(entries).length, END.size);
  end.writeUInt32LE(written, END.at);
  return Buffer.concat([...locals, ...entries, end]);
}

/** The local header of an entry, with its name, and the data behind it. */
function readFile(archive, entry) {
  const at = entry.readUInt32LE(ENTRY.at);
  const from =
    at + LOCAL.length + archive.readUInt16LE(at + LOCAL.name) + archive.readUInt16LE(at + LOCAL.extra);
  const data = archive.subarray(from, from + entry.readUInt32LE(ENTRY.sizes));
  return { header: Buffer.from(archive.subarray(at, from)), data };
}

async function deflate(data, entry) {
  if (entry.readUInt16LE(ENTRY.method) !== DEFLATED) return data;
  const better = Buffer.from(await zopfli.deflateAsync(inflateRawSync(data), { numiterations: 3 }));
  return better.length < data.length ? better : data;
}

const [path] = process.argv.slice(2);
const before = readFileSync(path);
const after = await repack(before);
writeFileSync(path, after);
console.log(`${path}: ${before.length} bytes, packed anew ${after.length}`);
