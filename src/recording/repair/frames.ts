// Splits a stream into its documents without changing a byte of it: the events of an event stream, or the lines of a stream of
// objects. Pure.
import { isRecord, parseJson } from '../../library';

export interface Frame {
  /** Exactly as it arrived, each byte as one character. */
  raw: string;
  /** Undefined for what has none, such as a comment or an end mark. */
  document: Record<string, unknown> | undefined;
  /** Whether it is only there to keep the connection open. */
  isComment: boolean;
}

export class Frames {
  readonly #isEvents: boolean;
  #lines = '';
  /** The beginning of a line whose end has not arrived. */
  #rest = '';

  /** @param isEvents Whether it is an event stream; otherwise each line is a document. */
  constructor(isEvents: boolean) {
    this.#isEvents = isEvents;
  }

  /** Number of bytes that belong to no whole frame yet. */
  get size(): number {
    return this.#lines.length + this.#rest.length;
  }

  push(chunk: Buffer): Frame[] {
    const text = chunk.toString('latin1');
    const frames: Frame[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#rest + text.slice(start, end + 1);
      this.#rest = '';
      start = end + 1;
      this.#lines += line;
      if (this.#isEvents && line !== '\n' && line !== '\r\n') continue;
      frames.push(this.#take());
    }
    this.#rest += text.slice(start);
    return frames;
  }

  /** Gives what belongs to no whole frame yet; its end then arrives as a frame of its own. */
  takeRest(): string {
    const rest = this.#lines + this.#rest;
    this.#lines = '';
    this.#rest = '';
    return rest;
  }

  /** What has no end of its own. */
  end(): Frame[] {
    this.#lines += this.#rest;
    this.#rest = '';
    return this.#lines === '' ? [] : [this.#take()];
  }

  #take(): Frame {
    const raw = this.#lines;
    this.#lines = '';
    return this.#isEvents ? readEvent(raw) : { raw, document: toDocument(raw), isComment: false };
  }
}

const DATA = 'data:';
const EVENT = 'event:';

function readEvent(raw: string): Frame {
  const data: string[] = [];
  for (const line of raw.split(/\r?\n/)) {
    if (line.startsWith(DATA)) data.push(line.slice(DATA.length));
  }
  return { raw, document: toDocument(data.join('\n')), isComment: data.length === 0 };
}

function toDocument(bytes: string): Record<string, unknown> | undefined {
  const value = parseJson(Buffer.from(bytes, 'latin1').toString('utf8'));
  return isRecord(value) ? value : undefined;
}

/** Writes a document as a frame, each byte as one character. */
export function writeFrame(document: object, isEvents: boolean): string {
  const json = JSON.stringify(document);
  const { type } = document as { type?: unknown };
  const name = typeof type === 'string' ? `${EVENT} ${type}\n` : '';
  return Buffer.from(isEvents ? `${name}${DATA} ${json}\n\n` : `${json}\n`, 'utf8').toString('latin1');
}
