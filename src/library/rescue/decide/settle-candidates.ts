// Decides about the candidates, from the end of the reply to its start, because a format without a marker counts only
// where nothing but calls follows. Independent of single formats.
import type { RescueEvidence, RescueRejection } from '../../../types';
import { CUT_HINT, rewordAsStopped } from '../core/refusals';
import { findExtraCloser, isBare, OpenArguments, OutsideCalls } from './outside-calls';
import { standsInData } from './quoted-data';
import { isApproved, judgeCall, refuse } from './judge-call';
import type { ApprovedCall, Judgement, RefusedCall } from './judge-call';
import type { Span } from '../text/cut-text';
import { isInputOfAction } from '../labels/action-turn';
import { skipWhite } from '../text/white-space';
import { isIntroduced, standsAlone } from '../regions/line-position';
import type { ReasoningSpan } from '../regions/reasoning-tags';
import type { Candidate, WalkResult } from '../walk/findings';
import type { RescueContext } from '../core/rescue-context';
import { endOf } from '../core/rescue-format';
import type { CallsReading, ReadCall, Refusal, RejectionReading } from '../core/rescue-format';

/** One candidate with the judgement of each of its calls, in order. */
export interface SettledCandidate {
  candidate: Candidate;
  reading: CallsReading;
  evidence: RescueEvidence;
  judgements: Judgement[];
  /**
   * Set if the call is part of data: the offset up to which that was checked (the next call or reasoning, or the end of
   * the text).
   */
  dataTo?: number | undefined;
  /** Set if the call is in brackets that are closed after it, as far as the text shows. */
  isEnclosed?: boolean | undefined;
}

/** What was decided about the candidates of a reply. */
export interface Settlement {
  settled: SettledCandidate[];
  rejected: RescueRejection[];
  /** Unpaired closers and end-of-turn tokens after calls. */
  trailing: Span[];
}

/** Reasons that make the text part of the answer. With any other reason the model did mean to call. */
const NOT_CALLS: ReadonlySet<string> = new Set([
  'result-echo',
  'schema-echo',
  'example',
  'quoted',
  'in-reasoning',
]);

/** Number of characters between an opener and the arguments. */
const LONGEST_HEAD = 256;

const CLOSER = /[}\])]/;

export class Settler {
  readonly #context: RescueContext;
  readonly #countsReasoning: boolean;
  readonly #settlement: Settlement = { settled: [], rejected: [], trailing: [] };
  /** Whether only calls, white space and trailing tokens follow, from the current candidate to the end of the reply. */
  #isTail = true;
  /** Where the candidate or the reasoning after the current one begins; the text's length after the last one. */
  #next: number;
  /** The openers before the current candidate at which nothing could be read. */
  #unread: RescueRejection[] = [];
  #outside: OutsideCalls | undefined;
  #candidates: readonly Candidate[] = [];
  /** Whether a bracket may be closed between the calls behind the current candidate. */
  #hasCloser = false;
  /** Reasoning before the current candidate. */
  #spans: ReasoningSpan[] = [];

  constructor(context: RescueContext, countsReasoning: boolean) {
    this.#context = context;
    this.#countsReasoning = countsReasoning;
    this.#next = context.text.length;
  }

