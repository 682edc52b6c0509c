// The text of a playground file: VS Code's own document, so that undo, save, hot exit and diff are the editor's.
import * as vscode from 'vscode';
import type { DocumentBacking, TextEdit } from '../../session';

export class FileBacking implements DocumentBacking, vscode.Disposable {
  readonly kind = 'file';
  readonly id: string;
  readonly #document: vscode.TextDocument;
  readonly #listeners = new Set<() => void>();
  readonly #subscription: vscode.Disposable;
  #isReadOnly: boolean;

  constructor(document: vscode.TextDocument) {
    this.#document = document;
    this.id = fileSessionId(document.uri);
    this.#isReadOnly = vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false;
    this.#subscription = vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
      if (changed === document && contentChanges.length > 0) this.#tell();
    });
    void this.#readPermissions();
  }

  get title(): string {
    const name = this.#document.uri.path.split('/').at(-1) ?? '';
    return name.replace(/\.playground\.json$/, '');
  }

  get readOnly(): string | undefined {
    return this.#isReadOnly
      ? 'This file cannot be written to. Save it under another name to change it.'
      : undefined;
  }

  read(): string {
    return this.#document.getText();
  }

  async apply(edits: readonly TextEdit[]): Promise<boolean> {
    const edit = new vscode.WorkspaceEdit();
    const { uri } = this.#document;
    for (const { offset, length, text } of edits) {
      const range = new vscode.Range(
        this.#document.positionAt(offset),
        this.#document.positionAt(offset + length),
      );
      edit.replace(uri, range, text);
    }
    try {
      return await vscode.workspace.applyEdit(edit);
    } catch {
      return false;
    }
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A file that does not exist yet can be written. */
  async #readPermissions(): Promise<void> {
    const stat = await Promise.resolve(vscode.workspace.fs.stat(this.#document.uri)).catch(() => undefined);
    if (!stat?.permissions || this.#isReadOnly) return;
    this.#isReadOnly = true;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#listeners.clear();
  }
}

/** What the runs of a file are stored under: where it lies, which a rename carries over. */
export const fileSessionId = (uri: vscode.Uri): string => `file:${uri.toString()}`;

/** The way back; undefined for a scratch. */
export const uriOfSession = (sessionId: string): vscode.Uri | undefined =>
  sessionId.startsWith('file:') ? vscode.Uri.parse(sessionId.slice('file:'.length)) : undefined;
