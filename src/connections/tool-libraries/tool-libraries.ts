// The tool libraries that a playground can refer to: the user's own, and files near the playground. Files are read through
// a port, so that they may be anywhere.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import type { DocumentTool } from '../../protocol';
import type { ToolLibrary } from '../../session';
import { parseToolLibrary } from '../../session';
import type { LibraryFiles } from '../ports';
import type { LibraryReference } from './tool-reference';
import { LIBRARY_PATH, makeReference, parseReference, USER_LIBRARY } from './tool-reference';

const MAX_CACHED = 50;
const MAX_REFERENCE_LENGTH = 1_000;

export type FoundTool<File> =
  | { tool: DocumentTool; key: string; file: File; problem?: undefined }
  /** `file` is the library to look into. */
  | { problem: string; file?: File | undefined; tool?: undefined };

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

export class ToolLibraries<File> {
  readonly #files: LibraryFiles<File>;
  readonly #cache = new Map<string, Cached>();
  readonly #reading = new Map<string, Promise<ToolLibrary | string | undefined>>();

  constructor(files: LibraryFiles<File>) {
    this.#files = files;
  }

  /** @param sessionId Session of the playground that refers to the tool. Never rejects. */
  async find(reference: string, sessionId: string): Promise<FoundTool<File>> {
    const parsed = parseReference(reference);
    if (typeof parsed === 'string') return { problem: parsed };
    const files = this.#candidates(parsed.library, sessionId);
    const shown = shownLibrary(parsed.library);
    if (files.length === 0) {
      const next = t('Move it there, or correct the reference.');
      return {
        problem: `${t('{0} is neither in the workspace nor next to the playground.', shown)} ${next}`,
      };
    }
    let first: FoundTool<File> | undefined;
    for (const file of files) {
      const library = await this.#read(file);
      const found = library === undefined ? undefined : findIn(library, parsed, file);
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
      for (const file of this.#candidates(path, sessionId)) {
        const library = await this.#read(file);
        if (typeof library === 'string') problems.push(describeFailure(path, library));
        if (typeof library !== 'object') continue;
        const found = [library.error, library.warning].filter((each) => each !== undefined);
        problems.push(...found.map((problem) => describeError(path, problem)));
        this.#addTools(tools, library, { path, file });
      }
    }
    return { tools: [...tools.values()], problems };
  }

  /** Reads every file anew when it is needed next. */
  forget(): void {
    this.#cache.clear();
  }

  /** Possible files, nearest first. */
  #candidates(path: string, sessionId: string): readonly File[] {
    return path === USER_LIBRARY ? [this.#files.user] : this.#files.near(path, sessionId);
  }

  /** @returns undefined when there is no such file, or a message when it cannot be read. Never rejects. */
  #read(file: File): Promise<ToolLibrary | string | undefined> {
    const key = this.#files.keyOf(file);
    // Many references may ask for one file at once.
    const reading = this.#reading.get(key) ?? this.#readNow(file, key);
    this.#reading.set(key, reading);
    void reading.finally(() => this.#reading.delete(key));
    return reading;
  }

  async #readNow(file: File, key: string): Promise<ToolLibrary | string | undefined> {
    try {
      const state = await this.#files.state(file);
      if (!state) return undefined;
      const cached = this.#cache.get(key);
      if (cached?.mtime === state.mtime && cached.size === state.size) return cached.library;
      const library = parseToolLibrary(await this.#files.read(file));
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(key, { ...state, library });
      return library;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #addTools(
    tools: Map<string, ListedTool>,
    library: ToolLibrary,
    { path, file }: { path: string; file: File },
  ): void {
    for (const [key, tool] of library.tools) {
      const reference = makeReference(path, key);
      // If two files have the same name, the nearer one counts.
      if (tools.has(reference) || reference.length > MAX_REFERENCE_LENGTH) continue;
      const place = path === USER_LIBRARY ? t('user') : this.#files.describe(file);
      tools.set(reference, { reference, tool, library: place });
    }
  }
}

function findIn<File>(
  library: ToolLibrary | string,
  { library: path, keys }: LibraryReference,
  file: File,
): FoundTool<File> {
  if (typeof library === 'string') return { problem: describeFailure(path, library), file };
  for (const key of keys) {
    const tool = library.tools.get(key);
    if (tool) return { tool, key, file };
  }
  if (library.error) return { problem: describeError(path, library.error), file };
  return { problem: t('{0} has no tool {1}.', shownLibrary(path), toLabel(keys[0] ?? '', 60)), file };
}

const shownLibrary = (path: string): string =>
  path === USER_LIBRARY ? t('The tool library of the user') : t('The tool library {0}', toLabel(path, 200));

const describeFailure = (path: string, reason: string): string =>
  t('{0} could not be read: {1}.', shownLibrary(path), toLabel(reason, 300));

const describeError = (path: string, { line, message }: { line: number; message: string }): string =>
  t('{0} has an error in line {1}: {2}', shownLibrary(path), line, message);
