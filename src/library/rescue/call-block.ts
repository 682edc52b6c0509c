// Values side by side as calls are written: one object, a list of them, or several in a row. Knows no wrapper.
import type { RescueRepair } from '../../types';
import { skipBlank, skipWhite } from './json/blank';
import type { JsonFailure, JsonReading, JsonRole } from './json/json-reading';
import { readJson } from './json/read-json';
import { RepairLog } from './json/repair-log';
import { isKeyAhead, isQuote } from './json/strings';
import { isStopAt } from './json/tolerant-reader';
import { findWordEnd } from './json/words';
import type { RescueContext } from './rescue-context';

export interface BlockElement {
  start: number;
  end: number;
  reading: JsonReading;
}

export interface CallBlock {
  start: number;
  end: number;
  elements: BlockElement[];
  /** Damage of the list around the elements. */
  repairs: readonly RescueRepair[];
  /** The text ended before the list was closed. */
  isOpen: boolean;
  /** Where the element after the last one stopped being JSON, with what was read of it. */
  failure?: (JsonFailure & { value: unknown }) | undefined;
}

/** Null when no object and no list of objects begins at `at`. Costs little then. */
export function readCallBlock(context: RescueContext, at: number, role: JsonRole = 'call'): CallBlock | null {
  const { lastBlock } = context;
  if (lastBlock?.at === at && lastBlock.role === role) return lastBlock.block;
  const block = startsBlock(context.text, at) ? new BlockReader(context, at, role).read() : null;
  context.lastBlock = { at, role, block };
  return block;
}

/** Past closing brackets that nothing opened, which are noted. */
export function skipExtraClosers(text: string, from: number, log: RepairLog): number {
  let end = from;
  for (;;) {
    const next = skipWhite(text, end);
    const character = text.charAt(next);
    if (character !== '}' && character !== ']') return end;
    log.add('extra-closer', next);
    end = next + 1;
  }
}

/** Looks no farther than the first key: most brackets of a text are no JSON. */
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

class BlockReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #role: JsonRole;
  readonly #log = new RepairLog();
  readonly #block: CallBlock;

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

  #readElement(at: number): void {
    const reading = readJson(this.#context, at, this.#role);
    this.#block.end = reading.end;
    if (reading.failure) this.#block.failure = { ...reading.failure, value: reading.value };
    else this.#block.elements.push({ start: at, end: reading.end, reading });
    // with its bracket missing at the end of the text, whatever is around it is open as well
    if (reading.isPartial && reading.end >= this.#text.length) this.#block.isOpen = true;
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
      } else if (character === '' || isStopAt(this.#text, at) || character === ']') {
        return this.#endList(character, at, commaAt);
      } else {
        if (commaAt === -1) this.#log.add('missing-comma', at);
        this.#readElement(at);
        at = this.#block.end;
        commaAt = -1;
      }
    }
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
