// Decides over what the walk found, from the end of the reply to its start: a form without a marker is a call only
// where nothing but calls follows. Knows no format by name.
import type { RescueEvidence, RescueRejection } from '../../types';
import { isNoise } from './noise';
import { CUT_HINT, judgeCall } from './judge-call';
import type { ApprovedCall, Judgement, RefusedCall } from './judge-call';
import { skipWhite } from './json/blank';
import { isIntroduced, standsAlone } from './line-place';
import type { ReasoningSpan } from './places';
import type { WalkItem, WalkResult } from './reply-walk';
import type { RescueContext } from './rescue-context';
import type { CallsReading, Refusal, RejectionReading } from './rescue-format';

/** One emission with what became of each of its calls, in order. */
export interface SettledItem {
  item: WalkItem;
  reading: CallsReading;
  evidence: RescueEvidence;
  judgements: Judgement[];
}

export interface Settlement {
  settled: SettledItem[];
  rejected: RescueRejection[];
  /** Stray closers and end-of-turn tokens after calls. */
  noise: { start: number; end: number }[];
}

/** After these the text goes on being an answer; after any other rejection it is still a call that was meant. */
const NOT_CALLS: ReadonlySet<string> = new Set([
  'result-echo',
  'schema-echo',
  'example',
  'quoted',
  'in-reasoning',
]);

export class Settler {
  readonly #context: RescueContext;
  readonly #countsReasoning: boolean;
  readonly #settlement: Settlement = { settled: [], rejected: [], noise: [] };
  /** Nothing but calls, white space and noise from here on. */
  #isTail = true;
  #next: number;

  constructor(context: RescueContext, countsReasoning: boolean) {
    this.#context = context;
    this.#countsReasoning = countsReasoning;
    this.#next = context.text.length;
  }

  settle({ items, reasoning, unread }: WalkResult): Settlement {
    const spans = [...reasoning];
    for (const item of items.toReversed()) {
      while ((spans.at(-1)?.start ?? -1) >= item.reading.start) this.#passReasoning(spans.pop());
      this.#settleItem(item);
    }
    const isSilent = this.#settlement.rejected.length === 0 && !this.#hasCall();
    if (isSilent) this.#settlement.rejected.push(...unread);
    this.#settlement.settled.reverse();
    this.#settlement.rejected.sort((one, other) => one.start - other.start || one.end - other.end);
    return this.#settlement;
  }

