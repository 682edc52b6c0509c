// What can be said of text that a stream holds back, while more of it may come: which calls are made, and up to where
// more text changes nothing. Knows no format by name.
import type { RescueEvidence } from '../../../types';
import { buildReport } from '../build-report';
import type { Span } from '../cut-text';
import { isBlank } from '../json/blank';
import { isNoise } from '../noise';
import type { Place } from '../places';
import type { PriorThinking } from '../reasoning-tags';
import type { OpenerIndex } from '../opener-index';
import { ReplyWalk } from '../reply-walk';
import type { WalkResult } from '../reply-walk';
import { RescueContext } from '../rescue-context';
import type { CallsReading, FormatReading } from '../rescue-format';
import { Settler } from '../settle-items';
import type { SettledItem, Settlement } from '../settle-items';
import type { ToolIndex } from '../tool-index';
import { findOpenCode } from './open-code';

export interface HeldText {
  text: string;
  /** What stands before it is decided, and only looked back at. */
  from: number;
  /** Inline code opened here, on the same line, and may close yet. */
  openCodeAt?: number | undefined;
  /** Before `from`. */
  thinking: PriorThinking;
}

export interface Judges {
  tools: ToolIndex;
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
  /** What was read as one before it, calls and others: nothing begins or ends inside. */
  reads: Span[];
  steps: number;
}

/** Of what has no marker no more than this is held back. */
export const MOST_HELD = 65_536;
/** Characters other than white space that a reader may look ahead without telling. */
const LOOK_AHEAD = 64;
/** An opener, further tokens and a name: until then a form that needs them all has not begun. */
const LONGEST_HEAD = 320;
const LONGEST_LEAD = 128;

/** After these more text does not help. */
const SETTLED_REASONS: ReadonlySet<string> = new Set(['result-echo', 'schema-echo']);

export function judgeHeld(held: HeldText, judges: Judges): Verdict {
  return new HeldJudge(held, judges).judge();
}

class HeldJudge {
  readonly #held: HeldText;
  readonly #judges: Judges;
  readonly #context: RescueContext;
  /** What is nearer to the end than this is not decided. */
  readonly #limit: number;
  readonly #reads: Span[] = [];
  #pending: number;

  constructor(held: HeldText, judges: Judges) {
    this.#held = held;
    this.#judges = judges;
    this.#context = new RescueContext(held.text, judges.tools, false);
    this.#limit = findLimit(held.text, held.from);
    this.#pending = this.#limit;
  }

