// Stand-in for `vscode` in plain Node, in which the whole extension runs: its commands can be called, and its webview panels are
// handed to the test, which shows them. Everything else is empty, and all that the extension registers stays unused.
import { readFile } from 'node:fs/promises';
import { settings, workspace as configured } from '../../support/vscode/editor-settings';
import { Disposable, EventEmitter, Uri } from '../../support/vscode/vscode-files';

export { Disposable, EventEmitter, settings, Uri };
export {
  CancellationTokenSource,
  FileChangeType,
  FileSystemError,
  FileType,
  l10n,
  Range,
  RelativePattern,
  ViewColumn,
} from '../../support/vscode/vscode-files';
export { QuickPickItemKind, ThemeColor, ThemeIcon, TreeItem } from '../../support/vscode/vscode-views';

export const UIKind = { Desktop: 1, Web: 2 };
export const ExtensionKind = { UI: 1, Workspace: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const OverviewRulerLane = { Center: 2 };
export const DecorationRangeBehavior = { ClosedClosed: 1 };

/** Every method that `own` lacks registers something, or subscribes to something that never happens. */
const registers = <T extends object>(own: T): T =>
  new Proxy(own, {
    get: (target, name) =>
      (Reflect.get(target, name) as unknown) ?? (() => registers({ dispose: () => undefined })),
  });

type Listener = (message: unknown) => unknown;

/** A panel that the extension has opened. */
export class WebviewPanel {
  title = '';
  active = true;
  visible = true;
  readonly #posted = new EventEmitter<unknown>();
  readonly #received = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = new EventEmitter<unknown>().event;
  readonly webview = {
    html: '',
    options: {},
    cspSource: "'self'",
    asWebviewUri: (uri: Uri) => `/${uri.path.split('/').at(-1)}`,
    onDidReceiveMessage: (listener: Listener) => this.#received.event(listener),
    postMessage: (message: unknown) => {
      this.#posted.fire(message);
      return Promise.resolve(true);
    },
  };

  /** Calls the listener with each message that the extension posts to the page. */
  onDidPost(listener: Listener): void {
    this.#posted.event(listener);
  }

  /** Passes a message of the page on to the extension. */
  receive(message: unknown): void {
    this.#received.fire(message);
  }

  reveal(): void {}

  dispose(): void {
    this.#disposed.fire();
  }
}

/** The panels that the extension has opened, the last one last. */
export const opened: WebviewPanel[] = [];
export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

/** The text editor that has the focus, with nothing selected. */
const editorWith = (text: string) => ({
  document: {
    uri: Uri.file('/folder/notes.md'),
    getText: () => text,
    lineCount: 1,
    lineAt: () => ({ range: { end: new Position(0, text.length) } }),
  },
  selection: { isEmpty: true },
});

/** Opens a text editor with this text. */
export const showText = (text: string): void => void (window.activeTextEditor = editorWith(text));

export const window = registers({
  createWebviewPanel: () => {
    const panel = new WebviewPanel();
    opened.push(panel);
    return panel;
  },
  activeTextEditor: undefined as ReturnType<typeof editorWith> | undefined,
  visibleTextEditors: [],
  tabGroups: { all: [] },
});

type Command = (target?: unknown) => unknown;
const registered = new Map<string, Command>();

export const commands = {
  registerCommand: (id: string, command: Command) => {
    registered.set(id, command);
    return new Disposable(() => registered.delete(id));
  },
  /** Commands of the editor itself do nothing. */
  executeCommand: async (id: string, target?: unknown): Promise<unknown> => registered.get(id)?.(target),
};

export const workspace = registers({
  ...configured,
  workspaceFolders: [],
  textDocuments: [],
  fs: { readFile: ({ path }: Uri) => readFile(path) },
});
export const env = { language: 'en', remoteName: undefined, uiKind: UIKind.Web };
export const lm = registers({ tools: [] });
export const tasks = registers({});
export const extensions = registers({ all: [] });
/** No test explorer is shown. */
export const tests = {
  createTestController: () => ({ createRunProfile: () => ({}), dispose: () => undefined }),
};
export const TestRunProfileKind = { Run: 1, Debug: 2 };
export class TestTag {
  id = '';
}
