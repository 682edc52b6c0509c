// Rescues the calls of a reply that arrives in pieces: certain text is passed on at once, and a possible call is held back
// until it is decided. The report is built from the whole reply, so it does not depend on how the reply was split.
import type { RescueReport, ToolType } from '../../../types';
import { InvalidOptionsError } from '../../errors';
import { DIALECTS } from '../formats/dialects';
import type { Span } from '../text/cut-text';
import { RegionState } from '../regions/region-state';
import { toReadableTools } from '../../util/standard-schema';
import { findOpeners, LARGEST_TEXT, scanReply, toFormats } from '../decide/scan-reply';
import type { RescueOptions } from '../decide/scan-reply';
import { ToolIndex } from '../core/tool-index';
import { judgeHeld } from './judge-held';
import type { Judges, HeldDecision } from './judge-held';
import { StartIndex } from './start-index';
import { cutCalls } from './cut-calls';
import { StrippedReasoningEnd } from './stripped-reasoning-end';
import { TextWatch } from './text-watch';
import type { Stop } from './text-watch';

/** The result for a whole reply. */
export interface ScannerResult {
  /** The same report that `rescueToolCalls` returns for the whole reply. */
  report: RescueReport;
  /** The text that was held back and is not part of a call, in the order of the text. */
  rest: string;
}

/** Held text is judged when it has this length, in UTF-16 code units, and again each time it has doubled. */
const FIRST_LOOK = 128;
/** Parsers look back at most this far, in UTF-16 code units. */
const LOOK_BACK = 512;
/** Length of the text that tells whether a place begins its line: white space, and a tag or a line break before that. */
const LONGEST_START = 12;
const LONGEST_NAME = 128;

/**
 * Takes a reply in pieces. `feed` returns the text that is certainly not part of a call and holds the rest back; no text is
 * returned twice or withdrawn. After `finish`, the returned texts, `rest` and the calls of the report make up the whole
 * reply, each character once.
 *
 * - A call with a marker (`evidence: 'marker'`) is held back from its opener on, with the words before it that belong to it,
 *   until it is closed or turns out not to be a call. Where only later text shows the call, it may be returned as text:
 *   - An opener that is damaged beyond recognition, up to the tool's name: nothing before the name tells it from prose.
 *   - A call after a place that more text may still turn into code or reasoning (backticks that are not closed on their
 *     line, reasoning of another kind inside reasoning, a tool's result without its end), when more than 64 KiB would be held
 *     back for that: otherwise a stray backtick would hold back the rest of the reply. The text is then read as it stands,
 *     and so is a reasoning tag inside something that looked like prose.
 *   - With `includeReasoning`, a call in code or in a quote that counts because a later closing tag turns everything before
 *     it into reasoning: to wait for that tag would be to hold back all code.
 * - A call without a marker is held back if it begins with a line, a code fence or a tool's name, until more text rules it
 *   out, 64 KiB at most. A call that begins otherwise, or is longer, is returned as text, although it may count in the end.
 * - Text that was held back as a call and turns out not to be one is part of `rest`: a call that a later closing tag turns
 *   into reasoning, and a call in reasoning whose end only the end of the reply shows.
 */
export class RescueScanner {
  readonly #tools: readonly ToolType[];
  readonly #options: Omit<RescueOptions, 'finishReason'>;
  readonly #judges: Judges;
  readonly #watch: TextWatch;
  /** The regions around the start of the held text. */
  #state = new RegionState();
  readonly #canCall: boolean;
  readonly #stripped = new StrippedReasoningEnd(DIALECTS.regions.stripped);
  /** The reply so far. */
  #text = '';
  /** The end of it that was not returned yet. */
  #held = '';
  /** Offset of the held text in the whole reply. */
  #base = 0;
  /** The text directly before the held text, LOOK_BACK characters at most. */
  #before = '';
  /** Whether the held text may begin a call; otherwise it is only too short to tell. */
  #isCandidate = false;
  #lookAt = 0;
  /** Offset in the whole reply up to which text was judged. */
  #judgedTo = 0;
  /** Spans of the calls that were recognized before the end of the reply. */
  readonly #calls: Span[] = [];
  #result: ScannerResult | undefined;
  #steps = 0;

