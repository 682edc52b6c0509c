// Whether a file is near enough to a playground to be read for it.
import * as vscode from 'vscode';

/**
 * Whether the file is in the workspace or below the playground's folder. A playground from someone else must not
 * read distant files.
 */
export function isNear(uri: vscode.Uri, beside: vscode.Uri | undefined): boolean {
  if (vscode.workspace.getWorkspaceFolder(uri)) return true;
  if (!beside || uri.scheme !== beside.scheme || uri.authority !== beside.authority) return false;
  return uri.path.startsWith(beside.path.endsWith('/') ? beside.path : `${beside.path}/`);
}
