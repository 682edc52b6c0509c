// The tool libraries that a playground can refer to: the user's own, and files of the workspace. Read through the
// editor's file systems, so that they may be anywhere.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DocumentTool } from '../../protocol';
import type { ToolLibrary } from '../../session';
import { toLabel } from '../../inspect';
import { LIBRARY_PATH, makeReference, parseReference, USER_LIBRARY } from '../../connections';
import { loadEngine } from '../load-engine';
import { uriOfSession } from '../playground/file-backing';
import { LibraryWatch } from './library-watch';
import { readState, readTextFile } from './read-text-file';
import type { LibraryReference } from '../../connections';

const MAX_CACHED = 50;
const MAX_REFERENCE_LENGTH = 1_000;

export type FoundTool =
  | { tool: DocumentTool; key: string; uri: vscode.Uri; problem?: undefined }
  /** `uri` is the library file to look into. */
  | { problem: string; uri?: vscode.Uri | undefined; tool?: undefined };

export interface ListedTool {
  reference: string;
  tool: DocumentTool;
  /** Location of the library, in words. */
  library: string;
}

interface Cached {
  mtime: number;
  size: number;
  library: ToolLibrary;
}

export class ToolLibraries implements vscode.Disposable {
  readonly #userFile: vscode.Uri;
  readonly #watch: LibraryWatch;
  readonly #cache = new Map<string, Cached>();
  readonly #reading = new Map<string, Promise<ToolLibrary | string | undefined>>();

