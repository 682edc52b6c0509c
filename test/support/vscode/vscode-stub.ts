// Stand-in for `vscode` in plain Node: the few runtime parts that the tested host code needs, with settings from
// the test.

export { EventEmitter, settings, workspace } from './editor-settings';
export { FakeSecrets } from '../connections/fake-secrets';
