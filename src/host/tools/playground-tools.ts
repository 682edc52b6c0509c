// Registers the tools of playgrounds in the editor. The implementation is loaded on first use.
import * as vscode from 'vscode';
import type { DocumentBacking, Session, ToolSource } from '../../session';
import type { ToolType } from '../../types';
import { TOOL_SCHEME } from '../contributions';
import { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';
import type { ToolServices } from './tool-services';

export class PlaygroundTools implements vscode.Disposable {
  readonly #storage: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #sessions = new Set<Session>();
  readonly #registration: vscode.Disposable;
  readonly #services = new Lazy(() => this.#load());

  /** @param storage Folder of the user's own library. */
  constructor(storage: vscode.Uri) {
    this.#storage = storage;
    const options = { isCaseSensitive: true };
    this.#registration = vscode.workspace.registerFileSystemProvider(
      TOOL_SCHEME,
      this.#toFileSystem(),
      options,
    );
  }

  /** Makes the tools of a session available as files until it is disposed of. */
  follow(session: Session): void {
    this.#sessions.add(session);
    session.onDidDispose(() => this.#sessions.delete(session));
  }

  sourceFor({ id }: Pick<DocumentBacking, 'id'>): ToolSource {
    return {
      resolve: async (reference) => (await this.#services.get()).resolve(reference, id),
      invoke: async (name, args, signal) =>
        (await this.#services.get()).invoke({ name, args, signal, sessionId: id }),
      onDidChange: (listener) => {
        const subscription = this.#changed.event(listener);
        return () => subscription.dispose();
      },
    };
  }

  async edit(session: Session, index: number): Promise<void> {
    await (await this.#services.get()).edit(session, index);
  }

  async import(session: Session): Promise<void> {
    await (await this.#services.get()).import(session);
  }

  /** Lets the user choose tools for reading a text. @returns undefined when the user cancelled. */
  async choose(sessionId: string): Promise<ToolType[] | undefined> {
    return (await this.#services.get()).choose(sessionId);
  }

  async editUserLibrary(): Promise<void> {
    await (await this.#services.get()).editUserLibrary();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#fileChanged.dispose();
    void this.#services.loaded().then((services) => services?.dispose());
  }

  async #load(): Promise<ToolServices> {
    const [{ ToolServices: Services }, engine] = await Promise.all([import('./tool-services'), loadEngine()]);
    return new Services({
      engine,
      storage: this.#storage,
      sessions: () => this.#sessions,
      onLibraryChange: () => this.#changed.fire(),
      onFileChange: (events) => this.#fileChanged.fire(events),
    });
  }

  /** Only supports reading and writing a tool: tools are added and removed in the document. */
  #toFileSystem(): vscode.FileSystemProvider {
    return {
      onDidChangeFile: this.#fileChanged.event,
      watch: () => ({ dispose: () => undefined }),
      stat: async (uri) => (await this.#services.get()).files.stat(uri),
      readFile: async (uri) => (await this.#services.get()).files.readFile(uri),
      writeFile: async (uri, content) => (await this.#services.get()).files.writeFile(uri, content),
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    };
  }
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
