// The tools of playgrounds as the editor has them. What is done with them is loaded when it is first asked for.
import * as vscode from 'vscode';
import type { DocumentBacking, Session, ToolSource } from '../../session';
import type { ToolType } from '../../types';
import { TOOL_SCHEME } from '../contributions';
import { Lazy } from '../lazy';
import type { ToolServices } from './tool-services';

export class PlaygroundTools implements vscode.Disposable {
  readonly #storage: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #sessions = new Set<Session>();
  readonly #registration: vscode.Disposable;
  readonly #services = new Lazy(() => this.#load());

  /** @param storage Where the user's own library lies. */
  constructor(storage: vscode.Uri) {
    this.#storage = storage;
    const options = { isCaseSensitive: true };
    this.#registration = vscode.workspace.registerFileSystemProvider(
      TOOL_SCHEME,
      this.#toFileSystem(),
      options,
    );
  }

  /** Its tools can be files from now on, until it ends. */
  follow(session: Session): void {
    this.#sessions.add(session);
    session.onDidDispose(() => this.#sessions.delete(session));
  }

  sourceFor({ id }: DocumentBacking): ToolSource {
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

  /** For a text that is only read. @returns undefined when nothing was chosen */
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
    const { ToolServices: Services } = await import('./tool-services');
    return new Services(this.#storage, {
      sessions: () => this.#sessions,
      onLibraryChange: () => this.#changed.fire(),
      onFileChange: (events) => this.#fileChanged.fire(events),
    });
  }

  /** What is no reading and writing of a tool is refused: the document is where tools are added and removed. */
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
