// Reads adjacent calls as programs write them: in a list, on lines of their own, or separated by semicolons. Independent of
// wrappers.
import { findEarlyEnd } from './early-end';
import type { ReadFailure } from '../core/json-reading';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, ReadCall } from '../core/rescue-format';
import { judgeRest, skipPythonBlank } from './python-syntax';
import { readPythonCall } from './read-python-call';
import { findNameEnd } from '../text/names';

export interface RunFailure extends ReadFailure {
  /** Name of the call that could not be read. */
  name?: string | undefined;
  start: number;
}

/** The calls without their wrapper. It ends after the last call, its list, or the separator after it. */
export interface CallRun extends CallsReading {
  isList: boolean;
  /** Set if a call after these could not be read. */
  damage?: RunFailure | undefined;
}

export interface CallRunOptions {
  /** Whether a call on a further line does not belong to the run, unless in a list. @default false */
  isLine?: boolean | undefined;
}

/** Null when at `at` there is neither a call nor a list that begins with one, not even the beginning of either. */
export function readCallRun(
  context: RescueContext,
  at: number,
  options: CallRunOptions = {},
): CallRun | null {
  const isList = context.text.charAt(at) === '[';
  const first = isList ? skipPythonBlank(context, at + 1) : at;
  if (findNameEnd(context.text, first) === first) return null;
  const run = new CallRunReader(context, at, isList, options).read(first);
  const { calls, damage } = run;
  const isOther = calls.length === 0 && damage?.reason === 'malformed' && damage.name === undefined;
  return isOther ? null : run;
}

class CallRunReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #options: CallRunOptions;
  readonly #log = new RepairLog();
  readonly #start: number;
  readonly #isList: boolean;
  readonly #calls: ReadCall[] = [];
  #end: number;
  #isOpen = false;
  #damage: RunFailure | undefined;
  #isDone = false;

  constructor(context: RescueContext, start: number, isList: boolean, options: CallRunOptions) {
    this.#context = context;
    this.#text = context.text;
    this.#options = options;
    this.#start = start;
    this.#end = start;
    this.#isList = isList;
  }

  read(first: number): CallRun {
    let at = first;
    while (!this.#isDone) {
      this.#readCall(at);
      if (!this.#isDone) at = this.#readSeparator();
    }
    this.#context.meter.spend(this.#start, this.#start + 1);
    return {
      kind: 'calls',
      start: this.#start,
      end: this.#end,
      calls: this.#calls,
      repairs: this.#log.repairs,
      isList: this.#isList,
      isOpen: this.#isOpen,
      damage: this.#damage,
    };
  }

  #readCall(at: number): void {
    const read = readPythonCall(this.#context, at);
    if (!read) return this.#endWithoutCall(at);
    const { call, failure, name, start, end } = read;
    if (failure) return this.#fail({ ...failure, name, start });
    if (this.#isExpression(end)) {
      const inside = 'what is done with its result';
      return this.#fail({ reason: 'non-literal-argument', at: end, inside, name: call.name, start });
    }
    const early = findEarlyEnd(this.#context, call, end);
    if (early) return this.#fail({ ...early, name: call.name, start });
    this.#calls.push(call);
    this.#end = end;
  }

  /** Whether the call is part of an expression to be evaluated: `f(…).text`, `f(…)[0]` or `f(…) for …`. */
  #isExpression(end: number): boolean {
    const character = this.#text.charAt(end);
    if (character === '[' || character === '(') return !this.#context.isStopAt(end);
    if (character === '.') return findNameEnd(this.#text, end + 1) > end + 1;
    const next = this.#skip(end);
    const isWord = findNameEnd(this.#text, next) > next;
    return this.#isList && isWord && judgeRest(this.#text, next) === 'non-literal-argument';
  }

  /** Returns the offset of the next call. */
  #readSeparator(): number {
    if (!this.#isList) this.#skipClosers();
    let at = this.#skip(this.#end);
    let commaAt = -1;
    while (at < this.#text.length && ',;'.includes(this.#text.charAt(at))) {
      commaAt = at;
      if (!this.#isList) this.#end = at + 1;
      at = this.#skip(at + 1);
    }
    if (this.#isList) this.#readListSign(at, commaAt);
    else if (findNameEnd(this.#text, at) === at) this.#isDone = true;
    else if (commaAt === -1 && this.#options.isLine === true) this.#isDone = true;
    return at;
  }

  #skipClosers(): void {
    for (; this.#text.charAt(this.#end) === ')'; this.#end += 1) this.#log.add('extra-closer', this.#end);
  }

  #readListSign(at: number, commaAt: number): void {
    const character = this.#text.charAt(at);
    if (character === ']') {
      if (commaAt !== -1) this.#log.add('trailing-comma', commaAt);
      this.#end = at + 1;
      this.#isDone = true;
    } else if (character === '' || this.#context.isStopAt(at)) {
      this.#log.add('missing-closer', at);
      this.#isOpen = character === '';
      this.#end = this.#isOpen ? at : this.#end;
      this.#isDone = true;
    } else if (commaAt === -1) this.#log.add('missing-comma', at);
  }

  #endWithoutCall(at: number): void {
    const nameEnd = findNameEnd(this.#text, at);
    this.#isDone = true;
    if (nameEnd > at && nameEnd === this.#text.length)
      this.#fail({ reason: 'truncated', at: nameEnd, inside: 'the name of a call', start: at });
    else if (this.#isList || this.#calls.length === 0)
      this.#fail({ reason: 'malformed', at, inside: 'the list of calls', start: at });
  }

  #fail(damage: RunFailure): void {
    this.#damage = damage;
    this.#isDone = true;
  }

  #skip(at: number): number {
    if (this.#options.isLine !== true || this.#isList) return skipPythonBlank(this.#context, at);
    let next = at;
    while (this.#text.charAt(next) === ' ' || this.#text.charAt(next) === '\t') next += 1;
    return next;
  }
}
