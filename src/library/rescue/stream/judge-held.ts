// What can be said of text that a stream holds back, while more of it may come: which calls are made, and up to where
// more text changes nothing. Knows no format by name.
import type { RescueEvidence } from '../../../types';
import { buildReport } from '../decide/build-report';
import { standsInData } from '../decide/quoted-data';
import type { Span } from '../text/cut-text';
import type { RegionKind } from '../regions/region-tracker';
import type { PriorThinking } from '../regions/reasoning-tags';
import type { OpenerIndex } from '../candidates/opener-index';
import { ReplyWalk } from '../walk/reply-walk';
import type { Look, WalkResult } from '../walk/reply-walk';
import type { Dialects } from '../core/dialects';
import { RescueContext } from '../core/rescue-context';
import type { CallsReading, FormatReading } from '../core/rescue-format';
import { Settler } from '../decide/settle-candidates';
import type { SettledCandidate, Settlement } from '../decide/settle-candidates';
import type { ToolIndex } from '../core/tool-index';
import { joinSpans } from './cut-calls';
import { HeldRegions } from './held-regions';
import { findLead, findLimit, findStart, findTail } from './held-tail';
import { isOpenThinking } from './stream-state';
import type { StreamState, StreamThinking } from './stream-state';

export interface HeldText {
  text: string;
  /** What stands before it is decided, and only looked back at. */
  from: number;
  /** Before `from`: here something opened, code or thinking, that may close yet. */
  walkFrom?: number | undefined;
  /** Before `from`. */
  thinking: StreamThinking;
}

export interface Judges {
  tools: ToolIndex;
  dialects: Dialects;
  openers: OpenerIndex;
  includeReasoning: boolean;
}

export interface Verdict {
  /** Up to here all is decided. */
  decidedTo: number;
  /** What begins there may be a call, and its end is not known yet. */
  isPending: boolean;
  /** The calls before it. */
  calls: Span[];
  /** Where the text after it goes on. */
  state: StreamState;
  steps: number;
}

/** Of what has no marker no more than this is held back. */
const MOST_HELD = 65_536;
/** An opener, further tokens and a name: until then a form that needs them all has not begun. */
const LONGEST_HEAD = 320;

/** What a model made up or repeats: more text makes no call of these. */
const ECHOES: ReadonlySet<string> = new Set(['result-echo', 'schema-echo']);

export function judgeHeld(held: HeldText, judges: Judges): Verdict {
  return new HeldJudge(held, judges).judge();
}

interface Settled {
  walked: WalkResult;
  settlement: Settlement;
}

class HeldJudge {
  readonly #held: HeldText;
  readonly #judges: Judges;
  readonly #context: RescueContext;
  readonly #start: number;
  readonly #regions: HeldRegions;
  /** What is nearer to the end than this is not decided. */
  readonly #limit: number;
  /** What was read, calls and others: nothing begins or ends inside. */
  readonly #reads: Span[] = [];
  #pending: number;
  #steps: number;

  constructor(held: HeldText, judges: Judges) {
    this.#held = held;
    this.#judges = judges;
    this.#start = held.walkFrom ?? held.from;
    this.#context = new RescueContext(held.text, judges);
    this.#regions = new HeldRegions(this.#context, this.#start, held.thinking);
    this.#limit = findLimit(held.text, held.from);
    this.#pending = this.#limit;
    this.#steps = 2 * held.text.length;
  }

