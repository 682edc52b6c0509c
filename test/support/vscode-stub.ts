// Stands in for `vscode` in plain Node: the few runtime parts that host code under test needs, with settings that a test sets.

export { EventEmitter, settings, workspace } from './editor-settings';
export { FakeSecrets } from './fake-secrets';
