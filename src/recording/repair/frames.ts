// Splits a stream into its documents without changing a byte of it: the events of an event stream, or the lines of a stream of
// objects. Pure.
import { isRecord, parseJson } from '../../library';
import { isExact } from './exact';
import type { JsonDocument } from './repair-wire';

export interface Frame {
  /** Exactly as it arrived, each byte as one character. */
  raw: string;
  /** Undefined for what has none, such as a comment or an end mark, and for what could not be written again exactly. */
  document: JsonDocument | undefined;
  /** Whether it is only there to keep the connection open. */
  isComment: boolean;
}

export class Frames {
  readonly #isEvents: boolean;
  /** A line of an event stream may also end in a CR alone. */
  readonly #end: RegExp;
  /** The lines of the frame that has begun. */
  #lines = '';
  /** The beginning of a line whose end has not arrived. */
  #rest = '';
  /** A CR at the end of the last piece: an LF may belong to it. Otherwise ''. */
  #return = '';

  /** @param isEvents Whether it is an event stream; otherwise each line is a document. */
  constructor(isEvents: boolean) {
    this.#isEvents = isEvents;
    this.#end = isEvents ? /\r\n?|\n/g : /\n/g;
  }

  /** Number of bytes that belong to no whole frame yet. */
  get size(): number {
    return this.#lines.length + this.#rest.length + this.#return.length;
  }

  push(chunk: Buffer): Frame[] {
    const given = this.#return + chunk.toString('latin1');
    this.#return = this.#isEvents && given.endsWith('\r') ? '\r' : '';
    const text = given.slice(0, given.length - this.#return.length);
    const frames: Frame[] = [];
    let start = 0;
    this.#end.lastIndex = 0;
    for (let found = this.#end.exec(text); found; found = this.#end.exec(text)) {
      const line = this.#rest + text.slice(start, found.index);
      this.#rest = '';
      start = this.#end.lastIndex;
      this.#lines += line + found[0];
      if (!this.#isEvents || line === '') frames.push(this.#take());
    }
    this.#rest += text.slice(start);
    return frames;
  }

  /** Gives what belongs to no whole frame yet; its end then arrives as a frame of its own. */
  takeRest(): string {
    const rest = this.#lines + this.#rest + this.#return;
    this.#lines = '';
    this.#rest = '';
    this.#return = '';
    return rest;
  }

  /** What has no end of its own. */
  end(): Frame[] {
    this.#lines = this.takeRest();
    return this.#lines === '' ? [] : [this.#take()];
  }

  #take(): Frame {
    const raw = this.#lines;
    this.#lines = '';
    if (raw === '\n' || raw === '\r' || raw === '\r\n') return { raw, document: undefined, isComment: true };
    return this.#isEvents ? readEvent(raw) : { raw, document: toDocument(raw), isComment: raw.trim() === '' };
  }
}

const DATA = 'data:';
const EVENT = 'event:';
/** Each byte of a byte order mark as one character. */
const MARK = /^\xEF\xBB\xBF/;
/** A comment, and fields that say nothing by themselves. llama-server once wrote its errors as a field of their own. */
const SILENT = /^(?:$|:|(?:event|id|retry):)/;

function readEvent(raw: string): Frame {
  const data: string[] = [];
  let isSilent = true;
  for (const given of raw.split(/\r\n?|\n/)) {
    const line = given.replace(MARK, '');
    if (line.startsWith(DATA)) data.push(line.slice(DATA.length));
    else if (!SILENT.test(line) || /^event: ?error$/.test(line)) isSilent = false;
  }
  const text = data.join('\n');
  return {
    raw,
    document: isSilent ? toDocument(text) : undefined,
    isComment: isSilent && text.trim() === '',
  };
}

function toDocument(bytes: string): JsonDocument | undefined {
  const value = parseJson(Buffer.from(bytes, 'latin1').toString('utf8'));
  return isRecord(value) && isExact(value) ? value : undefined;
}

/** Writes a document as a frame. */
export function formatFrame(document: object, isEvents: boolean): string {
  const json = JSON.stringify(document);
  const { type } = document as { type?: unknown };
  const name = typeof type === 'string' ? `${EVENT} ${type}\n` : '';
  return isEvents ? `${name}${DATA} ${json}\n\n` : `${json}\n`;
}

/** Frames that are held back. */
export class HeldFrames {
  #frames: Frame[] = [];
  #size = 0;

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** Without those of comments. */
  get documents(): JsonDocument[] {
    return this.#frames.flatMap(({ document, isComment }) => (document && !isComment ? [document] : []));
  }

  hold(frame: Frame): void {
    this.#frames.push(frame);
    this.#size += frame.raw.length;
  }

  /** @returns all of them; none are held afterwards */
  take(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#size = 0;
    return frames;
  }
}
