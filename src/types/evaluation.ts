// An evaluation: every row of variables sent to every lane, several times, and what is counted of it.
import type { CallDeparture, OutcomeKind } from './expectation';

/** A row is one set of variables, a case a row in a lane, a sample one run of a case. */
export type SampleVerdict = 'passed' | 'failed' | 'no-verdict' | 'not-run';

/**
 * Why a sample has no verdict. `infrastructure`: it may work when it is sent again. `setup`: every other sample of the
 * connection would fail alike. `request`: this row cannot be sent as it is. `time`: over its time limit. `not-reported`: the
 * server did not report what an expectation is about, or the reply is no longer stored.
 */
export type NoVerdictReason = 'infrastructure' | 'setup' | 'request' | 'time' | 'not-reported';

/** One sample as it is counted: small, because an evaluation has up to 100,000 of them. Unknown amounts are absent. */
export interface JudgedSample {
  rowId: string;
  laneId: string;
  /** From 1. */
  repeat: number;
  verdict: SampleVerdict;
  /** First line of the first failed expectation, or why there is no verdict. */
  message?: string | undefined;
  reason?: NoVerdictReason | undefined;
  /** Present when it failed by its calls. */
  departure?: CallDeparture | undefined;
  /** False when none holds for its lane and row, so that it passed whatever came. @default true */
  hasExpectations?: boolean | undefined;
  /** Absent when no reply came. */
  outcome?: OutcomeKind | undefined;
  /** Whether all arguments meet the schemas of their tools; absent without a call. */
  hasValidArguments?: boolean | undefined;
  /** The calls in normal form, without ids: equal for samples that called the same. '' without a call. */
  calls?: string | undefined;
  /** Equal for replies that are equal in every byte of content and calls. */
  replyHash?: string | undefined;
  timeMs?: number | undefined;
  firstTokenMs?: number | undefined;
  promptTokens?: number | undefined;
  completionTokens?: number | undefined;
  costUsd?: number | undefined;
  attempts?: number | undefined;
  /** The model that answered, as the server names it. */
  model?: string | undefined;
  /** The header that says that the reply came from a cache, such as `cf-aig-cache-status: HIT`. */
  cache?: string | undefined;
  /** How often it was sent again because there was no verdict. */
  requeued?: number | undefined;
}

/** A row as it is counted and named. */
export interface EvaluationRow {
  id: string;
  /** Default: the id. */
  name?: string | undefined;
  /** Number of samples in each lane. Default: that of the evaluation. */
  repeat?: number | undefined;
}

/**
 * How the requests of a connection are paid: by its `rates`; `free` for the demo, and without rates for servers of one's own;
 * `quota` of VS Code's models; `unknown` for a service without rates.
 */
export type Billing = 'rates' | 'free' | 'quota' | 'unknown';

/** A lane as it is counted and named, with what says whether its repeats can differ. */
export interface EvaluationLane {
  id: string;
  /** How sentences name it, such as `qwen3:8b`. */
  label: string;
  billing: Billing;
  temperature?: number | undefined;
  seed?: number | undefined;
}

/** The shares that a case and a lane must reach, 0 to 1. */
export interface Gates {
  /** Least share of judged samples that pass, in each case. */
  case: number;
  /** Least mean over the cases of a lane; absent: no such gate. */
  lane?: number | undefined;
}
/**
 * `lost` as soon as it can no longer be met, `met` only at the end, and after a stop judged on what there is. `open`: not yet
 * known, or at the end without a judged sample.
 */
export type GateState = 'met' | 'lost' | 'open';

/** Both ends are shares, 0 to 1; of a difference, -1 to 1. */
export interface Interval {
  low: number;
  high: number;
}

/** Numbers of samples: planned = passed + failed + noVerdict + notRun. */
export interface SampleCounts {
  planned: number;
  passed: number;
  failed: number;
  noVerdict: number;
  /** Stopped, or not yet run. */
  notRun: number;
}

/** Numbers of the samples that ran by how they came out; `noVerdict` without a reply. */
export type OutcomeCounts = Record<OutcomeKind | 'noVerdict', number>;

/** A row in a lane. */
export interface CaseSummary extends SampleCounts {
  rowId: string;
  laneId: string;
  outcomes: OutcomeCounts;
  /** Of the judged samples. */
  interval?: Interval | undefined;
  gate: GateState;
  /** Some of its samples pass and some fail. */
  isFlaky: boolean;
  /** Share of the largest group of samples that called the same, and the share of pairs that agree; from two samples on. */
  agreement?: { largest: number; pairs: number } | undefined;
  /** Numbers of samples in the baseline. */
  before?: { passed: number; failed: number } | undefined;
  /** It meets the gate of a case and did not in the baseline, or the reverse. */
  flip?: 'fixed' | 'broken' | undefined;
}

/** All cases of a lane. */
export interface LaneSummary extends SampleCounts {
  laneId: string;
  outcomes: OutcomeCounts;
  /** Mean of the rates of its cases; absent without a judged sample. */
  rate?: number | undefined;
  /** From five rows on. */
  interval?: Interval | undefined;
  /** The rate if all samples without a verdict had failed, and if all had passed; absent when every sample has one. */
  bounds?: Interval | undefined;
  /**
   * The chances that of k samples of a case all pass, and that one does: means over the rows with k judged samples. Empty until
   * the lane has all its samples.
   */
  passPower: readonly { k: number; all: number; one: number; rows: number }[];
  /** Absent: no such gate. */
  gate?: GateState | undefined;
  /** Number of cases that lost the gate of a case. */
  lostCases: number;
  validArguments: { valid: number; of: number };
  /** Without the first sample, which may have loaded the model; absent without another one. */
  medianMs?: number | undefined;
  p90Ms?: number | undefined;
  firstMs?: number | undefined;
  /** Sums of what was reported, and of how many samples. */
  tokens?: { total: number; samples: number } | undefined;
  costUsd?: { total: number; samples: number } | undefined;
}

