// Opens the text of a playground beside it.
import * as vscode from 'vscode';

/** Opens the file in the text editor at this line, counted from 1. */
export async function openText(uri: vscode.Uri, line = 1): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'default', beside(line));
}

/** Opens a text that belongs to no file yet. */
export async function openCopy(content: string, line = 1): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, beside(line));
}

function beside(line: number): vscode.TextDocumentShowOptions {
  const position = new vscode.Position(line - 1, 0);
  return { viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(position, position) };
}
