// Compares what a walk found in the rounds of a loop, and repeats it for the rounds that the walk passes.
import type { RescueRepair } from '../../../types';
import { isRecord, setOwn } from '../../util/json';
import type { Span } from '../text/cut-text';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading } from '../core/rescue-format';
import type { ReasoningSpan } from '../regions/reasoning-tags';
import { requiredParameters } from '../schema/check-arguments';
import { skipWhite } from '../text/white-space';
import type { Candidate, Findings } from './findings';
import type { Round } from './repetition';

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

  /** Whether the same was found from `one` to `other` as from there to `next`, and can be repeated. */
  isSame(one: WalkRound, other: WalkRound, next: WalkRound): boolean {
    if (this.#describe(one, other) !== this.#describe(other, next)) return false;
    const round = this.#findings.candidates.slice(other.candidates, next.candidates);
    return this.#isSingle(round, next.at - other.at) || round.every(isCopyable);
  }

  /** Describes what was found between two rounds: equal for two rounds if the same was found at the same distances. */
  #describe(from: WalkRound, to: WalkRound): string {
    const { candidates, markup, reasoning } = this.#findings;
    const toDistances = ({ start, end }: Span): number[] => [start - from.at, end - from.at];
    return JSON.stringify([
      candidates
        .slice(from.candidates, to.candidates)
        .map(({ format, region, isFirstInFence, reading }) => [
          format.id,
          region,
          isFirstInFence,
          reading.kind,
          toDistances(reading),
        ]),
      markup.slice(from.markup, to.markup).map(toDistances),
      reasoning.slice(from.reasoning, to.reasoning).map(toDistances),
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
      for (const { start, end } of cuts) markup.push({ start: start + shift, end: end + shift });
      for (const span of spans) reasoning.push(moveSpan(span, shift));
      if (!isSingle) for (const item of found) candidates.push(copyCandidate(item, shift));
    }
    if (isSingle) this.#extendLast(round.at, at, rest);
    return passed;
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

const moveSpan = (span: ReasoningSpan, by: number): ReasoningSpan => ({
  start: span.start + by,
  end: span.end + by,
  bodyStart: span.bodyStart + by,
  bodyEnd: span.bodyEnd + by,
});

const isCutWrapper = ({ region, reading }: Candidate): boolean =>
  region === 'answer' && reading.kind === 'calls' && reading.calls.length === 0;

/** Whether nothing but the calls and their repairs tells offsets. */
const isCopyable = ({ fence, reading }: Candidate): boolean =>
  fence === undefined &&
  reading.kind === 'calls' &&
  (reading.failure ?? reading.thought ?? reading.inventedTo) === undefined;

function copyCandidate(candidate: Candidate, by: number): Candidate {
  const reading = candidate.reading as CallsReading;
  const calls = reading.calls.map((call) => ({
    ...call,
    start: call.start + by,
    end: call.end + by,
    repairs: moveRepairs(call.repairs, by),
    arguments: copyJson(call.arguments),
  }));
  const { evidence, needsEnd, isStatement, isOpen, isWhole } = reading;
  const [start, end] = [reading.start + by, reading.end + by];
  const repairs = moveRepairs(reading.repairs, by);
  // No spread, because a loop may have 40,000 calls, and copying an object with so many properties is slow.
  const moved: CallsReading = {
    kind: 'calls',
    start,
    end,
    calls,
    repairs,
    evidence,
    needsEnd,
    isStatement,
    isOpen,
    isWhole,
  };
  return { ...candidate, reading: moved };
}

const moveRepairs = (repairs: readonly RescueRepair[], by: number): readonly RescueRepair[] =>
  repairs.length === 0 ? repairs : repairs.map((repair) => ({ ...repair, at: repair.at + by }));

/** Calls do not share their arguments, because the caller may change them. */
function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key]));
  return copy;
}