  constructor(tools: readonly ToolType[], options: Omit<RescueOptions, 'finishReason'> = {}) {
    this.#tools = toReadableTools(tools);
    // Callers without type checks may pass anything.
    this.#options = options ?? {};
    const { includeReasoning } = this.#options;
    const formats = toFormats(this.#options.formats);
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

  /** Number of characters looked at so far; proportional to the text, however it is split. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Adds a piece of the reply.
   * @returns the text that may be shown now, perhaps ''
   * @throws InvalidOptionsError after `finish`
   */
  feed(chunk: string): string {
    if (this.#result) throw new InvalidOptionsError('feed', 'was called after finish');
    if (typeof chunk !== 'string' || chunk === '') return '';
    this.#text += chunk;
    this.#held += chunk;
    // Beyond the size limit, or without tools, nothing is a call.
    if (this.#text.length > LARGEST_TEXT || !this.#canCall) return this.#giveAll();
    const given = this.#leaveStripped(chunk);
    if (!this.#isCandidate) return given + this.#scan();
    return this.#held.length < this.#lookAt ? given : given + this.#judge();
  }

  /**
   * Ends the reply. Further calls return the same result.
   * @param ending `report`: the report of `rescueToolCalls` for the whole reply, if there is one already; nothing is then
   *   parsed again
   */
  finish(ending: Pick<RescueOptions, 'finishReason'> & { report?: RescueReport } = {}): ScannerResult {
    if (this.#result) return this.#result;
    const { finishReason, report: given } = ending ?? {};
    const report = Array.isArray(given?.calls) ? given : this.#scanWhole(finishReason);
    const held = [...this.#calls, { start: this.#base, end: this.#text.length }];
    this.#result = { report, rest: cutCalls(this.#text, held, report.calls) };
    return this.#result;
  }

  #scanWhole(finishReason: string | undefined): RescueReport {
    const { report, steps } = scanReply(this.#text, this.#tools, { ...this.#options, finishReason });
    this.#steps += steps;
    return report;
  }

  /**
   * Returns the held text up to the end of reasoning that only words delimit. Calls that were held inside it are reasoning
   * too.
   */
  #leaveStripped(chunk: string): string {
    const wasOn = this.#stripped.isOn;
    const end = this.#stripped.add(chunk);
    if (!wasOn && this.#stripped.isOn) this.#state.reasoning = this.#stripped.reasoning;
    if (end === undefined) return '';
    if (this.#judges.includeReasoning) {
      this.#state.reasoning = 'closed';
      return '';
    }
    const from = this.#before.length;
    const text = this.#before + this.#held;
    const at = Math.max(from, end - (this.#base - from));
    this.#state = new RegionState(text, at, text.lastIndexOf('\n', at - 1) + 1);
    this.#state.reasoning = 'closed';
    this.#keep(text, from, { at, isCandidate: false });
    return text.slice(from, at);
  }

  #scan(): string {
    const text = this.#held;
    const stop = this.#watch.scan(text, 0, this.#state);
    this.#steps += stop.at + 1;
    this.#keep(text, 0, stop);
    const given = text.slice(0, stop.at);
    return this.#isCandidate && this.#held.length >= this.#lookAt ? given + this.#judge() : given;
  }

  #judge(): string {
    const { before, walkFrom } = this.#lookBack();
    const from = before.length;
    const text = before + this.#held;
    const verdict = judgeHeld(
      {
        // A run of backticks at the end may become longer with the next piece.
        text: text.slice(0, findRunStart(text)),
        from,
        reasoning: this.#state.reasoning,
        walkFrom,
      },
      this.#judges,
    );
    this.#steps += verdict.steps;
    return this.#apply(text, from, verdict);
  }

  /**
   * The text before the held text, as far as parsers look back, and where in it code or reasoning opened that may contain
   * the held text. An opener that is too far back is repeated before the text: nothing else of what lies between matters.
   */
  #lookBack(): { before: string; walkFrom: number } {
    const before = this.#before;
    const { code, opening = '' } = this.#state;
    if (!code && opening === '') return { before, walkFrom: this.#findName(before) };
    const at = code ? before.length - code.distance : -1;
    // Enough text before the backticks is there to tell whether they begin a line.
    if (opening === '' && (at >= LONGEST_START || before.length === this.#base))
      return { before, walkFrom: at };
    const marks = code ? `x${'`'.repeat(code.length)} ` : '';
    return { before: `${opening}${marks}${before.slice(-1)}`, walkFrom: 0 };
  }

  /**
   * The start of the name directly before the held text: a tool's name may be the end of a longer one that looked like
   * prose.
   */
  #findName(before: string): number {
    const floor = Math.max(0, before.length - Math.min(LONGEST_NAME, this.#base - this.#judgedTo));
    let at = before.length;
    while (at > floor && /[\w.-]/.test(before.charAt(at - 1))) at -= 1;
    return at;
  }

  /** Returns the text between the calls, and continues after the decided part. */
  #apply(text: string, from: number, { calls, decidedTo, isPending, state }: HeldDecision): string {
    const base = this.#base - from;
    this.#judgedTo = base + decidedTo;
    if (decidedTo > from) this.#state = state;
    const stop = isPending
      ? { at: decidedTo, isCandidate: true }
      : this.#watch.scan(text, decidedTo, this.#state);
    this.#keep(text, from, stop);
    for (const { start, end } of calls) this.#calls.push({ start: base + start, end: base + end });
    return cutCalls(text, [{ start: from, end: stop.at }], calls);
  }

  #keep(text: string, from: number, { at, isCandidate }: Stop): void {
    this.#base += at - from;
    this.#before = (this.#before + text.slice(from, at)).slice(-LOOK_BACK);
    this.#held = text.slice(at);
    this.#isCandidate = isCandidate;
    this.#lookAt = Math.max(FIRST_LOOK, 2 * this.#held.length);
  }

  #giveAll(): string {
    const text = this.#held;
    this.#base += text.length;
    this.#held = '';
    return text;
  }
}

function findRunStart(text: string): number {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 96) end -= 1;
  return end;
}
