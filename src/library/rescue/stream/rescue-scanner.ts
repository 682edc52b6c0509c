// The rescue of a reply that arrives piece by piece: what is surely text goes on at once, what may be a call is held
// back until that is known. The report is made of the whole reply, so the pieces never change it.
import type { RescueReport, ToolType } from '../../../types';
import { InvalidOptionsError } from '../../errors';
import { DIALECTS } from '../formats/dialects';
import type { Span } from '../text/cut-text';
import { findOpeners, LARGEST_TEXT, scanReply } from '../decide/scan-reply';
import type { RescueOptions } from '../decide/scan-reply';
import { ToolIndex } from '../core/tool-index';
import { judgeHeld } from './judge-held';
import type { Judges, Verdict } from './judge-held';
import { StartIndex } from './start-index';
import { cutCalls } from './cut-calls';
import { StrippedThinking } from './stripped-thinking';
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
/** What makes a line's start of a place: white space, and a tag or a line break before it. */
const LONGEST_START = 12;
const LONGEST_NAME = 128;

/**
 * Takes a reply in pieces and gives back its text as far as that is surely no call; nothing is given twice or taken
 * back. After `finish` the pieces given, the rest and the calls of the report are the whole reply, each character once.
 *
 * - Of a call with a marker (`evidence: 'marker'`) nothing is given: it is held from its opener, and from the words before
 *   it that belong to it, until it is closed or is none. There are these exceptions:
 *   - An opener that is damaged beyond recognition is given, up to the tool's name.
 *   - Where more text may yet make code or thinking of a place (backticks that have not closed on its line, thinking of
 *     another kind in thinking, a tool's result without its end) text is held for that, 64 KiB at most. Then it is taken
 *     as it stands, and so is a tag of thinking inside something that looked like prose: a call after it may be given.
 *   - With `includeReasoning` a call in code or in a quote is given, although a later closing tag of reasoning may make it count.
 * - A form without a marker is held where a line, a code fence or a tool's name begins it, until more text rules it out,
 *   64 KiB at most. What does not begin like that, or is longer, is given as text although it may be a call in the end.
 * - What is held as a call and is none in the end comes with the rest: one that a later closing tag of reasoning turns into thinking, and
 *   one in thinking of which only the end of the reply tells where it ended.
 */
export class RescueScanner {
  readonly #tools: readonly ToolType[];
  readonly #options: Omit<RescueOptions, 'finishReason'>;
  readonly #judges: Judges;
  readonly #watch: TextWatch;
  readonly #canCall: boolean;
  readonly #stripped = new StrippedThinking(DIALECTS.regions.stripped);
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
  /** What stands before it was read. */
  #judgedTo = 0;
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
      dialects: DIALECTS,
      openers: findOpeners(formats),
      includeReasoning: includeReasoning === true,
    };
    this.#watch = new TextWatch(new StartIndex(index.names, formats), DIALECTS.regions.reasoning);
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
    const given = this.#leaveStripped(chunk);
    if (!this.#isCandidate) return given + this.#scan();
    return this.#heldLength < this.#lookAt ? given : given + this.#judge();
  }

  /**
   * Ends the reply. Called again it gives the same result.
   * @param ending `report`: what `rescueToolCalls` gave for the whole reply, where it was called already; then nothing is
   * parsed again
   */
  finish(ending: Pick<RescueOptions, 'finishReason'> & { report?: RescueReport } = {}): ScannerResult {
    if (this.#result) return this.#result;
    const text = this.#pieces.join('');
    const report = ending.report ?? this.#scanWhole(text, ending.finishReason);
    const held = [...this.#calls, { start: this.#base, end: text.length }];
    this.#result = { report, rest: cutCalls(text, held, report.calls) };
    return this.#result;
  }

  #scanWhole(text: string, finishReason: string | undefined): RescueReport {
    const { report, steps } = scanReply(text, this.#tools, { ...this.#options, finishReason });
    this.#steps += steps;
    return report;
  }

  /** Thinking that only words tell: it takes in whatever stands before its end. */
  #leaveStripped(chunk: string): string {
    const wasOn = this.#stripped.isOn;
    const end = this.#stripped.add(chunk);
    if (!wasOn && this.#stripped.isOn) this.#watch.thinking = this.#stripped.thinking;
    if (end === undefined) return '';
    if (this.#judges.includeReasoning) {
      this.#watch.thinking = 'closed';
      return '';
    }
    const from = this.#before.length;
    const text = this.#before + this.#joinHeld();
    const base = this.#base - from;
    const at = Math.max(from, end - base);
    const lineFrom = text.lastIndexOf('\n', at - 1) + 1;
    this.#watch.enter(text, at, base, { thinking: 'closed', isQuote: false, lineFrom });
    this.#keep(text, from, { at, isCandidate: false });
    return text.slice(from, at);
  }

  #scan(): string {
    const text = this.#joinHeld();
    const stop = this.#watch.scan(text, { from: 0, to: toWholeEnd(text), base: this.#base });
    this.#steps += stop.at + 1;
    this.#keep(text, 0, stop);
    const given = text.slice(0, stop.at);
    return this.#isCandidate && this.#heldLength >= this.#lookAt ? given + this.#judge() : given;
  }

  #judge(): string {
    const held = this.#joinHeld();
    const { before, walkFrom } = this.#lookBack();
    const from = before.length;
    const text = before + held;
    const verdict = judgeHeld(
      {
        // a run of backticks at the end may become a longer one
        text: text.slice(0, findRunStart(text)),
        from,
        thinking: this.#watch.thinking,
        walkFrom,
      },
      this.#judges,
    );
    this.#steps += verdict.steps;
    return this.#apply(text, from, verdict);
  }

  /**
   * What stands before the held text, as far as it is looked back at, and where in it thinking or code opened that the
   * text may be in. What is too far away for that is put before it again: only what opened it matters.
   */
  #lookBack(): { before: string; walkFrom?: number } {
    const before = this.#before;
    const { openCode, opening = '' } = this.#watch;
    if (!openCode && opening === '') return { before, walkFrom: this.#findName(before) };
    const at = openCode ? openCode.at - (this.#base - before.length) : -1;
    // that a line begins with them shows in what stands before them
    if (opening === '' && (at >= LONGEST_START || before.length === this.#base))
      return { before, walkFrom: at };
    const marks = openCode ? `x${'`'.repeat(openCode.length)} ` : '';
    return { before: `${opening}${marks}${before.slice(-1)}`, walkFrom: 0 };
  }

  /** An offered tool's name may be the end of a longer one, which was taken for prose. */
  #findName(before: string): number {
    const floor = Math.max(0, before.length - Math.min(LONGEST_NAME, this.#base - this.#judgedTo));
    let at = before.length;
    while (at > floor && /[\w.-]/.test(before.charAt(at - 1))) at -= 1;
    return at;
  }

  /** Gives the text between the calls, and goes on after what is decided. */
  #apply(text: string, from: number, { calls, decidedTo, isPending, state }: Verdict): string {
    const base = this.#base - from;
    this.#judgedTo = base + decidedTo;
    if (decidedTo > from) this.#watch.enter(text, decidedTo, base, state);
    const stop = isPending
      ? { at: decidedTo, isCandidate: true }
      : this.#watch.scan(text, { from: decidedTo, to: toWholeEnd(text), base });
    this.#keep(text, from, stop);
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
    this.#before = (this.#before + text.slice(from, at)).slice(-LOOK_BACK);
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