  constructor(storage: vscode.Uri, onChange: () => void) {
    this.#userFile = vscode.Uri.joinPath(storage, LIBRARY_PATH);
    this.#watch = new LibraryWatch(() => {
      this.#cache.clear();
      onChange();
    });
  }

  /** @param sessionId Session of the playground that refers to the tool. Never rejects. */
  async find(reference: string, sessionId: string): Promise<FoundTool> {
    const parsed = parseReference(reference);
    if (typeof parsed === 'string') return { problem: parsed };
    const uris = this.#candidates(parsed.library, sessionId);
    const shown = shownLibrary(parsed.library);
    if (uris.length === 0) {
      const next = t('Move it there, or correct the reference.');
      return {
        problem: `${t('{0} is neither in the workspace nor next to the playground.', shown)} ${next}`,
      };
    }
    let first: FoundTool | undefined;
    for (const uri of uris) {
      const library = await this.#read(uri);
      const found = library === undefined ? undefined : findIn(library, parsed, uri);
      if (found?.tool) return found;
      first ??= found;
    }
    const gone = t('{0} does not exist.', shown);
    const next =
      parsed.library === USER_LIBRARY
        ? t('Use the command “Edit User Tool Library”.')
        : t('Create it in the workspace folder or next to the playground file, or correct the reference.');
    return first ?? { problem: `${gone} ${next}` };
  }

  /**
   * All tools that a playground can refer to under the standard paths, and problems with their libraries. Never
   * rejects.
   */
  async list(sessionId: string): Promise<{ tools: ListedTool[]; problems: string[] }> {
    const tools = new Map<string, ListedTool>();
    const problems: string[] = [];
    for (const path of [USER_LIBRARY, LIBRARY_PATH]) {
      for (const uri of this.#candidates(path, sessionId)) {
        const library = await this.#read(uri);
        if (typeof library === 'string') problems.push(describeFailure(path, library));
        if (typeof library !== 'object') continue;
        const found = [library.error, library.warning].filter((each) => each !== undefined);
        problems.push(...found.map((problem) => describeError(path, problem)));
        addTools(tools, library, { path, uri });
      }
    }
    return { tools: [...tools.values()], problems };
  }

  /** The user's own library file, which is created if it does not exist. */
  async openUserFile(): Promise<vscode.Uri> {
    this.#watch.add(this.#userFile);
    if ((await readState(this.#userFile)) === undefined) {
      await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(this.#userFile, '..'));
      await vscode.workspace.fs.writeFile(this.#userFile, new TextEncoder().encode('{\n}\n'));
    }
    return this.#userFile;
  }

  dispose(): void {
    this.#watch.dispose();
  }

  /** Possible files, nearest first: beside the playground, in its workspace folder, in the others. */
  #candidates(library: string, sessionId: string): vscode.Uri[] {
    if (library === USER_LIBRARY) return [this.#userFile];
    const file = uriOfSession(sessionId);
    // Query and fragment of the URI belong to the playground file itself.
    const beside = file && vscode.Uri.joinPath(file, '..').with({ query: '', fragment: '' });
    const own = file && vscode.workspace.getWorkspaceFolder(file)?.uri;
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const bases = [beside, own, ...folders].filter((base) => base !== undefined);
    const uris = bases.map((base) => vscode.Uri.joinPath(base, library)).filter((uri) => isNear(uri, beside));
    return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  }

  /** @returns undefined when there is no such file, or a message when it cannot be read. Never rejects. */
  #read(uri: vscode.Uri): Promise<ToolLibrary | string | undefined> {
    const key = uri.toString();
    this.#watch.add(uri);
    // Many references may ask for one file at once.
    const reading = this.#reading.get(key) ?? this.#readNow(uri, key);
    this.#reading.set(key, reading);
    void reading.finally(() => this.#reading.delete(key));
    return reading;
  }

  async #readNow(uri: vscode.Uri, key: string): Promise<ToolLibrary | string | undefined> {
    try {
      const state = await readState(uri);
      if (!state) return undefined;
      const cached = this.#cache.get(key);
      if (cached?.mtime === state.mtime && cached.size === state.size) return cached.library;
      const { parseToolLibrary } = await loadEngine();
      const library = parseToolLibrary(await readTextFile(uri));
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(key, { ...state, library });
      return library;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function addTools(
  tools: Map<string, ListedTool>,
  library: ToolLibrary,
  { path, uri }: { path: string; uri: vscode.Uri },
): void {
  for (const [key, tool] of library.tools) {
    const reference = makeReference(path, key);
    // If two files have the same name, the nearer one counts.
    if (tools.has(reference) || reference.length > MAX_REFERENCE_LENGTH) continue;
    tools.set(reference, { reference, tool, library: describePlace(path, uri) });
  }
}

/**
 * Whether the file is in the workspace or below the playground's folder. A playground from someone else must not
 * read distant files.
 */
function isNear(uri: vscode.Uri, beside: vscode.Uri | undefined): boolean {
  if (vscode.workspace.getWorkspaceFolder(uri)) return true;
  if (!beside || uri.scheme !== beside.scheme || uri.authority !== beside.authority) return false;
  return uri.path.startsWith(beside.path.endsWith('/') ? beside.path : `${beside.path}/`);
}

function findIn(
  library: ToolLibrary | string,
  { library: path, keys }: LibraryReference,
  uri: vscode.Uri,
): FoundTool {
  if (typeof library === 'string') return { problem: describeFailure(path, library), uri };
  for (const key of keys) {
    const tool = library.tools.get(key);
    if (tool) return { tool, key, uri };
  }
  if (library.error) return { problem: describeError(path, library.error), uri };
  return { problem: t('{0} has no tool {1}.', shownLibrary(path), toLabel(keys[0] ?? '', 60)), uri };
}

const shownLibrary = (path: string): string =>
  path === USER_LIBRARY ? t('The tool library of the user') : t('The tool library {0}', toLabel(path, 200));

const describeFailure = (path: string, reason: string): string =>
  t('{0} could not be read: {1}.', shownLibrary(path), toLabel(reason, 300));

const describeError = (path: string, { line, message }: { line: number; message: string }): string =>
  t('{0} has an error in line {1}: {2}', shownLibrary(path), line, message);

function describePlace(path: string, uri: vscode.Uri): string {
  if (path === USER_LIBRARY) return t('user');
  return vscode.workspace.asRelativePath(uri, true);
}
