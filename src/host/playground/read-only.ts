// Whether the editor's settings keep a file from being changed, read as the editor itself reads them. What a person sets for
// one tab and one sitting is not here: no extension is told of it.

// as in `scratches.ts`: not `node:fs/promises`, which would be loaded in every window
import { promises as disk } from 'node:fs';
import * as vscode from 'vscode';

const SETTINGS = ['readonlyInclude', 'readonlyExclude', 'readonlyFromPermissions'] as const;
const WRITABLE_BY_OWNER = 0o200;

/** Whether what `findReadOnlySetting` says of this file may be another one now. */
export const affectsReadOnly = (event: vscode.ConfigurationChangeEvent, uri: vscode.Uri): boolean =>
  SETTINGS.some((name) => event.affectsConfiguration(`files.${name}`, uri));

/** @returns the name of the setting that keeps it read-only. Never rejects */
export async function findReadOnlySetting(document: vscode.TextDocument): Promise<string | undefined> {
  const settings = vscode.workspace.getConfiguration('files', document.uri);
  // a pattern counts for more than permissions, in both directions
  if (matchesAny(document, settings.get('readonlyInclude')))
    return matchesAny(document, settings.get('readonlyExclude')) ? undefined : 'files.readonlyInclude';
  const isLocked = settings.get('readonlyFromPermissions') === true && (await lacksPermission(document.uri));
  return isLocked ? 'files.readonlyFromPermissions' : undefined;
}

/** Patterns are relative to the folder of the workspace, or absolute; beside any folder they meet the whole path. */
function matchesAny(document: vscode.TextDocument, patterns: unknown): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const selected = Object.entries(patterns ?? {}).flatMap(([glob, isOn]): vscode.DocumentFilter[] => {
    if (isOn !== true) return [];
    const isWhole = !folder || isAbsolute(glob);
    return [{ pattern: isWhole ? glob : new vscode.RelativePattern(folder, glob) }];
  });
  return vscode.languages.match(selected, document) > 0;
}

const isAbsolute = (glob: string): boolean => /^([/\\]|[A-Za-z]:)/.test(glob);

/** The editor tells an extension only of files that no file system could write to. */
async function lacksPermission({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') return false;
  return disk.stat(fsPath).then(
    ({ mode }) => (mode & WRITABLE_BY_OWNER) === 0,
    () => false,
  );
}
