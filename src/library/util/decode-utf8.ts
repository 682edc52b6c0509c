// Decodes UTF-8, faster than a decoder does for text that is not ASCII. Independent of protocols.
import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Undefined in a Node without ICU. */
const toUtf16: typeof transcode | undefined = transcode;

/** In bytes. For fewer bytes, the checks for a fast way cost more than they save. */
const MIN_TRANSCODED = 4096;

/** Invalid bytes become U+FFFD, as in `fetch`. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.length < MIN_TRANSCODED) return buffer.toString('utf8');
  if (isAscii(buffer)) return buffer.toString('latin1');
  // The decoder handles such a text character by character; transcoding is vectorised.
  if (toUtf16 && isUtf8(buffer)) return toUtf16(buffer, 'utf8', 'utf16le').toString('utf16le');
  return buffer.toString('utf8');
}
