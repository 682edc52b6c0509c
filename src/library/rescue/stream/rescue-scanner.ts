// The rescue of a reply that arrives piece by piece: what is surely text goes on at once, what may be a call is held
// back until that is known. The report is made of the whole reply, so the pieces never change it.
import type { RescueReport, ToolType } from '../../../types';
import { InvalidOptionsError } from '../../errors';
import type { Span } from '../cut-text';
import { findOpeners, LARGEST_TEXT, scanReply } from '../scan-reply';
import type { RescueOptions } from '../scan-reply';
import { ToolIndex } from '../tool-index';
import { judgeHeld } from './judge-held';
import type { Judges, Verdict } from './judge-held';
import { StartIndex } from './start-index';
import { TextWatch } from './text-watch';
import type { Stop } from './text-watch';

/** What a whole reply came to. */
export interface ScannerResult {
  /** What `rescueToolCalls` gives for the whole reply. */
  report: RescueReport;
  /** What was held back and is part of no call, in the order of the text. */
  rest: string;
}

/** Held text is looked at when there is as much, and then whenever it has doubled. */
const FIRST_LOOK = 128;
/** Readers look back no farther. */
const LOOK_BACK = 512;

/**
 * Takes a reply in pieces and gives back its text as far as that is surely no call; nothing is given twice or taken
 * back. After `finish` the pieces given, the rest and the calls of the report are the whole reply, each character once.
 *
 * - A call with a marker (`evidence: 'marker'`) is held from its opener until it is closed, or is none. In a reply where a
 *   stray backtick or an orphan end of thinking stands beside damaged tags, a part of one may be given as text; what
 *   `finish` reports is right then too.
 * - A form without a marker is held where a line, a code fence or a tool's name begins it, until more text rules it out,
 *   64 KiB at most. What does not begin like that, or is longer, is given as text although it may be a call in the end.
 * - A call that a later `</think>` turns into thinking comes with the rest.
 */
export class RescueScanner {
  readonly #tools: readonly ToolType[];
  readonly #options: Omit<RescueOptions, 'finishReason'>;
  readonly #judges: Judges;
  readonly #watch: TextWatch;
  readonly #canCall: boolean;
  /** The whole reply. */
  readonly #pieces: string[] = [];
  #length = 0;
  /** Not given yet; joined only when it is looked at. */
  #held: string[] = [];
  #heldLength = 0;
  /** Where the held text begins. */
  #base = 0;
  /** What stands before it. */
  #before = '';
  /** Where held text may be a call; else it only ends too early to tell. */
  #isCandidate = false;
  #lookAt = 0;
  /** Calls that were made on the way. */
  readonly #calls: Span[] = [];
  #result: ScannerResult | undefined;
  #steps = 0;

  constructor(tools: readonly ToolType[], options: Omit<RescueOptions, 'finishReason'> = {}) {
    // callers without types exist
    this.#tools = Array.isArray(tools) ? (tools as readonly ToolType[]) : [];
    this.#options = options ?? {};
    const { formats, includeReasoning } = this.#options;
    const index = new ToolIndex(this.#tools);
    this.#canCall = index.names.length > 0;
    this.#judges = {
      tools: index,
      openers: findOpeners(formats),
      includeReasoning: includeReasoning === true,
    };
    this.#watch = new TextWatch(new StartIndex(index.names, formats));
  }

