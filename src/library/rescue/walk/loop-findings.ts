// Compares what a walk found in the rounds of a loop, and repeats it for the rounds that the walk passes.
import { isRecord } from '../../util/json';
import type { Span } from '../text/cut-text';
import type { RescueContext } from '../core/rescue-context';
import type { ReasoningSpan } from '../regions/reasoning-tags';
import { requiredParameters } from '../schema/check-arguments';
import { skipWhite } from '../text/white-space';
import type { Candidate, Findings } from './findings';
import type { Round } from './repetition';
import { moveCandidate, moveSpan } from './move-findings';

/** A round with the numbers of findings that come before it. */
export interface WalkRound extends Round {
  candidates: number;
  markup: number;
  reasoning: number;
}

/** Calls that may count are not repeated closer to the end of the loop: a parser may look ahead this far. */
const CALL_MARGIN = 16_384;

export class LoopFindings {
  readonly #context: RescueContext;
  readonly #findings: Findings;
  readonly #countsReasoning: boolean;

  /** @param findings The lists that the walk adds to. */
  constructor(context: RescueContext, findings: Findings, countsReasoning: boolean) {
    this.#context = context;
    this.#findings = findings;
    this.#countsReasoning = countsReasoning;
  }

  count(): Pick<WalkRound, 'candidates' | 'markup' | 'reasoning'> {
    const { candidates, markup, reasoning } = this.#findings;
    return { candidates: candidates.length, markup: markup.length, reasoning: reasoning.length };
  }

  /** Whether the same was found from `one` to `other` as from there to `next`. */
  isSame(one: WalkRound, other: WalkRound, next: WalkRound): boolean {
    return this.#describe(one, other) === this.#describe(other, next);
  }

  /** Describes what was found between two rounds: equal for two rounds if the same was found at the same distances. */
  #describe(from: WalkRound, to: WalkRound): string {
    const { candidates, markup, reasoning } = this.#findings;
    const toDistance = (span: Span): Span => moveSpan(span, -from.at);
    return JSON.stringify([
      candidates.slice(from.candidates, to.candidates).map((candidate) => {
        const { format, fence, ...rest } = moveCandidate(candidate, -from.at, from.at);
        return [format.id, fence?.start, rest];
      }),
      markup.slice(from.markup, to.markup).map(toDistance),
      reasoning.slice(from.reasoning, to.reasoning).map(toDistance),
    ]);
  }

  /**
   * Repeats what was found since the round, as far as `rest`. If none of it can count, the loop is a single finding: only
   * cuts are repeated, and the last candidate is extended.
   * @returns how far it was repeated, in whole rounds
   */
  repeat(round: WalkRound, at: number, rest: number): number {
    const { candidates, markup, reasoning } = this.#findings;
    const length = at - round.at;
    const found = candidates.slice(round.candidates);
    const isSingle = this.#isSingle(found, length);
    const passed = isSingle ? rest : Math.max(0, Math.floor((rest - CALL_MARGIN) / length) * length);
    const cuts = markup.slice(round.markup);
    if (isSingle) for (const { reading } of found.filter(isCutWrapper)) cuts.push(reading);
    const spans = reasoning.slice(round.reasoning);
    for (let shift = length; shift <= passed; shift += length) {
      for (const span of cuts) markup.push(moveSpan(span, shift));
      for (const span of spans) reasoning.push(moveReasoning(span, shift));
    }
    if (isSingle) this.#extendLast(round.at, at, rest);
    else if (passed > 0) this.#addRounds(found, round.at, length, passed);
    return passed;
  }

  /** The last round is added candidate by candidate, because the walk may extend what it found last. */
  #addRounds(round: readonly Candidate[], from: number, length: number, passed: number): void {
    const { candidates, loops } = this.#findings;
    const last = round.at(-1);
    if (last) loops.set(last, { round, from, length, count: passed / length - 1 });
    for (const candidate of round) candidates.push(moveCandidate(candidate, passed, from));
  }

  #extendLast(from: number, at: number, rest: number): void {
    const last = this.#findings.candidates.at(-1);
    if (!last || isCutWrapper(last) || last.reading.end <= from) return;
    if (skipWhite(this.#context.text, last.reading.end) >= at)
      last.reading.end = Math.max(last.reading.end, at) + rest;
  }

  /** Whether none of the candidates can count, so that all rounds together are worth one finding. */
  #isSingle(round: readonly Candidate[], shift: number): boolean {
    return round.every((item) => this.#cannotCount(item) || this.#isFollowed(item, shift, round));
  }

  /** Whether none of the calls can be made, whatever follows. */
  #cannotCount(candidate: Candidate): boolean {
    const { region, reading, fence, isFirstInFence } = candidate;
    if (reading.kind === 'rejection') return true;
    const isShown = ['code', 'quote', 'reasoning'].includes(region) || (fence && !isFirstInFence);
    if (reading.calls.length === 0 || (isShown && !this.#countsReasoning)) return true;
    return reading.calls.every((call) => {
      const tool = this.#context.tools.resolve(call.name)?.tool;
      const isEmpty = call.arguments === undefined || (isShape(candidate) && isEmptyRecord(call.arguments));
      const isLacking = isEmpty && requiredParameters(tool?.parameters).length > 0;
      return call.refusal !== undefined || tool === undefined || isLacking;
    });
  }

  /** Whether the candidate counts only if nothing but calls follows, and in each round something else follows. */
  #isFollowed(candidate: Candidate, shift: number, round: readonly Candidate[]): boolean {
    const { region, reading } = candidate;
    const needsEnd = region === 'fence' || (region === 'answer' && isShape(candidate));
    if (!needsEnd || this.#countsReasoning) return false;
    const first = round[0]?.reading.start ?? reading.start;
    return round.some(({ reading: { end } }, index) => {
      const next = round[index + 1]?.reading.start ?? first + shift;
      return !this.#context.dialects.trailing.isAll(this.#context.text, end, next);
    });
  }
}

const isShape = ({ format, reading }: Candidate): boolean =>
  ((reading.kind === 'calls' && reading.evidence) || format.evidence) === 'shape';

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;

const moveReasoning = (span: ReasoningSpan, by: number): ReasoningSpan => ({
  start: span.start + by,
  end: span.end + by,
  bodyStart: span.bodyStart + by,
  bodyEnd: span.bodyEnd + by,
});

const isCutWrapper = ({ region, reading }: Candidate): boolean =>
  region === 'answer' && reading.kind === 'calls' && reading.calls.length === 0;
