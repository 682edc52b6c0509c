// Public interface of the connections layer: what a connection is, where its secrets and its code come from, and how its
// requests travel, for any front end. Names neither vscode nor the DOM.
export { catalogEntry, missingHost, toCatalogView, toCredentials } from './catalog-connection';
export { ConnectionProblem, isConnectionProblem } from './connection-problem';
export type {
  Connection,
  ConnectionScope,
  ConnectionSetting,
  KeyTarget,
  NarrowedField,
  ProviderRequest,
} from './connection';
export { DEMO_CONNECTIONS, isReservedId, NARROWED_FIELDS, toConnection } from './connection';
export type { ProviderPlaygroundApi, ProviderRegistration } from './custom-providers/api';
export type { CustomEnvironment, Decision, NamedModule } from './custom-providers/custom-connections';
export { CustomConnections } from './custom-providers/custom-connections';
export { evaluateModule } from './custom-providers/evaluate-module';
export { freezeExports } from './custom-providers/freeze-exports';
export { findEntry } from './find-entry';
export { isKeyRefused, isRefusal } from './is-key-refused';
export { toKeyTarget } from './keys/key-binding';
export {
  explainMissingHeaders,
  explainMissingKey,
  explainNewHeader,
  explainStaleHeader,
} from './keys/missing-secrets';
export type { MarkPlaces } from './keys/secret-marks';
export { SecretMarks } from './keys/secret-marks';
export type { NetworkChoice } from './network/resolve-network';
export { chooseNetwork } from './network/resolve-network';
export { isLoopback, originOf, secretIn } from './origin';
export type { ProxyInUse } from './provider-error-info';
export { describeProviderError } from './provider-error-info';
export type { LibraryReference } from './tool-libraries/tool-reference';
export { LIBRARY_PATH, USER_LIBRARY, makeReference, parseReference } from './tool-libraries/tool-reference';
