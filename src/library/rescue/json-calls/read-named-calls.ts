// Reads calls whose tool is named between tokens, with the arguments in JSON after the name. The spelling is data;
// independent of particular formats.
import { skipWhite } from '../text/white-space';
import { RepairLog } from '../core/repair-log';
import { rejectCut } from '../core/refusals';
import type { RescueContext } from '../core/rescue-context';
import { MOST_CALLS, toFailedEmission, toRejectionReading } from '../core/rescue-format';
import type { FormatReading, ReadCall, RejectionReading } from '../core/rescue-format';
import { readArguments, rejectArguments } from './read-arguments';
import type { ArgumentsReading } from './read-arguments';
import { findNextCall, isCutBefore, skipToken } from './token';
import type { Token } from './token';

export interface NameReading {
  name: string;
  end: number;
  /** The id that is written together with the name. */
  id?: string | undefined;
}

export interface NamedSpelling {
  /** Tokens around all calls of an emission. */
  wrapper?: { open: Token; close: Token } | undefined;
  /** Tokens before the name, in this order. */
  open: readonly Token[];
  /** Tokens between the name and the arguments, in this order. */
  separators: readonly Token[];
  /** Kind of the repair where one of them is missing. @default 'missing-separator' */
  separatorDamage?: string | undefined;
  /** Tokens after the arguments, in this order; empty where a call ends only where something else begins. */
  closers: readonly Token[];
  /** Whether a code fence around the arguments is usual in this form; elsewhere it is damage. */
  isFenced?: boolean | undefined;
  /** Matches what another format writes in place of the arguments; a call with it belongs to that format. */
  foreignBody?: RegExp | undefined;
  /** Reads the name of a tool; null when there is none. @default a word without brackets and quotes */
  readName?: ((context: RescueContext, at: number, log: RepairLog) => NameReading | null) | undefined;
  /**
   * For tokens with more spellings than can be listed. Returns the end of the token at `at`; -1 when it is not there.
   * @default compares with the token as it is written, without regard to ASCII case
   */
  matchToken?: (context: RescueContext, at: number, token: string, log: RepairLog) => number;
}

const LONGEST_NAME = 128;
/** ASCII characters before which a name ends. */
const NAME_ENDS = new Uint8Array(128);
for (const character of ' \t\r\n<>{}[]()"\'`|') NAME_ENDS[character.charCodeAt(0)] = 1;

/**
 * Null when no call of this spelling begins at `at`.
 * @param head The name of the first call, if no token opens it. That is damage, unless the spelling has no such token.
 */
export function readNamedCalls(
  context: RescueContext,
  at: number,
  spelling: NamedSpelling,
  head?: NameReading,
): FormatReading | null {
  return new NamedReader(context, at, spelling).read(head);
}

/** Reads a word without white space, brackets, quotes and bars; null when there is none. */
export function readPlainName({ text, dialects }: RescueContext, at: number): NameReading | null {
  const { tagCharacters } = dialects;
  const limit = Math.min(text.length, at + LONGEST_NAME + 1);
  let end = at;
  while (end < limit && !isNameEnd(text, end, tagCharacters)) end += 1;
  return end === at || end > at + LONGEST_NAME ? null : { name: text.slice(at, end), end };
}

function isNameEnd(text: string, at: number, tagCharacters: string): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? NAME_ENDS[code] === 1 : code === 0xff5c || tagCharacters.includes(text.charAt(at));
}

class NamedReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #spelling: NamedSpelling;
  readonly #start: number;
  readonly #log = new RepairLog();
  readonly #calls: ReadCall[] = [];
  #at: number;
  #isOpen = false;
  #failure: RejectionReading | undefined;

  constructor(context: RescueContext, at: number, spelling: NamedSpelling) {
    this.#context = context;
    this.#text = context.text;
    this.#spelling = spelling;
    this.#start = at;
    this.#at = at;
  }

  read(head?: NameReading): FormatReading | null {
    const { wrapper } = this.#spelling;
    const hasWrapper = wrapper !== undefined && !head && this.#skip(wrapper.open);
    if (wrapper && !hasWrapper) this.#log.add('missing-open-tag', this.#start);
    // A spelling without tokens before the name cannot miss one.
    const isOpened = this.#spelling.open.length === 0;
    let isCall = head ? this.#readNamed(head, this.#start, isOpened) : this.#readCall();
    while (isCall && this.#calls.length <= MOST_CALLS) isCall = this.#readCall();
    this.#context.meter.spend(this.#start, this.#at);
    const emission = { start: this.#start, calls: this.#calls, repairs: this.#log.repairs };
    if (this.#failure) return toFailedEmission(emission, this.#failure);
    if (this.#calls.length === 0) return null;
    if (wrapper && !this.#skip(wrapper.close) && hasWrapper) this.#endWithout(wrapper.close, this.#log);
    return { ...emission, kind: 'calls', end: this.#at, isOpen: this.#isOpen, isWhole: true };
  }

  #skip(token: Token): boolean {
    const end = this.#findEnd(token, this.#log);
    if (end !== -1) this.#at = end;
    return end !== -1;
  }

  /** The end of the token that follows; -1 when another text does. */
  #findEnd(token: Token, log: RepairLog): number {
    const { matchToken } = this.#spelling;
    if (!matchToken) return skipToken(this.#text, this.#at, token);
    return skipToken(this.#text, this.#at, token, (_, at, spelling) =>
      matchToken(this.#context, at, spelling, log),
    );
  }

  /** Handles a closer that is missing, or cut off because the text ends. */
  #endWithout(closer: Token, log: RepairLog): void {
    log.add('missing-close-tag', this.#at);
    if (!isCutBefore(this.#text, this.#at, closer)) return;
    this.#isOpen = true;
    this.#at = this.#text.length;
  }

  /** Reads the next call. Returns false when none begins, or when it cannot be read. */
  #readCall(): boolean {
    const before = this.#at;
    const isRead = this.#readOpened(skipWhite(this.#text, before));
    if (!isRead && !this.#failure) this.#at = before;
    return isRead;
  }

  #readOpened(start: number): boolean {
    const { open, readName = readPlainName } = this.#spelling;
    const opened = open.filter((token) => this.#skip(token)).length;
    if (opened === 0) return false;
    const at = skipWhite(this.#text, this.#at);
    const named = readName(this.#context, at, this.#log);
    if (named) return this.#readNamed(named, start, opened === open.length);
    return (
      at >= this.#text.length && this.#fail(rejectCut(this.#context, start, undefined, 'before its name'))
    );
  }

  /** @param isOpened Whether no token before the name is missing. */
  #readNamed(named: NameReading, start: number, isOpened: boolean): boolean {
    const log = new RepairLog();
    if (!isOpened) log.add('missing-open-tag', start);
    this.#at = named.end;
    for (const token of this.#spelling.separators) {
      if (!this.#skip(token)) log.add(this.#separatorDamage, this.#at);
      else if (this.#skip(token)) log.add('broken-tag', this.#at, 'the token is written twice');
    }
    const reading = readArguments(this.#context, this.#at, this.#spelling.isFenced);
    if (!reading) return this.#readNone(named, start, log);
    log.addAll(reading.repairs);
    if (reading.failure) {
      const next = this.#findNextCall(reading.start);
      return this.#fail(rejectArguments(this.#context, { start, name: named.name }, reading.failure, next));
    }
    this.#at = reading.end;
    if (reading.isFenceOpen) log.add('missing-close-tag', reading.end);
    return this.#add(named, start, log, reading);
  }

  /** Handles a call without arguments: the closer follows, the text ends, or it is no call. */
  #readNone(named: NameReading, start: number, log: RepairLog): boolean {
    const { name } = named;
    const at = skipWhite(this.#text, this.#at);
    const [closer] = this.#spelling.closers;
    const isClosed = closer !== undefined && this.#findEnd(closer, new RepairLog()) !== -1;
    if (isClosed) return this.#add(named, start, log);
    if (at >= this.#text.length)
      return this.#fail(rejectCut(this.#context, start, name, 'before its arguments'));
    const isMeant = !log.repairs.some(({ kind }) => kind === this.#separatorDamage);
    // Its arguments may be written in another format.
    const isForeign = this.#spelling.foreignBody?.test(this.#text.slice(at, at + LONGEST_NAME)) === true;
    if (!isMeant || isForeign || !this.#context.tools.resolve(name)) return false;
    const detail = `The call of \`${name}\` cannot be read at offset ${at}: expected \`{\`.`;
    const end = this.#findNextCall(at) ?? this.#context.findLineEnd(at);
    return this.#fail(toRejectionReading({ start, end }, name, { reason: 'malformed', detail }));
  }

  get #separatorDamage(): string {
    return this.#spelling.separatorDamage ?? 'missing-separator';
  }

  #add({ name, id }: NameReading, start: number, log: RepairLog, body?: ArgumentsReading): true {
    for (const token of this.#spelling.closers) if (!this.#skip(token)) this.#endWithout(token, log);
    const { repairs } = log;
    const { value, issues } = body ?? {};
    this.#calls.push({ name, arguments: value, id, start, end: this.#at, repairs, issues });
    return true;
  }

  #findNextCall(from: number): number | undefined {
    const { closers, open } = this.#spelling;
    return findNextCall(this.#context, from, closers[0], open[0]);
  }

  #fail(rejection: RejectionReading): false {
    this.#failure = rejection;
    return false;
  }
}
