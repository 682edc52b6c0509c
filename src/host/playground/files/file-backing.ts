// The text of a playground file, kept in VS Code's own document, so that undo, save, hot exit and diff are the
// editor's.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DocumentBacking, TextEdit } from '../../../session';
import { affectsReadOnly, findReadOnlySetting } from './read-only';

/** A command of the editor; it applies to the active tab. */
const MAKE_WRITABLE = 'workbench.action.files.setActiveEditorWriteableInSession';
const unwritableMessage = (): string =>
  t('This file cannot be written to. Save it under another name to change it.');
const notWrittenMessage = (): string =>
  t(
    'VS Code keeps this file read-only: your changes here are not written to it, and are lost when its tab closes.',
  );

export class FileBacking implements DocumentBacking, vscode.Disposable {
  readonly kind = 'file';
  readonly id: string;
  #document: vscode.TextDocument;
  readonly #listeners = new Set<() => void>();
  readonly #subscription: vscode.Disposable;
  #isUnwritable: boolean;
  /** Name of the setting that makes the file read-only. */
  #setting: string | undefined;
  /** Whether the file was made writable in spite of the settings. */
  #isUnlocked = false;
  #isNotWritten = false;

  constructor(document: vscode.TextDocument) {
    this.#document = document;
    this.id = fileSessionId(document.uri);
    this.#isUnwritable = vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false;
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
        if (changed !== this.#document) return;
        // The editor marks only writable documents as dirty.
        if (changed.isDirty && this.unlock) this.#liftLock();
        else if (contentChanges.length > 0) this.#notifyListeners();
      }),
      // The editor closes a document that nobody looks at after a while, and opens it again as another one.
      vscode.workspace.onDidOpenTextDocument((opened) => {
        if (opened === this.#document || fileSessionId(opened.uri) !== this.id) return;
        this.#document = opened;
        this.#notifyListeners();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (affectsReadOnly(event, document.uri)) void this.#readSettings();
      }),
    );
    void this.#readPermissions();
    void this.#readSettings();
  }

  get title(): string {
    const name = this.#document.uri.path.split('/').at(-1) ?? '';
    return name.replace(/\.playground\.json$/, '');
  }

  get readOnly(): string | undefined {
    if (this.#isUnwritable) return unwritableMessage();
    if (this.#setting === undefined) return undefined;
    return t(
      'The setting `{0}` keeps this file read-only. Make it writable, or save it under another name to change it.',
      this.#setting,
    );
  }

  get notWritten(): string | undefined {
    return this.#isNotWritten ? notWrittenMessage() : undefined;
  }

  get unlock(): (() => Promise<void>) | undefined {
    const isLocked = !this.#isUnwritable && (this.#setting !== undefined || this.#isNotWritten);
    return isLocked ? () => this.#unlock() : undefined;
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
    // If the editor saves it during the edit, the document is not dirty although the edit was kept.
    let isSaved = false;
    const saving = vscode.workspace.onDidSaveTextDocument((saved) => (isSaved ||= saved === this.#document));
    try {
      const isDone = await vscode.workspace.applyEdit(edit);
      if (isDone) this.#setLock(this.#setting, { isNotWritten: !isSaved && !this.#document.isDirty });
      return isDone;
    } catch {
      return false;
    } finally {
      saving.dispose();
    }
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A file that does not exist yet is writable. */
  async #readPermissions(): Promise<void> {
    const stat = await Promise.resolve(vscode.workspace.fs.stat(this.#document.uri)).catch(() => undefined);
    if (!stat?.permissions || this.#isUnwritable) return;
    this.#isUnwritable = true;
    this.#notifyListeners();
  }

  async #readSettings(): Promise<void> {
    const setting = await findReadOnlySetting(this.#document);
    if (!this.#isUnlocked) this.#setLock(setting, { isNotWritten: this.#isNotWritten });
  }

  /** Makes the file writable. Earlier changes become dirty only with another change, so one is made and undone. */
  async #unlock(): Promise<void> {
    const wasNotWritten = this.#isNotWritten;
    await vscode.commands.executeCommand(MAKE_WRITABLE);
    this.#liftLock();
    if (!wasNotWritten) return;
    const offset = this.read().length;
    await this.apply([{ offset, length: 0, text: '\n' }]);
    await this.apply([{ offset, length: this.read().length - offset, text: '' }]);
  }

  #liftLock(): void {
    this.#isUnlocked = true;
    this.#setLock(undefined, { isNotWritten: false });
  }

  #setLock(setting: string | undefined, { isNotWritten }: { isNotWritten: boolean }): void {
    if (this.#setting === setting && this.#isNotWritten === isNotWritten) return;
    this.#setting = setting;
    this.#isNotWritten = isNotWritten;
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#listeners.clear();
  }
}

/** Id under which the runs of a file are stored. It depends on the file's location; renames move the runs. */
export const fileSessionId = (uri: vscode.Uri): string => `file:${uri.toString()}`;

/** The inverse of `fileSessionId`; undefined for a scratch. */
export const uriOfSession = (sessionId: string): vscode.Uri | undefined =>
  sessionId.startsWith('file:') ? vscode.Uri.parse(sessionId.slice('file:'.length)) : undefined;
