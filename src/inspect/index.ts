// Pure analysis of finished turns. Knows no vscode, no network and no clock.
export { diagnose } from './diagnose';
export type { Diagnosis, DiagnosisInput } from './diagnose';
export { judgeTurn } from './judge-turn';
export type { TurnVerdict } from './judge-turn';
