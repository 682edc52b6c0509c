// Gives the custom providers access to the editor: the setting, the dialog, stored decisions, and file watching.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { showMessage } from '../dialogs';
import type { CustomEnvironment, Decision, NamedModule } from '../../connections';
import { CustomConnections } from '../../connections';

type Editor = Pick<CustomEnvironment, 'library' | 'readNetwork' | 'onChange' | 'log'> & {
  state: vscode.Memento;
};

const DECISIONS = 'customProviders.decisions';
const MAX_MODULES = 20;
/** In milliseconds: editors write a file in several steps. */
const SETTLE_MS = 200;

export function openCustomConnections({ state, ...others }: Editor): CustomConnections {
  const read = (): Record<string, Decision> => state.get<Record<string, Decision>>(DECISIONS, {});
  return new CustomConnections({
    ...others,
    namedModules: readNamedModules,
    ask: askToRun,
    watch: watchFile,
    decisions: {
      get: (path) => (Object.hasOwn(read(), path) ? read()[path] : undefined),
      set: (path, decision) => state.update(DECISIONS, { ...read(), [path]: decision }),
    },
  });
}

/** Only for a trusted workspace on this machine; elsewhere there is no file to run. */
export function readNamedModules(): NamedModule[] {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION);
  const value: unknown = configuration.get(SETTINGS.customProviders);
  const paths = toPaths(value);
  if (!paths) {
    const written = `${CONFIGURATION}.${SETTINGS.customProviders}`;
    return [
      { written, problem: t('The setting must be a path or a list of at most {0} paths.', MAX_MODULES) },
    ];
  }
  const inspected = configuration.inspect(SETTINGS.customProviders);
  const isOfWorkspace = (inspected?.workspaceFolderValue ?? inspected?.workspaceValue) !== undefined;
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const [folder] = folders;
  return paths.map((written) => {
    if (!vscode.workspace.isTrusted) return { written, problem: untrustedMessage() };
    if (folder === undefined) return { written, problem: noFolderMessage() };
    return { written, scope: isOfWorkspace ? 'workspace' : 'user', folder, folders };
  });
}

const untrustedMessage = (): string =>
  t('It is not run, because the workspace is not trusted. Trust the workspace to use it.');
const noFolderMessage = (): string =>
  t(
    'It is not run, because no folder on this machine is open. Open one; in a remote window the extension must run on the remote machine, too.',
  );

function toPaths(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MODULES || !list.every((path) => typeof path === 'string')) return undefined;
  return list.map((path) => path.trim()).filter((path) => path !== '');
}

/** Enter presses the first button, so that one only shows the module and does not run it. */
async function askToRun(question: {
  path: string;
  sha256: string;
  hasChanged: boolean;
}): Promise<boolean | undefined> {
  const { path, sha256, hasChanged } = question;
  const show = t('Show Module');
  const run = t('Run Module');
  const message = hasChanged
    ? t('A module of custom providers has changed since you allowed it. Run it again? {0}', path)
    : t('Run this module of custom providers? {0}', path);
  const detail = t(
    'The setting {0} names it. It is code: it runs with all the rights of the editor on this machine, in one process with this extension and all others. It can read and write your files, use the network and inspect the other code in the process. It does not get the keys of other connections, but it is not sandboxed. Run it only if you know what it does. You are asked again when the file changes; files that it loads itself are not checked.\n\nSHA-256: {1}',
    `${CONFIGURATION}.${SETTINGS.customProviders}`,
    sha256,
  );
  const answer = await showMessage('warning', message, { modal: true, detail }, show, run);
  if (answer !== show) return answer === run;
  await vscode.window.showTextDocument(vscode.Uri.file(path));
  return undefined;
}

function watchFile(path: string, onChange: () => void): vscode.Disposable {
  const file = vscode.Uri.file(path);
  const folder = vscode.Uri.joinPath(file, '..');
  const name = path.slice(path.search(/[^/\\]+$/)).replaceAll(/[*?{}[\]]/g, '?');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(settle),
    watcher.onDidChange(settle),
    watcher.onDidDelete(settle),
    { dispose: () => clearTimeout(timer) },
  );
}
