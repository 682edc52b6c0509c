// Judges text that a stream holds back while more of it may come: which calls are made, and up to which offset more text
// cannot change the result. Independent of single formats.
import type { RescueEvidence } from '../../../types';
import { toCalls } from '../decide/build-report';
import { standsInData } from '../decide/quoted-data';
import type { Span } from '../text/cut-text';
import { RegionHistory } from '../regions/region-history';
import type { RegionState } from '../regions/region-state';
import { RegionTracker } from '../regions/region-tracker';
import type { RegionKind } from '../regions/region-tracker';
import { isOpenReasoning } from '../regions/reasoning-tags';
import type { ReasoningState } from '../regions/reasoning-tags';
import type { OpenerIndex } from '../candidates/opener-index';
import { ReplyWalk } from '../walk/reply-walk';
import type { WalkResult } from '../walk/findings';
import type { Look } from '../walk/reply-walk';
import type { Dialects } from '../core/dialects';
import { RescueContext } from '../core/rescue-context';
import { endOf } from '../core/rescue-format';
import type { CallsReading, FormatReading } from '../core/rescue-format';
import { isApproved } from '../decide/judge-call';
import { Settler } from '../decide/settle-candidates';
import type { SettledCandidate, Settlement } from '../decide/settle-candidates';
import type { ToolIndex } from '../core/tool-index';
import { joinSpans } from './cut-calls';
import { findLead, findLimit, findTail } from './held-tail';

export interface HeldText {
  text: string;
  /** The text before this offset is already decided and is only context. */
  from: number;
  /** Where the walk begins: at code or reasoning that may still close, at the beginning of a name, or at `from`. */
  walkFrom: number;
  /** State of the reasoning at that offset. */
  reasoning: ReasoningState;
}

export interface Judges {
  tools: ToolIndex;
  dialects: Dialects;
  openers: OpenerIndex;
  includeReasoning: boolean;
}

export interface HeldDecision {
  /** Everything before this offset is decided. */
  decidedTo: number;
  /** Whether a call may begin at `decidedTo` whose end is not known yet. */
  isPending: boolean;
  /** Spans of the calls before `decidedTo`. */
  calls: Span[];
  /** The state in which the stream continues at `decidedTo`. */
  state: RegionState;
  steps: number;
}

/** Maximum length of text that is held back for something without a marker, in UTF-16 code units. */
const MAX_HELD = 65_536;
/** Length of an opener with further tokens and a name. With less text, a format that needs them all may only have begun. */
const LONGEST_HEAD = 320;

/** Reasons for text that the model invented or repeats. More text does not turn it into a call. */
const ECHOES: ReadonlySet<string> = new Set(['result-echo', 'schema-echo']);

