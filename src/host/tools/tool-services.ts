// Services for tools: editing as JSON, importing, libraries, running them. Bundled as a chunk that is loaded on
// first use.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolLibraries } from '../../connections';
import type { DocumentTool } from '../../protocol';
import type { Session } from '../../session';
import type { ToolType } from '../../types';
import { showMessage } from '../dialogs';
import { titleOf } from '../playground/scratches/title-of';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { showDocument } from '../show-document';
import type { AllowedTools } from './editor-tools';
import { EditorTools } from './editor-tools';
import { chooseTools } from './import-sources';
import { importTools } from './import-tools';
import { EditorLibraryFiles } from './library-files';
import { describeImport } from './plan-import';
import { ToolFiles } from './tool-files';

export interface ToolParts {
  engine: Pick<Engine, 'ToolLibraries'>;
  /** Folder of the user's own library. */
  storage: vscode.Uri;
  sessions: () => Iterable<Session>;
  onLibraryChange: () => void;
  onFileChange: (events: vscode.FileChangeEvent[]) => void;
}

export class ToolServices implements vscode.Disposable {
  readonly files: ToolFiles;
  readonly #sessions: () => Iterable<Session>;
  readonly #libraryFiles: EditorLibraryFiles;
  readonly #libraries: ToolLibraries<vscode.Uri>;
  readonly #editorTools = new EditorTools();
  /** By session id: tools that may run without another confirmation, until the window is closed. */
  readonly #allowed = new Map<string, AllowedTools>();

  constructor({ engine, storage, sessions, onLibraryChange, onFileChange }: ToolParts) {
    this.#libraryFiles = new EditorLibraryFiles(storage, () => {
      this.#libraries.forget();
      onLibraryChange();
    });
    this.#sessions = sessions;
    this.#libraries = new engine.ToolLibraries(this.#libraryFiles);
    this.files = new ToolFiles(sessions, onFileChange);
  }

  /** @returns a message in one sentence when the tool does not exist. */
  async resolve(reference: string, sessionId: string): Promise<DocumentTool | string> {
    const found = await this.#libraries.find(reference, sessionId);
    return found.tool ?? found.problem;
  }

  invoke(call: { name: string; args: unknown; signal: AbortSignal; sessionId: string }): Promise<string> {
    const { name, args, signal, sessionId } = call;
    const allowed = this.#allowed.get(sessionId) ?? new Set();
    this.#allowed.set(sessionId, allowed);
    return this.#editorTools.invoke(name, args, signal, allowed);
  }

  /** Opens the tool in VS Code's own JSON editor; a library tool in its library file. */
  async edit(session: Session, index: number): Promise<void> {
    const entry = session.editable.document.tools[index];
    if (entry && '$ref' in entry) return this.#editInLibrary(session, entry.$ref);
    const uri = this.files.open(session, index);
    if (!uri) throw await refuse(t('The tool no longer exists.'), t('Choose another one.'));
    await showDocument(uri);
  }

  import(session: Session): Promise<void> {
    return importTools(session, {
      libraries: this.#libraries,
      edit: (index) => this.edit(session, index),
    });
  }

  /** Lets the user choose tools; reports those that cannot be used. @returns undefined when the user cancelled. */
  async choose(sessionId: string): Promise<ToolType[] | undefined> {
    const playgrounds = [...this.#sessions()].flatMap(({ editable }) => {
      const tools = editable.toolViews().map(({ name, description, parameters }) => ({
        name,
        parameters,
        offered: true,
        mocks: [],
        ...(description !== '' && { description }),
      }));
      return tools.length > 0 ? [{ title: titleOf(editable.document), tools }] : [];
    });
    const title = t('Choose Tools');
    const found = await chooseTools({ libraries: this.#libraries, sessionId, title, playgrounds });
    if (!found) return undefined;
    const { incoming, skipped } = found;
    const tools = incoming.map(({ tool: { name, description, parameters } }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
    }));
    const imported = tools.map(({ name }) => name);
    if (skipped.length > 0) void showMessage('warning', describeImport({ imported, skipped }));
    return tools.length > 0 ? tools : undefined;
  }

  async editUserLibrary(): Promise<void> {
    await vscode.window.showTextDocument(await this.#libraryFiles.openUserFile());
  }

  dispose(): void {
    this.files.dispose();
    this.#libraryFiles.dispose();
  }

  async #editInLibrary(session: Session, reference: string): Promise<void> {
    const found = await this.#libraries.find(reference, session.id);
    if (!found.file)
      throw await refuse(found.problem ?? '', t('Create the library, or remove the reference.'));
    const document = await vscode.workspace.openTextDocument(found.file);
    const { findToolOffset } = await loadEngine();
    const offset = found.tool ? findToolOffset(document.getText(), found.key) : 0;
    const position = document.positionAt(offset);
    await showDocument(document.uri, { selection: new vscode.Range(position, position) });
    if (found.problem !== undefined) void showMessage('warning', found.problem);
  }
}

async function refuse(what: string, next: string): Promise<Error> {
  const { RefusalError } = await loadEngine();
  return new RefusalError({ title: t('This is not possible now'), what, why: '', next });
}