  #hasCall(): boolean {
    return this.#settlement.settled.some(({ judgements }) =>
      judgements.some(({ kind }) => kind === 'approved'),
    );
  }

  #passReasoning(span: ReasoningSpan | undefined): void {
    if (!span) return;
    this.#isTail &&= isNoise(this.#context.text, span.end, this.#next);
    this.#next = span.start;
  }

  #settleItem(item: WalkItem): void {
    const { reading } = item;
    const isRehearsal = item.place === 'reasoning';
    const end = reading.kind === 'calls' ? (reading.failure?.end ?? reading.end) : reading.end;
    const isQuiet = end >= this.#next || isNoise(this.#context.text, end, this.#next);
    if (!isRehearsal) this.#isTail &&= isQuiet;
    const isCall = reading.kind === 'calls' ? this.#settleCalls(item, reading) : this.#reject(item, reading);
    if (isRehearsal) return;
    if (isCall && isQuiet && reading.kind === 'calls' && !reading.failure) this.#addNoise(end);
    this.#isTail &&= isCall;
    this.#next = reading.start;
  }

  #addNoise(from: number): void {
    if (skipWhite(this.#context.text, from) < this.#next)
      this.#settlement.noise.push({ start: from, end: this.#next });
  }

  /** True when the text here was meant as a call. */
  #reject({ format }: WalkItem, reading: RejectionReading): boolean {
    const { kind: _kind, ...rejection } = reading;
    this.#settlement.rejected.push({ format: format.id, ...rejection });
    return !NOT_CALLS.has(reading.reason);
  }

  #settleCalls(item: WalkItem, reading: CallsReading): boolean {
    const evidence = reading.evidence ?? item.format.evidence;
    const isAnswer = item.place === 'answer' || item.place === 'fence';
    const isData = evidence === 'shape' && isNameOnly(this.#context.text, reading);
    const objection = this.#objectTo(item, evidence) ?? (isData ? NAME_ONLY : undefined);
    const judged = reading.calls.map((call) => judgeCall(this.#context, call, evidence));
    const judgements = this.#refuseCut(reading, judged).map((judgement) =>
      objection && judgement.kind === 'approved' ? refuse(judgement, objection) : judgement,
    );
    if (reading.failure && isAnswer) this.#reject(item, reading.failure);
    this.#settlement.settled.push({ item, reading, evidence, judgements });
    for (const rejection of this.#toRejections(item, judgements, isAnswer))
      this.#settlement.rejected.push(rejection);
    return judgements.every(
      (judgement) => judgement.kind === 'approved' || !NOT_CALLS.has(judgement.rejection.reason),
    );
  }

  /** What is said of a call in code is only that it stands there; a record without arguments is named once. */
  #toRejections(item: WalkItem, judgements: readonly Judgement[], isAnswer: boolean): RescueRejection[] {
    const rejections: RescueRejection[] = [];
    let hasRecord = false;
    for (const judgement of judgements) {
      if (judgement.kind === 'approved') continue;
      const { call, rejection } = judgement;
      const isRecord = rejection.reason === 'unknown-tool' && call.arguments === undefined;
      const isSaid = isAnswer ? !(isRecord && hasRecord) : NOT_CALLS.has(rejection.reason);
      hasRecord ||= isRecord;
      if (isSaid) rejections.push({ format: item.format.id, start: call.start, end: call.end, ...rejection });
    }
    return rejections;
  }

  /** With the reply cut by the limit, an emission that the text's end left open may be half of what was meant. */
  #refuseCut(reading: CallsReading, judgements: Judgement[]): Judgement[] {
    if (!this.#context.isCut || !reading.isOpen || reading.failure) return judgements;
    return judgements.map((judgement, index) =>
      judgement.kind === 'approved' && index === judgements.length - 1
        ? refuse(judgement, toCut(judgement))
        : judgement,
    );
  }

  /** Why no call may stand here. */
  #objectTo(item: WalkItem, evidence: RescueEvidence): Refusal | undefined {
    const isMarked = evidence !== 'shape';
    // a code span that the end of its line or of the text left open
    const isSpan = item.place === 'answer' && this.#context.text.charAt(item.reading.start - 1) === '`';
    if (item.place === 'code' || isSpan) return IN_CODE;
    if (item.place === 'quote') return QUOTED;
    if (item.place === 'reasoning') return this.#countsReasoning && isMarked ? undefined : REHEARSED;
    if (item.place === 'open-reasoning') return this.#objectToOpen(item, evidence);
    if (item.place === 'fence') return this.#isExample(item) ? IN_FENCE : undefined;
    const needsEnd = item.reading.kind === 'calls' && item.reading.needsEnd === true;
    return (isMarked && !needsEnd) || this.#isTail ? undefined : FOLLOWED;
  }

  #isExample({ reading, fence, isFirstInFence }: WalkItem): boolean {
    const { text, isCut } = this.#context;
    // what was to follow the fence would have told
    const isOpen = isCut && skipWhite(text, reading.end) >= text.length;
    if (isOpen || !this.#isTail || !isFirstInFence) return true;
    const isCode = reading.kind === 'calls' && reading.isStatement === true;
    return isCode && fence !== undefined && isIntroduced(text, fence.start);
  }

  #objectToOpen(item: WalkItem, evidence: RescueEvidence): Refusal | undefined {
    if (this.#countsReasoning && evidence !== 'shape') return undefined;
    const isComplete = item.reading.kind === 'calls' && !item.reading.isOpen;
    return evidence === 'marker' && isComplete && this.#isTail && !this.#context.isCut
      ? undefined
      : OPEN_REASONING;
  }
}

/** Names without arguments: a call only when it stands for itself, and is one. */
const isNameOnly = (text: string, { calls, start }: CallsReading): boolean =>
  calls.every((call) => call.arguments === undefined) &&
  (calls.length > 1 || calls[0]?.isRecord === true || !standsAlone(text, start));

const refuse = (judgement: ApprovedCall, refusal: Refusal): RefusedCall => ({
  kind: 'refused',
  call: judgement.call,
  rejection: { ...refusal, name: judgement.call.name },
});

const toCut = ({ name }: ApprovedCall): Refusal => ({
  reason: 'truncated',
  detail: `The reply was cut by its limit before the call of \`${name}\` was closed. Nothing was run.`,
  hint: CUT_HINT,
});

const IN_CODE: Refusal = { reason: 'example', detail: 'The call stands in code, so it is an example.' };

const QUOTED: Refusal = {
  reason: 'quoted',
  detail: 'The call stands in a block quote, so it repeats somebody.',
};

const REHEARSED: Refusal = {
  reason: 'in-reasoning',
  detail: 'The call stands in the reasoning: the model considered it and has not made it.',
};

const OPEN_REASONING: Refusal = {
  reason: 'in-reasoning',
  detail: 'The call stands in reasoning that never closes, and is not all that follows.',
};

const IN_FENCE: Refusal = {
  reason: 'example',
  detail: 'The call stands in a code fence with other text beside it, so it is an example.',
};

const NAME_ONLY: Refusal = {
  reason: 'no-arguments',
  detail: 'It has the name of a tool and no arguments, as any data may.',
};

const FOLLOWED: Refusal = {
  reason: 'example',
  detail: 'More text follows, so this is part of the answer and not a call.',
  hint: 'Without a marker only the end of a reply is a call.',
};
