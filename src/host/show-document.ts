// Shows documents where they are already open, and otherwise beside the active editor: each is in one column only.
import * as vscode from 'vscode';

/** @returns the column where the document is open; otherwise an empty one, or the one beside the active editor */
export function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const empty = vscode.window.tabGroups.all.find(({ tabs }) => tabs.length === 0);
  return openColumnOf(uri) ?? empty?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** @returns the column where the document is open */
export function openColumnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const wanted = uri.toString();
  // Of a text and of a custom editor alike.
  const isIt = ({ input }: vscode.Tab): boolean =>
    (input as { uri?: vscode.Uri } | undefined)?.uri?.toString() === wanted;
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isIt))?.viewColumn;
}

/**
 * Shows the document in the editor that is associated with it: by default the documents of runs and diagnoses open as rendered
 * Markdown (`configurationDefaults` of the manifest), and a person may choose their text instead.
 */
export async function openDocument(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', uri, { viewColumn: columnOf(uri), ...options });
}

/** Shows the text in an editor. */
export async function showDocument(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  await vscode.window.showTextDocument(uri, { viewColumn: columnOf(uri), ...options });
}