export function judgeHeld(held: HeldText, judges: Judges): HeldDecision {
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
  readonly #regions: RegionHistory;
  /** Text after this offset is too close to the end to be decided. */
  readonly #limit: number;
  /** Spans of everything that was parsed, calls and other text. The decided text never ends inside one. */
  readonly #reads: Span[] = [];
  #pending: number;
  #steps: number;

  constructor(held: HeldText, judges: Judges) {
    this.#held = held;
    this.#judges = judges;
    this.#context = new RescueContext(held.text, judges);
    this.#regions = new RegionHistory(this.#context, held.walkFrom, held.reasoning);
    this.#limit = findLimit(held.text, held.from);
    this.#pending = this.#limit;
    this.#steps = 2 * held.text.length;
  }

  judge(): HeldDecision {
    const { text, from } = this.#held;
    const walked = this.#walk(this.#context, this.#regions, (look) => this.#see(look));
    this.#regions.goTo(text.length);
    this.#holdAt(this.#regions.findUnsure(), false);
    const readings = this.#settle(walked);
    for (const settled of readings) this.#holdUnsettled(settled);
    const calls = joinSpans(
      readings.flatMap(({ settlement }) => toCalls(settlement, text)),
      from,
    );
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

  #walk(context: RescueContext, regions: RegionTracker, onLook?: (look: Look) => void): WalkResult {
    const streamed = { from: this.#held.walkFrom, regions, ...(onLook && { onLook }) };
    const { openers, tools } = this.#judges;
    const starts = openers.searchGrowing(context.text, tools.names);
    return new ReplyWalk(context, openers, starts, streamed).run();
  }

  #see(look: Look): void {
    const { at, start, end, opener, reading } = look;
    if (reading === null) this.#watchNothing(look, opener !== '');
    else this.#watch(look, reading);
    if (reading && (reading.kind !== 'text' || end > at)) this.#regions.addFinding(at);
    if (end > at) this.#reads.push({ start, end });
  }

  /**
   * Settles the text; if it is uncertain whether reasoning has ended, for both cases. A call in either case is taken for
   * one.
   */
  #settle(walked: WalkResult): Settled[] {
    const { includeReasoning } = this.#judges;
    const settle = (context: RescueContext, result: WalkResult): Settled => ({
      walked: result,
      settlement: new Settler(context, includeReasoning).settle(result),
    });
    const settled = settle(this.#context, walked);
    if (!this.#isUnsure()) return [settled];
    const context = new RescueContext(this.#held.text, this.#judges);
    const again = this.#walk(context, new RegionTracker(context, this.#held.walkFrom, 'closed'));
    this.#steps += context.meter.steps;
    return [settled, settle(context, again)];
  }

  #isUnsure(): boolean {
    const { reasoning } = this.#held;
    if (isOpenReasoning(reasoning)) return this.#regions.isNested;
    // A closing tag in text that is not decided yet may be part of a call or of code.
    return reasoning === 'none' && this.#regions.orphanEnd > this.#pending;
  }

  /** Holds back an incomplete reading, because it may turn out to be something else with more text. */
  #watch({ at, start, format, completeness }: Look, reading: FormatReading): void {
    if (reading.kind === 'reasoning') return;
    if (completeness === 'complete' && endOf(reading) <= this.#limit) return;
    if (reading.kind === 'text') {
      if (reading.isBroken) this.#hold(at, false, false);
      return;
    }
    const isCall = reading.kind === 'calls';
    const evidence = isCall ? (reading.evidence ?? format.evidence) : format.evidence;
    const isMarked = evidence !== 'shape' && (isCall || !ECHOES.has(reading.reason));
    this.#hold(start, isMarked, isCall);
  }

  /** Holds back an opener at which nothing could be parsed, if a format may only have begun there. */
  #watchNothing({ at, completeness }: Look, isMarked: boolean): void {
    const isShort = isMarked && at + LONGEST_HEAD > this.#held.text.length;
    if (isShort || completeness !== 'complete') this.#hold(at, isMarked, isMarked);
  }

  /**
   * Holds back text from `at`, or from the start of the code or quote around it. Nothing is held back in closed reasoning,
   * nor, unless it may be a call, in a code fence that no call can claim.
   */
  #hold(at: number, isMarked: boolean, isCall: boolean): void {
    if (this.#regions.kind === 'reasoning' && !this.#judges.includeReasoning) return;
    const region = this.#regions.regionAt(at);
    if (!region) this.#holdAt(this.#findLead(at), isMarked);
    else if (this.#regions.mayClaim(region, at)) this.#holdAt(region.start, isMarked);
    else if (isCall || region.opening === undefined) this.#holdAt(region.start, false);
  }

  #holdAt(at: number, isMarked: boolean): void {
    if (this.#isHeld(at, isMarked)) this.#pending = Math.min(this.#pending, at);
  }

  #isHeld(at: number, isMarked: boolean): boolean {
    return isMarked || this.#held.text.length - at <= MAX_HELD;
  }

  /** The start of the words before `at` that may belong to the call. */
  #findLead(at: number): number {
    const { text, from } = this.#held;
    const read = this.#reads.findLast(({ end }) => end <= at)?.end ?? from;
    const floor = Math.max(from, read, this.#regions.leftAt(at));
    return findLead(text, floor, at);
  }

  /**
   * Moves the end of the decided text back until it is not inside a reading, a call, a tag, or code that a call may claim.
   */
  #keepWhole(calls: readonly Span[]): void {
    let before: number;
    do {
      before = this.#pending;
      const call = calls.findLast(({ start }) => start < before);
      if (call && call.end > before) this.#pending = this.#findLead(call.start);
      const read = this.#reads.findLast(({ start }) => start < before);
      const region = this.#regions.regionAt(before);
      if (!region && read && read.end > before) this.#holdAt(this.#findLead(read.start), false);
      if (region && (region.opening === undefined || this.#regions.mayClaim(region, before)))
        this.#holdAt(region.start, false);
      this.#pending = Math.min(this.#pending, this.#regions.startOfTag(this.#pending));
    } while (this.#pending < before);
  }

  /** Holds back calls that count only at the end of a reply, and calls in code that is not closed yet. */
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
        (judgement) => isApproved(judgement) || PLACED.has(judgement.refusal.reason),
      );
      if (mayCount) this.#holdAt(candidate.fence ? start : this.#findLead(start), isMarked);
    }
  }

  /**
   * Holds back a call in data if what shows that may change: it ends where the next call begins, which may not be known
   * yet. A bracket that seems to be closed after a call may belong to the next call, too.
   */
  #holdData({ reading: { start, end }, evidence, dataTo, isEnclosed }: SettledCandidate): void {
    if (start >= this.#pending) return;
    const isUnsure =
      dataTo !== undefined && !standsInData(this.#held.text, start, end, Math.min(dataTo, this.#pending));
    if (isUnsure || isEnclosed) this.#holdAt(this.#findLead(start), isUnsure || evidence !== 'shape');
  }

  #needsTail(region: RegionKind, reading: CallsReading, evidence: RescueEvidence): boolean {
    if (region === 'answer') return evidence === 'shape' || reading.needsEnd === true;
    if (region === 'open-reasoning') return !this.#judges.includeReasoning || evidence === 'shape';
    return region === 'fence';
  }
}

const PLACED: ReadonlySet<string> = new Set(['example', 'in-reasoning']);
