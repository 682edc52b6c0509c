// Stand-in for `vscode` in plain Node, for host code that works with files: URIs, files in memory, editors, and
// dialogs that the test answers.
import { posix } from 'node:path';
import { workspace as configured } from './editor-settings';

export { ProcessExecution, Task, TaskGroup } from './tasks';

export class Disposable {
  readonly #end: () => void;

  constructor(end: () => void) {
    this.#end = end;
  }

  static from(...parts: { dispose: () => void }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  dispose(): void {
    this.#end();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => void>();
  readonly event = (listener: (event: T) => void): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

interface Parts {
  scheme: string;
  authority?: string;
  path: string;
  query?: string;
  fragment?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;

  private constructor({ scheme, authority = '', path, query = '' }: Parts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
  }

  static from(parts: Parts): Uri {
    return new Uri(parts);
  }

  static file(path: string): Uri {
    return new Uri({ scheme: 'file', path });
  }

  static parse(text: string): Uri {
    const [, scheme = '', authority = '', path = '', query = ''] =
      /^([^:]+):(?:\/\/([^/]*))?([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
    return new Uri({ scheme, authority, path: decodeURIComponent(path), query });
  }

  static joinPath(uri: Uri, ...parts: string[]): Uri {
    return uri.with({ path: posix.join(uri.path, ...parts) });
  }

  get fsPath(): string {
    return this.path;
  }

  with(change: Partial<Parts>): Uri {
    const { scheme, authority, path, query } = this;
    return new Uri({ scheme, authority, path, query, ...change });
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${encodeURI(this.path)}${this.query && `?${this.query}`}`;
  }
}

export class FileSystemError extends Error {
  readonly code: string;

  constructor(what: string | Uri = '', code = 'Unknown') {
    super(typeof what === 'string' ? what : what.toString());
    this.code = code;
    this.name = `${code} (FileSystemError)`;
  }

  static readonly FileNotFound = (what?: string | Uri) => new FileSystemError(what, 'FileNotFound');
  static readonly FileIsADirectory = (what?: string | Uri) => new FileSystemError(what, 'FileIsADirectory');
  static readonly NoPermissions = (what?: string | Uri) => new FileSystemError(what, 'NoPermissions');
  static readonly Unavailable = (what?: string | Uri) => new FileSystemError(what, 'Unavailable');
}

export const FileType = { Unknown: 0, File: 1, Directory: 2 };
export const FilePermission = { Readonly: 1 };
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const ViewColumn = { Active: -1, Beside: -2 };

export class Range {
  readonly start: unknown;
  readonly end: unknown;

  constructor(start: unknown, end: unknown) {
    this.start = start;
    this.end = end;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: unknown;

  constructor(uri: Uri, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export class TestMessage {
  readonly message: string;
  location: Location | undefined;
  contextValue: string | undefined;
  expectedOutput: string | undefined;
  actualOutput: string | undefined;

  constructor(message: string) {
    this.message = message;
  }

  static diff(message: string, expectedOutput: string, actualOutput: string): TestMessage {
    return Object.assign(new TestMessage(message), { expectedOutput, actualOutput });
  }
}

export class TestTag {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TestRunRequest {
  readonly include: unknown;
  readonly exclude: unknown;
  readonly profile: unknown;
  readonly continuous: unknown;

  constructor(include?: unknown, exclude?: unknown, profile?: unknown, continuous?: unknown) {
    Object.assign(this, { include, exclude, profile, continuous });
  }
}

export class RelativePattern {
  readonly base: Uri;
  readonly pattern: string;

  constructor(base: Uri, pattern: string) {
    this.base = base;
    this.pattern = pattern;
  }
}

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false };

  cancel(): void {
    this.token.isCancellationRequested = true;
  }

  dispose(): void {}
}

/** The files on disk by path, and everything else that a test sets or inspects. */
export const editor = {
  files: new Map<string, { text: string; mtime: number }>(),
  reads: 0,
  documents: [] as { uri: Uri }[],
  /** Answers to dialogs in order; a function receives what was asked. */
  answers: [] as unknown[],
  asked: [] as unknown[][],
  clipboard: '',
  shown: [] as { uri: Uri; options: unknown }[],
  /** Tabs by column. */
  /** What was opened as terminals, and what was typed there. */
  terminals: [] as { options: Record<string, unknown>; lines: string[] }[],
  groups: [] as { viewColumn: number; tabs: { input: unknown }[] }[],
  changedOnDisk: new EventEmitter<void>(),
  saved: new EventEmitter<{ uri: Uri }>(),
  changed: new EventEmitter<{ document: { uri: Uri }; contentChanges: unknown[] }>(),
  folders: [] as { uri: Uri; name: string }[],
  providers: new Map<string, unknown>(),
};

export function resetEditor(): void {
  editor.files.clear();
  editor.providers.clear();
  const { documents, answers, asked, shown, folders, groups, terminals } = editor;
  for (const list of [documents, answers, asked, shown, folders, groups, terminals]) {
    list.length = 0;
  }
  editor.changedOnDisk.dispose();
  editor.saved.dispose();
  editor.changed.dispose();
  Object.assign(editor, { reads: 0, clipboard: '' });
  Object.assign(workspace, { isTrusted: true });
  lm.tools = [];
}

/** A dialog that stays open until the test answers it. */
export function openDialog(): {
  dialog: () => Promise<unknown>;
  answer: (label: string | undefined) => void;
} {
  let answer: (label: string | undefined) => void = () => undefined;
  const answered = new Promise<unknown>((resolve) => (answer = resolve));
  return { dialog: () => answered, answer: (label) => answer(label) };
}

export function writeFile(path: string, text: string): void {
  const mtime = (editor.files.get(path)?.mtime ?? 0) + 1;
  editor.files.set(path, { text, mtime });
}

function fileAt(uri: Uri): { text: string; mtime: number } {
  const file = uri.query === '' ? editor.files.get(uri.path) : undefined;
  if (!file) throw FileSystemError.FileNotFound(uri);
  return file;
}

async function ask(...asked: unknown[]): Promise<unknown> {
  editor.asked.push(asked);
  const answer = editor.answers.shift();
  return typeof answer === 'function' ? ((await answer(...asked)) as unknown) : answer;
}

export const workspace = {
  isTrusted: true,
  getConfiguration: configured.getConfiguration,
  get textDocuments() {
    return editor.documents;
  },
  get workspaceFolders() {
    return editor.folders;
  },
  getWorkspaceFolder: (uri: Uri) =>
    editor.folders.find((folder) => uri.toString().startsWith(`${folder.uri.toString()}/`)),
  asRelativePath: (uri: Uri, isWithFolder = true) => {
    const folder = isWithFolder ? undefined : workspace.getWorkspaceFolder(uri);
    return uri.path.slice(folder ? folder.uri.path.length + 1 : 1);
  },
  findFiles: (pattern: string) => {
    const end = pattern.replace('**/*', '');
    const paths = [...editor.files.keys()].filter((path) => path.endsWith(end));
    return Promise.resolve(paths.map((path) => Uri.file(path)));
  },
  onDidSaveTextDocument: editor.saved.event,
  onDidChangeTextDocument: editor.changed.event,
  onDidChangeWorkspaceFolders: new EventEmitter<void>().event,
  registerFileSystemProvider: (scheme: string, provider: unknown) => {
    editor.providers.set(scheme, provider);
    return new Disposable(() => editor.providers.delete(scheme));
  },
  registerTextDocumentContentProvider: (scheme: string, provider: unknown) => {
    editor.providers.set(scheme, provider);
    return new Disposable(() => editor.providers.delete(scheme));
  },
  createFileSystemWatcher: () => ({
    onDidCreate: editor.changedOnDisk.event,
    onDidChange: editor.changedOnDisk.event,
    onDidDelete: editor.changedOnDisk.event,
    dispose: () => undefined,
  }),
  fs: {
    stat: async (uri: Uri) => {
      const { text, mtime } = fileAt(uri);
      return Promise.resolve({ type: FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) });
    },
    readFile: async (uri: Uri) => {
      editor.reads++;
      return Promise.resolve(new TextEncoder().encode(fileAt(uri).text));
    },
    writeFile: async (uri: Uri, bytes: Uint8Array) =>
      Promise.resolve(writeFile(uri.path, new TextDecoder().decode(bytes))),
    createDirectory: () => Promise.resolve(),
    readDirectory: (uri: Uri) => {
      const paths = [...editor.files.keys()].filter((path) => posix.dirname(path) === uri.path);
      return Promise.resolve(paths.map((path) => [posix.basename(path), FileType.File] as const));
    },
  },
  openTextDocument: async (what: Uri | { content: string; language: string }) => {
    if (!(what instanceof Uri)) {
      writeFile('Untitled-1', what.content);
      return Promise.resolve({ uri: Uri.from({ scheme: 'untitled', path: 'Untitled-1' }) });
    }
    const uri = what;
    const { text } = fileAt(uri);
    const open = editor.documents.find((each) => each.uri.toString() === uri.toString());
    return Promise.resolve({ uri, getText: () => text, positionAt: (offset: number) => offset, ...open });
  },
};

export const window = {
  tabGroups: {
    get all() {
      return editor.groups;
    },
  },
  createTerminal: (options: Record<string, unknown>) => {
    const terminal = { options, lines: [] as string[] };
    editor.terminals.push(terminal);
    return { show: () => undefined, sendText: (line: string) => void terminal.lines.push(line) };
  },
  showSaveDialog: ask,
  showQuickPick: ask,
  showOpenDialog: ask,
  showWarningMessage: ask,
  showInformationMessage: ask,
  showErrorMessage: ask,
  showTextDocument: (what: Uri | { uri: Uri }, options: unknown) => {
    editor.shown.push({ uri: 'uri' in what ? what.uri : what, options });
    return Promise.resolve();
  },
};

export const commands = {
  /** Records the document that a command of the editor shows. */
  executeCommand: (command: string, uri: Uri, options?: unknown) => {
    editor.shown.push({ uri, options: options ?? command });
    return Promise.resolve();
  },
};

export const env = {
  shell: '/bin/bash',
  remoteName: undefined as string | undefined,
  openExternal: (uri: Uri) => {
    editor.shown.push({ uri, options: 'in the browser' });
    return Promise.resolve(true);
  },
  clipboard: {
    readText: () => Promise.resolve(editor.clipboard),
    writeText: (text: string) => Promise.resolve(void (editor.clipboard = text)),
  },
};

export const lm = {
  tools: [] as { name: string; description: string; inputSchema: object | undefined; tags: string[] }[],
  invokeTool: ((): unknown => Promise.resolve({ content: [] })) as (...args: unknown[]) => unknown,
};

export const l10n = {
  t: (text: string, ...values: string[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? ''),
};