/** A lane beside the reference lane, or beside itself in a baseline, on the rows that both have. */
export interface LaneComparison {
  laneId: string;
  /** The reference lane; the lane itself beside a baseline. */
  otherId: string;
  /** Number of rows that are compared. */
  rows: number;
  /** Mean over these rows of the rate of the lane less that of the other, -1 to 1; absent without a row. */
  difference?: number | undefined;
  /** Of an evaluation of one row: the interval of the difference. */
  interval?: Interval | undefined;
  /** `sign-flip` on paired rows, `fisher` for an evaluation of one row. Absent: too few rows to compare. */
  test?: 'sign-flip' | 'fisher' | undefined;
  /** Adjusted for the number of comparisons by Holm's method. */
  p?: number | undefined;
  rawP?: number | undefined;
  /** p < 0.05. */
  isDecided: boolean;
  /** About how many rows would decide if the difference stays so; rounded up, more than there are. */
  neededRows?: number | undefined;
  /** The same for an evaluation of one row: number of samples in each lane. */
  neededSamples?: number | undefined;
}

/** Rows that meet the gate of a case now and did not in the baseline, and the reverse, in one lane. */
export interface LaneFlips {
  laneId: string;
  /** Rate of the lane in the baseline; absent without a judged sample. */
  rateBefore?: number | undefined;
  bothPass: number;
  fixed: readonly string[];
  broken: readonly string[];
  bothFail: number;
  /** Rows that had a verdict and have none now. */
  lostVerdict: readonly string[];
  /** At the end. */
  comparison?: LaneComparison | undefined;
}

/** Where a lane leaves the way of a recorded conversation, of which each row is a turn. */
export interface LaneDepartures {
  laneId: string;
  /** Number of turns with a verdict, and of those in which every sample did as recorded. */
  judged: number;
  kept: number;
  /** The first turn in which a sample did otherwise, with its failing and its judged samples. */
  first?: { rowName: string; failed: number; of: number; departure?: CallDeparture | undefined } | undefined;
  /** Numbers of samples; `other`: the calls are not the reason. */
  counts: Readonly<Record<CallDeparture['kind'] | 'other', number>>;
}

/** Why a number may not mean what it seems to. */
export type EvaluationWarning =
  /** All replies of these cases are equal in every byte, though repeated; `replies` if each case has this many. */
  | { kind: 'identical'; laneId: string; rowIds: readonly string[]; replies?: number | undefined }
  /** A seed is set and each case is repeated. */
  | { kind: 'seed'; laneIds: readonly string[]; seed: number }
  /** Replies that came from a cache count as new samples though they are none. Without a header it is only likely. */
  | { kind: 'cache'; laneId: string; samples: number; header?: string | undefined }
  /** The model that the replies name changes within the lane. */
  | { kind: 'model'; laneId: string; models: readonly string[] }
  | { kind: 'requeued' | 'no-verdict'; laneId: string; samples: number; of: number }
  /** No expectation holds for the lane and row of these samples, so they passed. */
  | { kind: 'no-expectation'; laneId: string; samples: number; of: number }
  /** The rates of these lanes are known to this many points (0 to 1) in each direction only; about so many rows would do. */
  | { kind: 'wide'; lanes: readonly { laneId: string; reach: number }[]; rows: number; neededRows: number }
  /** Lanes were judged on different rows; `common` of them in all lanes. */
  | { kind: 'rows'; common: number; of: number };

/** Everything that is shown of an evaluation but its samples. */
export interface EvaluationSummary extends SampleCounts {
  /** Without expectations there are no rates, gates and comparisons: each reply would pass. */
  hasExpectations: boolean;
  /** Whether nothing is still to come; lanes are compared only then. */
  isEnded: boolean;
  /** Of all lanes and cases together. Absent without expectations. */
  gate?: GateState | undefined;
  lanes: readonly LaneSummary[];
  /** Row by row, in the order of the lanes. */
  cases: readonly CaseSummary[];
  /** Each lane but the reference lane. */
  comparisons: readonly LaneComparison[];
  /** Against a baseline. */
  flips?: readonly LaneFlips[] | undefined;
  /** Where the rows are turns: one a lane that has a verdict. */
  departures?: readonly LaneDepartures[] | undefined;
  warnings: readonly EvaluationWarning[];
}

/** Rows that a filter shows. */
export type RowFilter = 'failing' | 'flaky' | 'lanes-disagree' | 'no-verdict' | 'fixed' | 'broken';

/** How the reply of a sample came out, or its verdict. */
export type SampleKind = keyof OutcomeCounts | SampleVerdict;

/** Samples of a lane, or of all lanes. */
export interface SamplePart {
  laneId?: string | undefined;
  kind: SampleKind;
}

/** A piece of a sentence: `strong` are names of lanes and verdicts, `code` are words of servers. */
export interface SentencePart {
  text: string;
  mark?: 'strong' | 'code' | undefined;
}
/** A sentence in parts, some of which are marked. */
export type Sentence = readonly SentencePart[];