  settle({ candidates, reasoning, unread }: WalkResult): Settlement {
    this.#spans = [...reasoning];
    this.#unread = [...unread];
    this.#candidates = candidates;
    for (const candidate of candidates.toReversed()) {
      while ((this.#spans.at(-1)?.start ?? -1) >= candidate.reading.start)
        this.#passReasoning(this.#spans.pop());
      this.#settleCandidate(candidate);
    }
    const isSilent = this.#settlement.rejected.length === 0 && !this.#hasCall();
    if (isSilent) this.#settlement.rejected.push(...unread);
    this.#settlement.settled.reverse();
    this.#settlement.rejected.sort((one, other) => one.start - other.start || one.end - other.end);
    if (this.#context.isEnded) this.#settlement.rejected = this.#settlement.rejected.map(rewordAsStopped);
    return this.#settlement;
  }

  #hasCall(): boolean {
    return this.#settlement.settled.some(({ judgements }) => judgements.some(isApproved));
  }

  #passReasoning(span: ReasoningSpan | undefined): void {
    if (!span) return;
    this.#isTail &&= this.#context.dialects.trailing.isAll(this.#context.text, span.end, this.#next);
    this.#next = span.start;
  }

  #settleCandidate(candidate: Candidate): void {
    const { reading } = candidate;
    const isRehearsal = candidate.region === 'reasoning';
    const end = endOf(reading);
    const { text, dialects } = this.#context;
    const isLast = skipWhite(text, end) >= this.#next;
    const isQuiet = isLast || dialects.trailing.isAll(text, end, this.#next);
    this.#hasCloser ||=
      reading.kind === 'rejection'
        ? CLOSER.test(text.slice(reading.start, this.#next))
        : findExtraCloser(reading) !== undefined || (!isLast && CLOSER.test(text.slice(end, this.#next)));
    if (!isRehearsal) this.#isTail &&= isQuiet;
    const isCall =
      reading.kind === 'calls' ? this.#settleCalls(candidate, reading) : this.#reject(candidate, reading);
    if (isRehearsal) return;
    if (isCall && isQuiet && reading.kind === 'calls' && !reading.failure) this.#addTrailing(end);
    this.#isTail &&= isCall;
    this.#next = reading.start;
  }

  #addTrailing(from: number): void {
    if (skipWhite(this.#context.text, from) < this.#next)
      this.#settlement.trailing.push({ start: from, end: this.#next });
  }

  /** Adds the rejection. Returns true when the text was meant as a call. */
  #reject({ format }: Candidate, reading: RejectionReading): boolean {
    const { kind: _kind, ...rejection } = reading;
    this.#settlement.rejected.push({ format: format.id, ...rejection });
    return !NOT_CALLS.has(reading.reason);
  }

  #settleCalls(candidate: Candidate, reading: CallsReading): boolean {
    const evidence = reading.evidence ?? candidate.format.evidence;
    const isAnswer = candidate.region === 'answer' || candidate.region === 'fence';
    const isData = evidence === 'shape' && isNameOnly(this.#context, reading);
    const objection =
      this.#objectTo(candidate, evidence) ?? (isData ? NAME_ONLY : this.#objectToData(candidate, evidence));
    const cut = this.#isCut(reading) ? reading.calls.at(-1) : undefined;
    const damage = new OpenArguments(this.#context.text);
    const judgements = reading.calls.map((call) => {
      const isInside = damage.includes(call);
      const judgement = isInside ? refuse(call, IN_BRACKETS) : judgeCall(this.#context, call, evidence);
      if (call.isPartial && !isApproved(judgement)) damage.begin(call);
      if (judgement.kind === 'refused') return judgement;
      const refusal = call === cut ? toUnclosedRefusal(judgement) : objection;
      return refusal ? refuse(call, refusal) : judgement;
    });
    if (reading.failure && isAnswer) this.#reject(candidate, reading.failure);
    const dataTo = objection === IN_DATA ? this.#next : undefined;
    const isEnclosed = objection === IN_BRACKETS;
    this.#settlement.settled.push({ candidate, reading, evidence, judgements, dataTo, isEnclosed });
    if (judgements.every(isApproved)) return true;
    this.#addRejections(candidate, reading, judgements, isAnswer);
    return judgements.every(isMeant);
  }

  /**
   * Reports why calls of one wrapper are not made. Outside the answer, only reasons from NOT_CALLS are reported. A list of data,
   * such as records with a `name`, would be reported once for each of them; only the first one is. The span of the first call
   * includes the start of the wrapper, that of the last one its end.
   */
  #addRejections(
    { format }: Candidate,
    reading: CallsReading,
    judgements: readonly Judgement[],
    isAnswer: boolean,
  ): void {
    let hasRecord = false;
    for (const judgement of judgements) {
      if (judgement.kind === 'approved') continue;
      const { call, refusal } = judgement;
      const isRecord = refusal.reason === 'unknown-tool' && call.arguments === undefined;
      const isSaid = isAnswer ? !(isRecord && hasRecord) : NOT_CALLS.has(refusal.reason);
      hasRecord ||= isRecord;
      const start = judgement === judgements[0] ? reading.start : call.start;
      const isLast = judgement === judgements.at(-1) && !reading.failure;
      const end = isLast ? Math.max(reading.end, call.end) : call.end;
      if (isSaid) this.#settlement.rejected.push(toRejection(format.id, start, end, judgement));
    }
  }

  /** Whether the token limit cut the reply inside this wrapper, so that the last call may be incomplete. */
  #isCut({ isOpen, failure }: CallsReading): boolean {
    return this.#context.isCut && isOpen && !failure;
  }

  /** Why no call counts in this region; undefined when calls count. */
  #objectTo(candidate: Candidate, evidence: RescueEvidence): Refusal | undefined {
    const isMarked = evidence !== 'shape';
    // Inline code that was not closed before the end of its line or of the text.
    const isSpan =
      candidate.region === 'answer' && this.#context.text.charAt(candidate.reading.start - 1) === '`';
    if (candidate.region === 'code' || isSpan) return IN_CODE;
    if (candidate.region === 'quote') return QUOTED;
    if (candidate.region === 'reasoning') return this.#countsReasoning && isMarked ? undefined : REHEARSED;
    if (candidate.region === 'open-reasoning') return this.#objectToOpen(candidate, evidence);
    if (candidate.region === 'fence') return this.#isExample(candidate) ? IN_FENCE : undefined;
    const { reading } = candidate;
    const isListed = reading.kind === 'calls' && !isMarked && this.#outsideCalls.isListed(reading);
    const needsEnd = reading.kind === 'calls' && reading.needsEnd === true;
    if (isListed) return LISTED;
    return (isMarked && !needsEnd) || this.#isTail ? undefined : FOLLOWED;
  }

  get #outsideCalls(): OutsideCalls {
    return (this.#outside ??= new OutsideCalls(this.#context.text, this.#candidates));
  }

  #objectToData({ region, reading }: Candidate, evidence: RescueEvidence): Refusal | undefined {
    if (reading.kind === 'rejection') return undefined;
    const mayBeInside = this.#hasCloser || isBare(reading, evidence);
    if (mayBeInside && this.#outsideCalls.isInBrackets(reading, evidence)) return IN_BRACKETS;
    if (evidence === 'shape' && this.#followsOpener(reading)) return FOLLOWS_OPENER;
    if (evidence !== 'marker' || region !== 'answer') return undefined;
    return standsInData(this.#context.text, reading.start, reading.end, this.#next) ? IN_DATA : undefined;
  }

  /**
   * Whether the call may be the arguments of another one that could not be read: a damaged action comes before it, or on the
   * same line an unread opener with the name of another tool.
   */
  #followsOpener({ start, calls }: CallsReading): boolean {
    const { text, tools } = this.#context;
    if (isInputOfAction(this.#context, start)) return true;
    const called = tools.resolve(calls[0]?.name ?? '')?.tool;
    while ((this.#unread.at(-1)?.end ?? 0) > start) this.#unread.pop();
    for (let index = this.#unread.length - 1; index >= 0; index -= 1) {
      const from = this.#unread[index]?.end ?? 0;
      const head = start - from <= LONGEST_HEAD ? text.slice(from, start) : '\n';
      if (head.includes('\n')) return false;
      const named = tools.resolve(/^[\w.-]*/.exec(head)?.[0] ?? '')?.tool;
      if (named !== undefined && named !== called) return true;
    }
    return false;
  }

  #isExample({ reading, fence, isFirstInFence }: Candidate): boolean {
    const { text, isCut } = this.#context;
    // Only the text that the token limit cut off would have shown whether this is an example.
    const isOpen = isCut && skipWhite(text, reading.end) >= text.length;
    if (isOpen || !this.#isTail || !isFirstInFence) return true;
    const isCode = reading.kind === 'calls' && reading.isStatement === true;
    return isCode && fence !== undefined && isIntroduced(text, fence.start);
  }

  #objectToOpen(candidate: Candidate, evidence: RescueEvidence): Refusal | undefined {
    if (this.#countsReasoning && evidence !== 'shape') return undefined;
    const { reading } = candidate;
    const isComplete = reading.kind === 'calls' && (!reading.isOpen || reading.isWhole === true);
    return evidence === 'marker' && isComplete && this.#isTail && !this.#context.isCut
      ? undefined
      : OPEN_REASONING;
  }
}

/** Whether the text was meant as a call. */
const isMeant = (judgement: Judgement): boolean =>
  isApproved(judgement) || !NOT_CALLS.has(judgement.refusal.reason);

function toRejection(
  format: string,
  start: number,
  end: number,
  { call, refusal, nearest }: RefusedCall,
): RescueRejection {
  const { reason, detail, hint } = refusal;
  const rejection: RescueRejection = { format, start, end, reason, detail };
  if (call.name.trim() !== '') rejection.name = call.name;
  if (hint !== undefined) rejection.hint = hint;
  if (nearest) rejection.nearest = nearest;
  return rejection;
}

/**
 * Whether the calls have a name and no arguments, as any data with a `name` has. A single call like that counts if nothing else
 * is on its line.
 */
const isNameOnly = (context: RescueContext, { calls, start }: CallsReading): boolean =>
  calls.every(isNamed) &&
  (calls.length > 1 || (calls[0]?.otherKeys ?? []).length > 0 || !standsAlone(context, start));

const isNamed = (call: ReadCall): boolean => call.arguments === undefined;

const toUnclosedRefusal = ({ name }: ApprovedCall): Refusal => ({
  reason: 'truncated',
  detail: `The reply was cut by its limit before the call of \`${name}\` was closed. Nothing was run.`,
  hint: CUT_HINT,
});

const IN_CODE: Refusal = { reason: 'example', detail: 'The call is in code, so it is an example.' };

const QUOTED: Refusal = {
  reason: 'quoted',
  detail: 'The call is in a block quote, so it is a quotation.',
};

const IN_DATA: Refusal = {
  reason: 'quoted',
  detail: 'The call is part of a longer value, so it is data and not a call.',
};

const IN_BRACKETS: Refusal = {
  reason: 'quoted',
  detail: 'The call is inside a bracket that was opened before it, so it is an argument and not a call.',
};

const FOLLOWS_OPENER: Refusal = {
  reason: 'malformed',
  detail: 'It follows the opener of a call that cannot be read, so it may be the arguments of that call.',
};

const REHEARSED: Refusal = {
  reason: 'in-reasoning',
  detail: 'The call is in the reasoning: the model only considered it.',
};

const OPEN_REASONING: Refusal = {
  reason: 'in-reasoning',
  detail: 'The call is in reasoning that is never closed, with other text after it.',
};

const IN_FENCE: Refusal = {
  reason: 'example',
  detail: 'The call is in a code fence with other text around it, so it is an example.',
};

const NAME_ONLY: Refusal = {
  reason: 'no-arguments',
  detail: 'It has the name of a tool but no arguments, so it may be any data.',
};

const LISTED: Refusal = {
  reason: 'example',
  detail: 'The call is in a list or a log with other calls, so it is part of the answer.',
};

const FOLLOWED: Refusal = {
  reason: 'example',
  detail: 'More text follows, so this is part of the answer and not a call.',
  hint: 'A call without a marker is read only at the end of a reply.',
};
