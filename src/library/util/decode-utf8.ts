// The text of bytes in UTF-8, at a fraction of what a decoder takes for any text that is not ASCII. Knows no protocol.
import { isAscii, isUtf8, transcode } from 'node:buffer';

/** A Node without ICU has none. */
const toUtf16: typeof transcode | undefined = transcode;

/** In bytes. Below, what it takes to ask for the conversion is more than what it spares. */
const MIN_TRANSCODED = 4096;

/** Bytes that are not UTF-8 become U+FFFD, as `fetch` does it. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.length < MIN_TRANSCODED) return buffer.toString('utf8');
  if (isAscii(buffer)) return buffer.toString('latin1');
  // a decoder goes through such a text character by character; this way is vectorised
  if (toUtf16 && isUtf8(buffer)) return toUtf16(buffer, 'utf8', 'utf16le').toString('utf16le');
  return buffer.toString('utf8');
}
