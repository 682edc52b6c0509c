// Public interface of the inspect layer: pure analysis of finished turns. No vscode, no network, no clock.
export { diagnose } from './doctor/diagnose';
export { NO_SETTING } from './doctor/diagnosis-input';
export type { DiagnosisInput, RunSetting } from './doctor/diagnosis-input';
export { diagnoseFailure } from './doctor/diagnose-failure';
export type { FailureInput } from './doctor/diagnose-failure';
export type { ModelDiagnosisInput } from './doctor/diagnose-model';
export { diagnoseModel } from './doctor/diagnose-model';
export { judgeTurn } from './judge-turn';
export type { TurnVerdict } from './judge-turn';
export { compareVectors, cosineSimilarity } from './compare-vectors';
export type { VectorComparison, VectorShape } from './compare-vectors';
export { diagnoseVectors } from './doctor/diagnose-vectors';
export type { MeasuredRun } from './token-rates';
export { tokenRates } from './token-rates';
export { isKnownChatModel, isKnownEmbedder } from './model-names';
export type { BodyKind } from './wire/body-kind';
export { bodyKind } from './wire/body-kind';
export { formatJson } from './wire/format-json';
export type { WireEvent } from './wire/read-events';
export { describeEvent } from './wire/describe-event';
export { readEvents, utf8Length } from './wire/read-events';
export { findResponseId } from './wire/response-id';
export { copyAs } from './copy/copy-as';
export type { CopyForm } from './copy/copy-forms';
export { copyForms } from './copy/copy-forms';
export { keyVariable } from './copy/key-variable';
export type { Shell, ShellCommand } from './copy/shell-words';
export { printCommand, shellOf } from './copy/shell-words';
export type { ProtocolEntry } from './find-protocol';
export { findProtocol, isOverHttp } from './find-protocol';
export { printJs } from './copy/print-js';
export type { SamplingInput } from './parameter-honesty';
export { samplingWays } from './parameter-honesty';
export { fence, plainLine } from './export/markdown';
export { describeHindrance } from './describe-hindrance';
export { describeRescue } from './describe-rescue';
export { cutInside } from './export/cut-inside';
export { explainRun } from './export/explain-run';
export type { ExportedRun, ExportInfo } from './export/exported-run';
export { toHtml, toJson, toMarkdown } from './export/export-runs';
export { toReport } from './export/report';
export type { ExportedEvaluation, ExportedLane } from './export/evaluation/exported-evaluation';
export {
  evaluationToCsv,
  evaluationToHtml,
  evaluationToJson,
  evaluationToMarkdown,
} from './export/evaluation/export-evaluation';
export type { CaseMessages, MessageGroup } from './export/evaluation/case-messages';
export { groupMessages } from './export/evaluation/case-messages';
export {
  describeCase,
  describeCost,
  describeGate,
  describeGates,
  describeRate,
  describeTimes,
  formatInterval,
  formatLong,
  formatShare,
} from './export/evaluation/rate-words';
export { countOf, formatCost, formatDuration } from './count-words';
export { canonicalJson, normalForm, printNormal } from './normal-form';
export { toLabel, toPrintable, toVisible, toVisibleLines } from './visible-text';
export type { JsonRecord } from './json-words';
export { cutShort, describeValue, jsonTypeOf, listValues, showValue, toPointer } from './json-words';
export type { MatcherProblem } from './matching/check-matchers';
export type { IsLater } from './matching/check-matchers';
export { checkMatchers } from './matching/check-matchers';
export type { MatchOptions, Mismatch, ValueMatch } from './matching/match-value';
export { matchValue } from './matching/match-value';
export { isMatcher, printPattern } from './matching/matchers';
export { estimateSteps, MAX_TRIAL_STEPS, patternLimit } from './matching/pattern-limit';
export type { EvaluationPlan, SummaryOptions } from './evaluation/summarize-evaluation';
export { EvaluationTally, summarizeEvaluation } from './evaluation/summarize-evaluation';
export type { DescribedWarning } from './evaluation/describe-evaluation';
export {
  describeComparison,
  describeFlips,
  describeGateChance,
  describeTest,
  describeWarning,
} from './evaluation/describe-evaluation';
export { describeDepartures } from './evaluation/lane-departures';
export { hasSamples, ROW_FILTERS } from './evaluation/row-filters';
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
export type { SamplePlace } from './expectations/judge-sample';
export {
  holdsFor,
  judgeExpectation,
  judgeSample,
  outcomeInRow,
  verdictOf,
} from './expectations/judge-sample';
export type { JudgeContext } from './expectations/match-calls';
export { printCall } from './expectations/match-calls';
