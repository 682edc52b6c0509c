// Reads adjacent calls as programs write them: in a list, on lines of their own, or separated by semicolons. Independent of
// wrappers.
import type { RescueRepair } from '../../../types';
import type { BracketFailure } from '../brackets/bracket-reader';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import type { ReadCall } from '../core/rescue-format';
import { judgeRest, skipPythonBlank } from './python-syntax';
import { readPythonCall } from './read-python-call';
import { findNameEnd } from '../text/names';

export interface RunFailure extends BracketFailure {
  /** Name of the call that could not be read. */
  name?: string | undefined;
  start: number;
}

interface Run {
  start: number;
  /** Offset after the last call, its list, or the separator after it. */
  end: number;
  calls: ReadCall[];
  repairs: readonly RescueRepair[];
  isList: boolean;
  /** Whether the text ended before the list was closed. */
  isOpen: boolean;
}

/** A run after whose calls there is one that could not be read. */
export interface FailedRun extends Run {
  failure: RunFailure;
}

export type CallRun = FailedRun | (Run & { failure?: undefined });

export interface RunOptions {
  /** Whether a call on a further line does not belong to the run, unless in a list. @default false */
  isLine?: boolean | undefined;
}

/** Null when at `at` there is neither a call nor a list that begins with one, not even the beginning of either. */
export function readCallRun(context: RescueContext, at: number, options: RunOptions = {}): CallRun | null {
  const isList = context.text.charAt(at) === '[';
  const first = isList ? skipPythonBlank(context, at + 1) : at;
  if (findNameEnd(context.text, first) === first) return null;
  const run = new RunReader(context, at, isList, options).read(first);
  const { calls, failure } = run;
  const isOther = calls.length === 0 && failure?.reason === 'malformed' && failure.name === undefined;
  return isOther ? null : run;
}

class RunReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #options: RunOptions;
  readonly #log = new RepairLog();
  readonly #run: Run;
  #failure: RunFailure | undefined;
  #isDone = false;

  constructor(context: RescueContext, start: number, isList: boolean, options: RunOptions) {
    this.#context = context;
    this.#text = context.text;
    this.#options = options;
    this.#run = { start, end: start, calls: [], repairs: this.#log.repairs, isList, isOpen: false };
  }

  read(first: number): CallRun {
    let at = first;
    while (!this.#isDone) {
      this.#readCall(at);
      if (!this.#isDone) at = this.#readSeparator();
    }
    this.#context.meter.spend(this.#run.start, this.#run.start + 1);
    return this.#failure ? { ...this.#run, failure: this.#failure } : this.#run;
  }

  #readCall(at: number): void {
    const run = this.#run;
    const read = readPythonCall(this.#context, at);
    if (!read) return this.#endWithoutCall(at);
    const { call, failure, name, start, end } = read;
    if (!call) {
      if (failure) this.#failure = { ...failure, name, start };
      this.#isDone = true;
      return;
    }
    run.calls.push(call);
    run.end = end;
    if (this.#isExpression(end)) this.#failExpression(end);
  }

  /** Whether the call is part of an expression to be evaluated: `f(…).text`, `f(…)[0]` or `f(…) for …`. */
  #isExpression(end: number): boolean {
    const character = this.#text.charAt(end);
    if (character === '[' || character === '(') return !this.#context.isStopAt(end);
    if (character === '.') return findNameEnd(this.#text, end + 1) > end + 1;
    const next = this.#skip(end);
    const isWord = findNameEnd(this.#text, next) > next;
    return this.#run.isList && isWord && judgeRest(this.#text, next) === 'non-literal-argument';
  }

  #failExpression(at: number): void {
    const call = this.#run.calls.pop();
    this.#run.end = this.#run.calls.at(-1)?.end ?? this.#run.start;
    const inside = 'what is done with its result';
    this.#failure = {
      reason: 'non-literal-argument',
      at,
      inside,
      name: call?.name,
      start: call?.start ?? at,
    };
    this.#isDone = true;
  }

  /** Returns the offset of the next call. */
  #readSeparator(): number {
    const run = this.#run;
    const { isList } = run;
    if (!isList) this.#skipClosers();
    let at = this.#skip(run.end);
    let commaAt = -1;
    while (at < this.#text.length && ',;'.includes(this.#text.charAt(at))) {
      commaAt = at;
      if (!isList) run.end = at + 1;
      at = this.#skip(at + 1);
    }
    if (isList) this.#readListSign(at, commaAt);
    else if (findNameEnd(this.#text, at) === at) this.#isDone = true;
    else if (commaAt === -1 && this.#options.isLine === true) this.#isDone = true;
    return at;
  }

  #skipClosers(): void {
    for (; this.#text.charAt(this.#run.end) === ')'; this.#run.end += 1)
      this.#log.add('extra-closer', this.#run.end);
  }

  #readListSign(at: number, commaAt: number): void {
    const run = this.#run;
    const character = this.#text.charAt(at);
    if (character === ']') {
      if (commaAt !== -1) this.#log.add('trailing-comma', commaAt);
      run.end = at + 1;
      this.#isDone = true;
    } else if (character === '' || this.#context.isStopAt(at)) {
      this.#log.add('missing-closer', at);
      run.isOpen = character === '';
      run.end = run.isOpen ? at : run.end;
      this.#isDone = true;
    } else if (commaAt === -1) this.#log.add('missing-comma', at);
  }

  #endWithoutCall(at: number): void {
    const { calls, isList } = this.#run;
    const nameEnd = findNameEnd(this.#text, at);
    const isCut = nameEnd > at && nameEnd === this.#text.length;
    this.#isDone = true;
    if (isCut) this.#fail('truncated', at, 'the name of a call');
    else if (isList || calls.length === 0) this.#fail('malformed', at, 'the list of calls');
  }

  #fail(reason: BracketFailure['reason'], at: number, inside: string): void {
    const end = reason === 'truncated' ? this.#text.length : at;
    this.#failure = { reason, at: end, inside, start: at };
  }

  #skip(at: number): number {
    if (this.#options.isLine !== true || this.#run.isList) return skipPythonBlank(this.#context, at);
    let next = at;
    while (this.#text.charAt(next) === ' ' || this.#text.charAt(next) === '\t') next += 1;
    return next;
  }
}