  judge(): Verdict {
    const { text, from } = this.#held;
    const codeAt = findOpenCode(text, this.#start);
    if (codeAt !== -1) this.#hold(Math.max(from, codeAt), false);
    const { walked, settlement } = this.#walk(this.#context, true);
    this.#holdUnsettled(settlement.settled, walked);
    const calls = this.#findCalls(walked, settlement);
    for (const { start, end } of calls)
      if (end > this.#pending && start < this.#pending) this.#pending = start;
    const decidedTo = Math.max(from, this.#pending);
    return {
      decidedTo,
      isPending: decidedTo < this.#limit,
      calls: calls.filter(({ start }) => start < decidedTo),
      reads: this.#reads
        .filter(({ start }) => start >= from && start < decidedTo)
        .map(({ start, end }) => ({ start, end: Math.min(end, decidedTo) })),
      steps: this.#context.meter.steps + text.length,
    };
  }

  /** Where the walk begins: inline code on this line may have opened before what is held. */
  get #start(): number {
    return this.#held.openCodeAt ?? this.#held.from;
  }

  #walk(context: RescueContext, isWatched: boolean): { walked: WalkResult; settlement: Settlement } {
    const { openers, includeReasoning } = this.#judges;
    const walked = new ReplyWalk(context, openers, {
      from: this.#start,
      thinking: this.#held.thinking,
      onReading: ({ at, end, opener, format, reading }) => {
        if (!isWatched) return;
        if (reading === null) this.#watchNothing(at, opener);
        else this.#watch(at, reading, format.evidence);
        if (end > at) this.#reads.push({ start: at, end });
      },
    }).run();
    return { walked, settlement: new Settler(context, includeReasoning).settle(walked) };
  }

  #findCalls(walked: WalkResult, settlement: Settlement): Span[] {
    const { text, from, thinking } = this.#held;
    const orphan =
      thinking === 'none'
        ? walked.reasoning.find((span) => span.start === 0 && span.bodyStart === 0)
        : undefined;
    // a closer of thinking inside what is not decided may be part of a call
    if (orphan && orphan.end > this.#pending && this.#pending > from) {
      const decided = text.slice(0, this.#pending);
      const context = new RescueContext(decided, this.#judges.tools, false);
      const again = this.#walk(context, false);
      return toSpans(decided, again.walked, again.settlement).filter(({ start }) => start >= from);
    }
    return toSpans(text, walked, settlement).filter(({ start }) => start >= from);
  }

  /** A reading that went to the end of the text may be another one when there is more. */
  #watch(at: number, reading: FormatReading, usual: RescueEvidence): void {
    if (reading.kind === 'reasoning') return;
    if (reading.kind === 'text') {
      if (reading.isBroken && this.#hasSeenEnd()) this.#hold(at, false);
      return;
    }
    const isOpen =
      reading.kind === 'calls'
        ? this.#isOpen(reading)
        : !SETTLED_REASONS.has(reading.reason) && (this.#hasSeenEnd() || reading.end > this.#limit);
    const evidence = reading.kind === 'calls' ? (reading.evidence ?? usual) : usual;
    if (isOpen) this.#hold(Math.min(at, reading.start), evidence !== 'shape');
  }

  /** After an opener a form may only have begun. */
  #watchNothing(at: number, opener: string): void {
    const isMarked = opener !== '';
    const { hasReadEnd } = this.#context.meter;
    const isShort = isMarked && at + LONGEST_HEAD > this.#held.text.length;
    if (isShort || (isMarked ? this.#hasSeenEnd() : hasReadEnd)) this.#hold(at, isMarked);
  }

  #hasSeenEnd(): boolean {
    const { hasReadEnd, hasMissed } = this.#context.meter;
    return hasReadEnd || hasMissed;
  }

  /** What was damaged may be whole after all, if its reader went on to the end for that. */
  #isOpen({ isOpen, end, failure, repairs, calls }: CallsReading): boolean {
    if (isOpen || (failure?.end ?? end) > this.#limit) return true;
    const isDamaged =
      failure !== undefined || repairs.length > 0 || calls.some((call) => call.repairs.length > 0);
    return isDamaged && this.#hasSeenEnd();
  }

  #hold(at: number, isMarked: boolean): void {
    if (at >= this.#pending || (!isMarked && this.#held.text.length - at > MOST_HELD)) return;
    this.#pending = this.#findLead(at);
  }

  /** Words before an opener may belong to the call. */
  #findLead(at: number): number {
    const { text, from } = this.#held;
    const read = this.#reads.at(-1)?.end ?? from;
    const floor = Math.max(from, Math.min(read, at));
    if (at - floor <= LONGEST_LEAD) return floor;
    for (let start = at - LONGEST_LEAD; start < at; start += 1)
      if (isBlank(text.charCodeAt(start))) return start + 1;
    return at - LONGEST_LEAD;
  }

  /** Calls that count only at the end of a reply, and calls in code that has not closed. */
  #holdUnsettled(settled: readonly SettledItem[], walked: WalkResult): void {
    const tail = this.#findTail(walked);
    for (const { item, reading, evidence, judgements } of settled) {
      const start = item.fence ? item.fence.start : reading.start;
      const isCalled = judgements.some((judgement) => judgement.kind === 'approved');
      const isPlaced = judgements.some(
        (judgement) => judgement.kind === 'refused' && PLACED.has(judgement.rejection.reason),
      );
      if ((isCalled || isPlaced) && this.#needsTail(item.place, reading, evidence) && reading.start >= tail)
        this.#hold(start, evidence !== 'shape');
    }
  }

  #needsTail(place: Place, reading: CallsReading, evidence: RescueEvidence): boolean {
    if (place === 'answer') return evidence === 'shape' || reading.needsEnd === true;
    if (place === 'open-reasoning') return !this.#judges.includeReasoning || evidence === 'shape';
    return place === 'fence';
  }

  /** From here to what is pending there is nothing but calls, thinking, and what says nothing. */
  #findTail({ items, reasoning }: WalkResult): number {
    const { text } = this.#held;
    const parts = [
      ...items.map(({ reading }) => ({
        start: reading.start,
        end: reading.kind === 'calls' ? (reading.failure?.end ?? reading.end) : reading.end,
      })),
      ...reasoning,
    ].toSorted((one, other) => other.start - one.start);
    let tail = this.#pending;
    for (const { start, end } of parts) {
      if (start >= tail) continue;
      if (end < tail && !isNoise(text, end, tail)) return tail;
      tail = Math.min(tail, start);
    }
    return tail;
  }
}

const PLACED: ReadonlySet<string> = new Set(['example', 'in-reasoning']);

const toSpans = (text: string, walked: WalkResult, settlement: Settlement): Span[] =>
  buildReport(text, settlement, walked).calls.map(({ start, end }) => ({ start, end }));

/** Where the last characters begin that are not decided; after white space, so that no token is cut. */
function findLimit(text: string, from: number): number {
  let at = text.length;
  for (let count = 0; at > from && count < LOOK_AHEAD; at -= 1)
    if (!isBlank(text.charCodeAt(at - 1))) count += 1;
  const limit = Math.max(from, at - LOOK_AHEAD);
  for (let next = at; next > limit; next -= 1) if (isBlank(text.charCodeAt(next - 1))) return next;
  return at;
}
