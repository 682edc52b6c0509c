// Pure analysis of finished turns. Knows no vscode, no network and no clock.
export { diagnose } from './diagnose';
export type { Diagnosis, DiagnosisInput } from './diagnose';
export { judgeTurn } from './judge-turn';
export type { TurnVerdict } from './judge-turn';
export { compareVectors, cosineSimilarity } from './compare-vectors';
export type { VectorComparison, VectorShape } from './compare-vectors';
export { diagnoseVectors } from './diagnose-vectors';
export { isKnownChatModel, isKnownEmbedder } from './model-names';
