// What was decided about the candidates of a reply. The rounds of a loop that were decided alike are kept as one, and are
// unfolded one at a time: a loop may have 40,000 calls. Independent of how it was decided.
import type { RescueEvidence, RescueRejection } from '../../../types';
import type { CallsReading, ReadCall } from '../core/rescue-format';
import type { Span } from '../text/cut-text';
import type { Candidate } from '../walk/findings';
import { copyJson, moveCandidate, moveRepairs } from '../walk/move-findings';
import type { Judgement } from './judge-call';

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
}

/** Rounds of a loop in which the same is settled at the same distances. */
export interface SettledLoop {
  /** What was settled in the round after them, in the order of the text. */
  round: readonly SettledCandidate[];
  /** Start of that round. */
  from: number;
  /** Of a round. */
  length: number;
  /** Number of rounds before that one. */
  count: number;
}

export interface Settlement {
  settled: SettledCandidate[];
  /** By the candidate before which they come: rounds that are not among the settled ones. */
  loops?: Map<SettledCandidate, SettledLoop>;
  rejected: RescueRejection[];
  /** Unpaired closers and end-of-turn tokens after calls. */
  trailing: Span[];
}

/** Everything that was settled, the rounds of loops included, in the order of the text. */
export function* unfold(
  settled: readonly SettledCandidate[],
  loops: ReadonlyMap<SettledCandidate, SettledLoop>,
): Generator<SettledCandidate> {
  for (const item of settled) {
    const { round, from, length, count } = loops.get(item) ?? NO_LOOP;
    for (let shift = -count * length; shift < 0; shift += length)
      for (const before of round) yield moveSettled(before, shift, from);
    yield item;
  }
}

const NO_LOOP: SettledLoop = { round: [], from: 0, length: 0, count: 0 };

function moveSettled(settled: SettledCandidate, by: number, from: number): SettledCandidate {
  const { evidence, dataTo } = settled;
  const candidate = moveCandidate(settled.candidate, by, from);
  const reading = candidate.reading as CallsReading;
  const judgements = settled.judgements.map((judgement, index) =>
    moveJudgement(judgement, by, reading.calls[index] ?? judgement.call),
  );
  return { candidate, reading, evidence, judgements, dataTo: dataTo === undefined ? undefined : dataTo + by };
}

/** @param call The moved call, whose arguments are a copy. */
function moveJudgement(judgement: Judgement, by: number, call: ReadCall): Judgement {
  if (judgement.kind === 'refused') {
    const { nearest, refusal } = judgement;
    return { kind: 'refused', call, refusal: call.refusal ?? refusal, nearest };
  }
  const { name, repairs, schemaIssues } = judgement;
  const isAsWritten = judgement.arguments === judgement.call.arguments;
  return {
    kind: 'approved',
    call,
    name,
    arguments: isAsWritten ? (call.arguments as typeof judgement.arguments) : copyJson(judgement.arguments),
    repairs: moveRepairs(repairs, by),
    schemaIssues: schemaIssues?.map((issue) => ({ ...issue })),
  };
}