  /** Characters looked at so far: in proportion to the text, however it is cut. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * @returns the text that may be shown now, perhaps ''
   * @throws InvalidOptionsError after `finish`
   */
  feed(chunk: string): string {
    if (this.#result) throw new InvalidOptionsError('feed', 'was called after finish');
    if (typeof chunk !== 'string' || chunk === '') return '';
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    this.#held.push(chunk);
    this.#heldLength += chunk.length;
    // beyond the limit, or without tools, nothing is a call
    if (this.#length > LARGEST_TEXT || !this.#canCall) return this.#giveAll();
    if (this.#isCandidate) return this.#heldLength < this.#lookAt ? '' : this.#judge();
    return this.#scan();
  }

  /** Ends the reply. Called again it gives the same result. */
  finish({ finishReason }: Pick<RescueOptions, 'finishReason'> = {}): ScannerResult {
    if (this.#result) return this.#result;
    const text = this.#pieces.join('');
    const { report, steps } = scanReply(text, this.#tools, { ...this.#options, finishReason });
    this.#steps += steps;
    const held = [...this.#calls, { start: this.#base, end: text.length }];
    this.#result = { report, rest: toRest(text, held, report.calls) };
    return this.#result;
  }

  #scan(): string {
    const text = this.#joinHeld();
    const stop = this.#watch.scan(text, { from: 0, to: toWholeEnd(text), free: 0, base: this.#base });
    this.#steps += stop.at + 1;
    this.#keep(text, 0, stop);
    const given = text.slice(0, stop.at);
    return this.#isCandidate && this.#heldLength >= this.#lookAt ? given + this.#judge() : given;
  }

  #judge(): string {
    const held = this.#joinHeld();
    const from = this.#before.length;
    const text = this.#before + held;
    // a run of backticks at the end may become a longer one
    const end = findRunStart(text);
    const base = this.#base - from;
    const codeAt = (this.#watch.openCodeAt ?? -1) - base;
    const verdict = judgeHeld(
      {
        text: text.slice(0, end),
        from,
        thinking: this.#watch.thinking,
        ...(codeAt >= this.#lastCallEnd() - base && codeAt >= 0 && { openCodeAt: codeAt }),
      },
      this.#judges,
    );
    this.#steps += verdict.steps;
    return this.#apply(text, from, verdict);
  }

  /** Gives the text between the calls, and goes on after what is decided. */
  #apply(text: string, from: number, { calls, reads, decidedTo, isPending }: Verdict): string {
    const base = this.#base - from;
    let watched = from;
    for (const { start, end } of reads) {
      this.#watch.scan(text, { from: watched, to: start, free: Infinity, base });
      this.#watch.jump(text, start, end);
      watched = end;
    }
    const bounds = isPending ? { to: decidedTo, free: Infinity } : { to: toWholeEnd(text), free: decidedTo };
    const stop = this.#watch.scan(text, { from: watched, base, ...bounds });
    this.#keep(text, from, isPending ? { at: decidedTo, isCandidate: true } : stop);
    const given: string[] = [];
    let at = from;
    for (const { start, end } of calls) {
      this.#calls.push({ start: base + start, end: base + end });
      given.push(text.slice(at, start));
      at = end;
    }
    given.push(text.slice(at, stop.at));
    return given.join('');
  }

  #keep(text: string, from: number, { at, isCandidate }: Stop): void {
    this.#base += at - from;
    this.#before = (this.#before.slice(0, Math.max(0, this.#before.length - from)) + text.slice(0, at)).slice(
      -LOOK_BACK,
    );
    const rest = text.slice(at);
    this.#held = rest === '' ? [] : [rest];
    this.#heldLength = rest.length;
    this.#isCandidate = isCandidate;
    this.#lookAt = Math.max(FIRST_LOOK, 2 * rest.length);
  }

  #giveAll(): string {
    const text = this.#joinHeld();
    this.#base += text.length;
    this.#held = [];
    this.#heldLength = 0;
    return text;
  }

  #joinHeld(): string {
    return this.#held.length === 1 ? (this.#held[0] ?? '') : this.#held.join('');
  }

  #lastCallEnd(): number {
    return this.#calls.at(-1)?.end ?? 0;
  }
}

function findRunStart(text: string): number {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 96) end -= 1;
  return end;
}

/** Half of a surrogate pair is not given alone. */
function toWholeEnd(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

/** The held stretches without the calls; both are in the order of the text. */
function toRest(text: string, held: readonly Span[], calls: readonly Span[]): string {
  const pieces: string[] = [];
  let index = 0;
  for (const { start, end } of held) {
    let from = start;
    while (index < calls.length && (calls[index]?.end ?? 0) <= start) index += 1;
    for (let next = index; next < calls.length && (calls[next]?.start ?? end) < end; next += 1) {
      const call = calls[next];
      if (!call) break;
      if (call.start > from) pieces.push(text.slice(from, call.start));
      from = Math.max(from, Math.min(end, call.end));
    }
    pieces.push(text.slice(from, end));
  }
  return pieces.join('');
}
