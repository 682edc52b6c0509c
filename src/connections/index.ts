// Public interface of the connections layer: what a connection is, where its secrets and its code come from, and how its
// requests travel, for any front end. Names neither vscode nor the DOM.
export type {
  Connection,
  ConnectionScope,
  ConnectionSetting,
  KeyTarget,
  ProviderRequest,
} from './connection';
export { EDITOR_MODELS_ID } from './connection';
export { ConnectionProblem } from './connection-problem';
export type { ConnectionService } from './connection-service';
export { createConnectionSource } from './connection-source';
export type { ProviderPlaygroundApi, ProviderRegistration } from './custom-providers/api';
export type { CustomEnvironment, Decision, NamedModule } from './custom-providers/custom-connections';
export { CustomConnections } from './custom-providers/custom-connections';
export { evaluateModule } from './custom-providers/evaluate-module';
export { diagnoseConnection } from './diagnose/diagnose-connection';
export type { DiagnosisLine, DiagnosisServices } from './diagnose/diagnosis';
export type { LeavingFrom, RequestPlace } from './diagnose/place';
export { findPlace } from './diagnose/place';
export type { Progress } from './diagnose/write-report';
export { diagnosisSections, sumUpDiagnosis, writeReport } from './diagnose/write-report';
export type { Face } from './face';
export { findEntry } from './find-entry';
export { isKeyRefused } from './is-key-refused';
export type { ApiKeys, GivenSecret, SecretKind, StoredSecret } from './keys/api-keys';
export { isKeyStoreError } from './keys/api-keys';
export { secretsByOrigin } from './keys/secrets-by-origin';
export { describeGiven } from './keys/describe-given';
export { listModels } from './list-models';
export type { FoundServer, LocalServer, SpokenProtocol } from './local-servers';
export { findLocalServers, findProtocols, isTaken, localServersOf, pickModel } from './local-servers';
export type { HttpSettings, NetworkChoice } from './network/resolve-network';
export { readNetwork } from './network/resolve-network';
export type { Connections } from './open-connections';
export { library, openConnections } from './open-connections';
export { isLoopback, originOf, secretIn } from './origin';
export type { ConnectionPorts, CustomCode, LibraryFiles, ScopedSetting } from './ports';
export type { MisplacedEntry, Source } from './sources/source';
export { ToolLibraries } from './tool-libraries/tool-libraries';
export { LIBRARY_PATH } from './tool-libraries/tool-reference';