  judge(): Verdict {
    const { text, from } = this.#held;
    const walked = this.#walk(this.#context, this.#held.thinking);
    for (const look of walked.looks) this.#see(look);
    this.#regions.goTo(text.length);
    this.#holdAt(this.#regions.findUnsure(), false);
    const readings = this.#settle(walked);
    for (const settled of readings) this.#holdUnsettled(settled);
    const spans = readings.flatMap((settled) => toSpans(this.#context, settled));
    const calls = joinSpans(spans, from);
    this.#keepWhole(calls);
    const decidedTo = Math.max(from, this.#pending);
    return {
      decidedTo,
      isPending: decidedTo < this.#limit,
      calls: calls.filter(({ start }) => start < decidedTo),
      state: this.#regions.stateAt(decidedTo),
      steps: this.#steps + this.#context.meter.steps,
    };
  }

  #walk(context: RescueContext, thinking: PriorThinking): WalkResult {
    const options = { from: this.#start, thinking, isStreamed: true };
    return new ReplyWalk(context, this.#judges.openers, options).run();
  }

  #see(look: Look): void {
    const { at, end, opener, reading } = look;
    this.#regions.goTo(at);
    if (reading === null) this.#watchNothing(look, opener !== '');
    else this.#watch(look, reading);
    this.#regions.see(look);
    if (end > at) this.#reads.push({ start: findStart(at, reading), end });
  }

  /** Where it is not sure that thinking ended or went on: both ways. What may be a call is then taken for one. */
  #settle(walked: WalkResult): Settled[] {
    const { includeReasoning } = this.#judges;
    const settle = (context: RescueContext, result: WalkResult): Settled => ({
      walked: result,
      settlement: new Settler(context, includeReasoning).settle(result),
    });
    const settled = settle(this.#context, walked);
    if (!this.#isUnsure(walked)) return [settled];
    const context = new RescueContext(this.#held.text, this.#judges);
    const again = this.#walk(context, 'closed');
    this.#steps += context.meter.steps;
    return [settled, settle(context, again)];
  }

  #isUnsure({ reasoning }: WalkResult): boolean {
    const { thinking } = this.#held;
    if (isOpenThinking(thinking)) return this.#regions.isNested;
    const orphan = reasoning.find((span) => span.start === 0 && span.bodyStart === 0);
    // a closer inside what is not decided may be part of a call, or of code
    return thinking === 'none' && orphan !== undefined && orphan.end > this.#pending;
  }

  /** What is not complete may be another thing when there is more. */
  #watch({ at, format, completeness }: Look, reading: FormatReading): void {
    if (reading.kind === 'reasoning') return;
    const to = reading.kind === 'calls' ? (reading.failure?.end ?? reading.end) : reading.end;
    if (completeness === 'complete' && to <= this.#limit) return;
    if (reading.kind === 'text') {
      if (reading.isBroken) this.#hold(at, false, false);
      return;
    }
    const isCall = reading.kind === 'calls';
    const evidence = isCall ? (reading.evidence ?? format.evidence) : format.evidence;
    const isMarked = evidence !== 'shape' && (isCall || !ECHOES.has(reading.reason));
    this.#hold(findStart(at, reading), isMarked, isCall);
  }

  /** After an opener a form may only have begun. */
  #watchNothing({ at, completeness }: Look, isMarked: boolean): void {
    const isShort = isMarked && at + LONGEST_HEAD > this.#held.text.length;
    if (isShort || completeness !== 'complete') this.#hold(at, isMarked, isMarked);
  }

  /** In a program and in thinking that ended nothing is a call, and only what may be one reaches beyond the end. */
  #hold(at: number, isMarked: boolean, isCall: boolean): void {
    if (this.#regions.isInThinking && !this.#judges.includeReasoning) return;
    const region = this.#regions.regionAt(at);
    if (!region) this.#holdAt(this.#findLead(at), isMarked);
    else if (this.#regions.mayCall(region, at)) this.#holdAt(region.start, isMarked);
    else if (isCall || region.marker === undefined) this.#holdAt(region.start, false);
  }

  #holdAt(at: number, isMarked: boolean): void {
    if (this.#isHeld(at, isMarked)) this.#pending = Math.min(this.#pending, at);
  }

  #isHeld(at: number, isMarked: boolean): boolean {
    return isMarked || this.#held.text.length - at <= MOST_HELD;
  }

  /** Words before an opener may belong to the call. */
  #findLead(at: number): number {
    const { text, from } = this.#held;
    const read = this.#reads.findLast(({ end }) => end <= at)?.end ?? from;
    const floor = Math.max(from, read, this.#regions.leftAt(at));
    return findLead(text, floor, at);
  }

  /** Nothing is decided in the middle of what was read, or of what stands in code that a call may claim. */
  #keepWhole(calls: readonly Span[]): void {
    let before: number;
    do {
      before = this.#pending;
      const call = calls.findLast(({ start }) => start < before);
      if (call && call.end > before) this.#pending = this.#findLead(call.start);
      const read = this.#reads.findLast(({ start }) => start < before);
      const region = this.#regions.regionAt(before);
      if (!region && read && read.end > before) this.#holdAt(this.#findLead(read.start), false);
      if (region && (region.marker === undefined || this.#regions.mayCall(region, before)))
        this.#holdAt(region.start, false);
      this.#pending = Math.min(this.#pending, this.#regions.markAt(this.#pending));
    } while (this.#pending < before);
  }

  /** Calls that count only at the end of a reply, and calls in code that has not closed. */
  #holdUnsettled({ walked, settlement }: Settled): void {
    const sureTail = findTail(this.#context, walked, this.#pending);
    const tail = findTail(this.#context, walked, this.#pending, this.#regions.unclosed);
    for (const settled of settlement.settled) {
      this.#holdData(settled);
      const { candidate, reading, evidence, judgements } = settled;
      const isMarked = evidence !== 'shape' && reading.start >= sureTail;
      const start = candidate.fence?.start ?? reading.start;
      if (start >= this.#pending || reading.start < tail || !this.#isHeld(start, isMarked)) continue;
      if (!this.#needsTail(candidate.region, reading, evidence)) continue;
      const mayCount = judgements.some(
        (judgement) => judgement.kind === 'approved' || PLACED.has(judgement.rejection.reason),
      );
      if (mayCount) this.#holdAt(candidate.fence ? start : this.#findLead(start), isMarked);
    }
  }

  /** What shows that a call stands in data ends where the next one begins, and that may not be known yet. */
  #holdData({ reading: { start, end }, dataTo }: SettledCandidate): void {
    if (dataTo === undefined || start >= this.#pending) return;
    if (!standsInData(this.#held.text, start, end, Math.min(dataTo, this.#pending)))
      this.#holdAt(this.#findLead(start), true);
  }

  #needsTail(region: RegionKind, reading: CallsReading, evidence: RescueEvidence): boolean {
    if (region === 'answer') return evidence === 'shape' || reading.needsEnd === true;
    if (region === 'open-reasoning') return !this.#judges.includeReasoning || evidence === 'shape';
    return region === 'fence';
  }
}

const PLACED: ReadonlySet<string> = new Set(['example', 'in-reasoning']);

const toSpans = (context: RescueContext, { walked, settlement }: Settled): Span[] =>
  buildReport(context, settlement, walked).calls.map(({ start, end }) => ({ start, end }));
