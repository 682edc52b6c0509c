// Reads adjacent values as calls are written: one object, a list of objects, or several in a row. Independent of wrappers.
import { skipWhite } from '../text/white-space';
import { skipBlank } from './comments';
import { isCallKey } from '../core/call-keys';
import type { CallBlock, ReadFailure, JsonRole } from '../core/json-reading';
import { readJson, decodeJsonText } from './read-json';
import { readTolerant } from './tolerant-reader';
import { RepairLog } from '../core/repair-log';
import { isKeyAhead, isQuote } from './quotes';
import { findWordEnd } from '../text/words';
import type { RescueContext } from '../core/rescue-context';

/** Null when no object and no list of objects begins at `at`, which is cheap to find out. */
export function readCallBlock(context: RescueContext, at: number, role: JsonRole = 'call'): CallBlock | null {
  const { lastBlock } = context;
  if (lastBlock?.at === at && lastBlock.role === role) return lastBlock.block;
  const block = startsBlock(context.text, at) ? new CallBlockReader(context, at, role).read() : null;
  context.lastBlock = { at, role, block };
  return block;
}

/** The offset after closing brackets that nothing opened; these are recorded. */
export function skipExtraClosers(text: string, from: number, log: RepairLog, closers = '}]'): number {
  let end = from;
  for (let at = skipWhite(text, end); at < text.length; at = skipWhite(text, end)) {
    if (!closers.includes(text.charAt(at))) break;
    log.add('extra-closer', at);
    end = at + 1;
  }
  return end;
}

/** Looks no further than the first key, because most brackets of a text are not JSON. */
function startsBlock(text: string, at: number): boolean {
  if (text.charCodeAt(at) === 91) {
    const next = skipWhite(text, at + 1);
    const code = text.charCodeAt(next);
    return code === 93 || code === 34 || startsObject(text, next);
  }
  return startsObject(text, at);
}

function startsObject(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 123) return false;
  const next = skipWhite(text, at + 1);
  const code = text.charCodeAt(next);
  if (code === 123 || code === 91) return false;
  const character = text.charAt(next);
  if (character === '' || character === '}' || character === '/') return true;
  if (isQuote(character)) return isKeyAhead(text, next) || text.length - next < 64;
  const end = findWordEnd(text, next);
  return end > next && text.charAt(skipWhite(text, end)) === ':';
}

/** The end of an object in a list that could not be read, if the list continues after it; otherwise -1. */
function findElementEnd(context: RescueContext, start: number, failedAt: number): number {
  const { text, meter } = context;
  const limit = Math.min(text.length, failedAt + LONGEST_DAMAGE);
  let depth = 0;
  let at = start;
  do {
    if (text.charAt(at) === '"') at = skipString(text, at, limit);
    else depth += toDepth(text.charAt(at));
    at += 1;
  } while (depth > 0 && at < limit);
  meter.spend(start, Math.min(at, text.length));
  const next = text.charAt(skipWhite(text, at));
  return depth === 0 && (next === ',' || next === ']') ? at : -1;
}

const toDepth = (character: string): number =>
  character === '{' || character === '[' ? 1 : character === '}' || character === ']' ? -1 : 0;

/**
 * Where the list goes on when a string in one of its objects is never closed, and so runs over the objects behind it: after
 * the first bracket that a comma and an object follow whose first key is one of a call, or the name of a tool, and which closes
 * the element that begins at `start`. -1 when there is none nearby.
 */
function findNextElement(context: RescueContext, start: number, from: number): number {
  const { text, meter } = context;
  const piece = text.slice(from, from + LONGEST_DAMAGE);
  meter.spend(start, from);
  let depth = 0;
  let at = start;
  for (const { index, 1: key = '' } of piece.matchAll(NEXT_ELEMENT)) {
    for (const end = from + index + 1; at < end; at += 1)
      if (at < from && text.charAt(at) === '"') at = skipString(text, at, from);
      else depth += toDepth(text.charAt(at));
    if (depth <= 0 && (isCallKey(key) || context.isTool(key))) return at;
  }
  return -1;
}

