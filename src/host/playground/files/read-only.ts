// Whether the editor's settings make a file read-only, evaluated as the editor does. A lock that the user sets for
// a single tab is not visible to extensions.

// As in `scratches.ts`: `node:fs/promises` would be loaded in every window.
import { promises as disk } from 'node:fs';
import * as vscode from 'vscode';

const SETTINGS = ['readonlyInclude', 'readonlyExclude', 'readonlyFromPermissions'] as const;
const WRITABLE_BY_OWNER = 0o200;

/** Whether the result of `findReadOnlySetting` for this file may have changed. */
export const affectsReadOnly = (event: vscode.ConfigurationChangeEvent, uri: vscode.Uri): boolean =>
  SETTINGS.some((name) => event.affectsConfiguration(`files.${name}`, uri));

/** @returns the name of the setting that makes it read-only, if any. Never rejects. */
export async function findReadOnlySetting(document: vscode.TextDocument): Promise<string | undefined> {
  const settings = vscode.workspace.getConfiguration('files', document.uri);
  // Patterns take precedence over permissions, in both directions.
  if (matchesAny(document, settings.get('readonlyInclude')))
    return matchesAny(document, settings.get('readonlyExclude')) ? undefined : 'files.readonlyInclude';
  const isLocked = settings.get('readonlyFromPermissions') === true && (await lacksPermission(document.uri));
  return isLocked ? 'files.readonlyFromPermissions' : undefined;
}

/** Patterns are absolute or relative to the workspace folder; for files outside of it they match the whole path. */
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

/** Checked here, because the editor reports only whether a file system is writable at all. */
async function lacksPermission({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') return false;
  return disk.stat(fsPath).then(
    ({ mode }) => (mode & WRITABLE_BY_OWNER) === 0,
    () => false,
  );
}
