// Decodes UTF-8, faster than a decoder does for text that is not ASCII. Independent of protocols.
import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Undefined in a Node without ICU. */
const toUtf16: typeof transcode | undefined = transcode;

/** In bytes. For fewer bytes, the checks for a fast way cost more than they save. */
const MIN_TRANSCODED = 4096;

/** In bytes. Transcoding more at once takes memory that malloc maps anew each time, which costs page faults. */
const MAX_TRANSCODED = 32_768;

/** For pieces that may be cut inside a character. Invalid bytes become U+FFFD, as in `fetch`. A byte order mark is kept. */
export class Utf8Decoder {
  /** The first bytes of a character whose others have not arrived. */
  #cut: Uint8Array | undefined;

  /** @returns the text up to the last whole character; the rest comes with the next piece. */
  decode(piece: Uint8Array): string {
    const bytes = this.#cut ? Buffer.concat([this.#cut, piece]) : piece;
    let text = '';
    let start = 0;
    for (let limit = 0; limit < bytes.length;) {
      limit = Math.min(start + MAX_TRANSCODED, bytes.length);
      const end = endOfCharacters(bytes, limit);
      text += decodeCharacters(bytes, start, end);
      start = end;
    }
    this.#cut = start < bytes.length ? bytes.subarray(start) : undefined;
    return text;
  }

  /** @returns U+FFFD for a character whose last bytes never arrived, else ''. */
  end(): string {
    const cut = this.#cut;
    this.#cut = undefined;
    return cut ? decodeCharacters(cut, 0, cut.length) : '';
  }
}

/** The text of all the pieces. */
export function decodeUtf8(pieces: readonly Uint8Array[]): string {
  const decoder = new Utf8Decoder();
  return pieces.map((piece) => decoder.decode(piece)).join('') + decoder.end();
}

function decodeCharacters(bytes: Uint8Array, start: number, end: number): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  if (buffer.length < MIN_TRANSCODED) return buffer.toString('utf8');
  if (isAscii(buffer)) return buffer.toString('latin1');
  // The decoder handles such a text character by character; transcoding is vectorised.
  if (toUtf16 && isUtf8(buffer)) return toUtf16(buffer, 'utf8', 'utf16le').toString('utf16le');
  return buffer.toString('utf8');
}

/** @returns the limit, or the start of the character that the limit would cut. */
function endOfCharacters(bytes: Uint8Array, limit: number): number {
  for (let at = limit - 1; at >= Math.max(0, limit - 3); at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return limit;
    if (byte >= 0xc0) return at + lengthOf(byte) > limit ? at : limit;
  }
  return limit;
}

/** How many bytes a character has, by its first byte. */
const lengthOf = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);