const NEXT_ELEMENT = /[}\]](?=\s{0,16},\s{0,16}\{\s{0,16}["'](\w{1,32})["'])/g;

const LONGEST_DAMAGE = 1024;
/** A list with more damage than this holds data, or is a loop of the model. */
const MAX_DAMAGED = 4096;

function skipString(text: string, at: number, limit: number): number {
  let end = at + 1;
  while (end < limit && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  return end;
}

class CallBlockReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #role: JsonRole;
  readonly #log = new RepairLog();
  readonly #block: CallBlock;
  /** Number of damaged elements and missing commas. */
  #damaged = 0;

  constructor(context: RescueContext, at: number, role: JsonRole) {
    this.#context = context;
    this.#text = context.text;
    this.#role = role;
    this.#block = { start: at, end: at, elements: [], repairs: this.#log.repairs, isOpen: false };
  }

  read(): CallBlock {
    const { start } = this.#block;
    if (this.#text.charAt(start) === '[') this.#readList(start + 1);
    else this.#readElement(start);
    if (!this.#block.failure && !this.#block.isOpen)
      this.#block.end = skipExtraClosers(this.#text, this.#block.end, this.#log);
    this.#context.meter.steps += this.#block.elements.length + 1;
    return this.#block;
  }

  #readElement(at: number, isListed = false): void {
    // Where one element is damaged most of the others are, and for each a strict reading would look far ahead.
    const read = this.#damaged > 0 ? readTolerant : readJson;
    const reading = read(this.#context, at, this.#role);
    this.#block.end = reading.end;
    const { failure } = reading;
    if (failure || reading.repairs.length > 0) this.#damaged += 1;
    const badEnd = failure && isListed ? this.#findBadEnd(at, failure) : -1;
    if (badEnd !== -1) {
      this.#block.end = badEnd;
      this.#block.elements.push({ start: at, end: badEnd, reading });
    } else if (reading.failure) this.#block.failure = { ...reading.failure, value: reading.value };
    else this.#block.elements.push({ start: at, end: reading.end, reading });
    // If its bracket is missing at the end of the text, everything around it is open too.
    if (reading.isPartial && reading.end >= this.#text.length) this.#block.isOpen = true;
  }

  /** The end of an element that could not be read, if the list continues after it; otherwise -1. */
  #findBadEnd(at: number, { reason, at: failedAt, from }: ReadFailure): number {
    if (reason === 'malformed') return findElementEnd(this.#context, at, failedAt);
    return reason === 'truncated' && from !== undefined ? findNextElement(this.#context, at, from) : -1;
  }

  #readList(from: number): void {
    let at = from;
    let commaAt = from;
    while (!this.#block.failure) {
      at = skipBlank(this.#context, at, this.#log);
      const character = at === -1 ? '' : this.#text.charAt(at);
      if (character === ',') {
        commaAt = at;
        at += 1;
      } else if (character === '}' && commaAt === -1) {
        this.#log.add('extra-closer', at);
        at += 1;
      } else if (character === '' || this.#context.isStopAt(at) || character === ']') {
        return this.#endList(character, at, commaAt);
      } else {
        if (commaAt === -1) {
          this.#log.add('missing-comma', at);
          this.#damaged += 1;
        }
        if (this.#damaged > MAX_DAMAGED) return this.#fail(at);
        this.#readElement(at, true);
        at = this.#block.end;
        commaAt = -1;
      }
    }
  }

  #fail(at: number): void {
    this.#block.end = at;
    this.#block.failure = { reason: 'malformed', at, inside: 'the list', value: undefined };
  }

  #endList(character: string, at: number, commaAt: number): void {
    if (commaAt !== -1 && this.#block.elements.length > 0) this.#log.add('trailing-comma', commaAt);
    if (character === ']') {
      this.#block.end = at + 1;
      return;
    }
    this.#block.end = at === -1 ? this.#text.length : at;
    this.#block.isOpen = this.#block.end >= this.#text.length;
    this.#log.add('missing-closer', this.#block.end);
  }
}

const SEPARATORS = ' \t\r\n,;';

/**
 * The values of all blocks that follow each other, as one block. Null when no JSON that could contain a call begins at `at`.
 * A string that contains a whole call counts.
 */
export function readBlocks(context: RescueContext, at: number, role: JsonRole = 'call'): CallBlock | null {
  const blocks: CallBlock[] = [];
  let block = readOne(context, at, role);
  while (block) {
    blocks.push(block);
    block = block.failure ? null : readOne(context, skip(context, block.end), role);
  }
  const last = blocks.at(-1);
  if (!last || blocks.length === 1) return last ?? null;
  const elements = blocks.flatMap((item) => item.elements);
  return { ...last, start: at, elements, repairs: blocks.flatMap(({ repairs }) => repairs) };
}

function readOne(context: RescueContext, at: number, role: JsonRole): CallBlock | null {
  return isQuote(context.text.charAt(at)) ? readTextBlock(context, at) : readCallBlock(context, at, role);
}

/** Reads a string that contains a call, encoded once too often. Null for other strings. */
function readTextBlock(context: RescueContext, at: number): CallBlock | null {
  const reading = readJson(context, at);
  if (reading.failure || typeof reading.value !== 'string') return null;
  if (decodeJsonText(reading.value) === undefined) return null;
  const element = { start: at, end: reading.end, reading };
  return { start: at, end: reading.end, elements: [element], repairs: [], isOpen: false };
}

function skip(context: RescueContext, from: number): number {
  let at = from;
  while (at < context.text.length && SEPARATORS.includes(context.text.charAt(at))) at += 1;
  return at;
}
