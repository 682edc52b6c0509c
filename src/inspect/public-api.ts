// What the package offers as `provider-playground/inspect`: the doctor, expectations, rates. A program on Node or a page reads
// finished turns with it; nothing behind it does any I/O.
export { diagnose } from './doctor/diagnose';
export { NO_SETTING } from './doctor/diagnosis-input';
export type { DiagnosisInput, RunSetting } from './doctor/diagnosis-input';
export { diagnoseFailure } from './doctor/diagnose-failure';
export type { FailureInput } from './doctor/diagnose-failure';
export { diagnoseModel } from './doctor/diagnose-model';
export type { ModelDiagnosisInput } from './doctor/diagnose-model';
export { judgeTurn } from './judge-turn';
export type { TurnContext, TurnVerdict } from './judge-turn';
export { holdsFor, judgeExpectation, judgeSample, verdictOf } from './expectations/judge-sample';
export type { SamplePlace } from './expectations/judge-sample';
export type { JudgeContext } from './expectations/match-calls';
export { matchValue } from './matching/match-value';
export type { MatchOptions, Mismatch, ValueMatch } from './matching/match-value';
export { EvaluationTally, summarizeEvaluation } from './evaluation/summarize-evaluation';
export type { EvaluationPlan, SummaryOptions } from './evaluation/summarize-evaluation';
export {
  chanceOfGate,
  errorOfMean,
  failureRateBehindNone,
  passesRequired,
  rowsToTell,
  samplesToKnow,
  samplesToSee,
  samplesToTell,
} from './statistics/sample-size';
export { tokenRates } from './token-rates';
export type { MeasuredRun } from './token-rates';
export { cosineSimilarity } from './compare-vectors';
export type * from '../types';
