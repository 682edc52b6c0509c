// Stand-in for `vscode` in plain Node, for host code that reads a selection, marks it and opens panels: one text
// editor with CRLF line ends, and panels whose pages the test plays.
import * as disk from 'node:fs';

export interface Mark {
  range: { start: object; end: object };
  hoverMessage: { value: string };
}

export const editor = {
  text: '',
  selection: [0, 0, 0, 0] as [number, number, number, number],
  isOpen: true,
  marks: new Map<unknown, unknown[]>(),
  changed: new Set<(event: object) => void>(),
  panels: [] as {
    receive: (message: unknown) => unknown;
    frames: unknown[];
    close: () => void;
    reveals: number;
    column: number;
  }[],
  messages: [] as string[],
  chosen: undefined as string | undefined,
  /** The button that is pressed in every message. */
  answer: undefined as string | undefined,
};

export function createPanel(column: number): object {
  const closing = new Set<() => void>();
  const opened = {
    receive: ((): unknown => undefined) as (message: unknown) => unknown,
    frames: [] as unknown[],
    close: () => closing.forEach((close) => close()),
    reveals: 0,
    column,
  };
  editor.panels.push(opened);
  return {
    reveal: () => void opened.reveals++,
    onDidDispose: (listener: () => void) => void closing.add(listener),
    webview: {
      cspSource: 'csp',
      asWebviewUri: (at: { path: string }) => at.path,
      html: '',
      onDidReceiveMessage: (listener: (message: unknown) => unknown) => {
        opened.receive = listener;
        return { dispose: () => undefined };
      },
      postMessage: (frame: unknown) => Promise.resolve(opened.frames.push(structuredClone(frame)) > 0),
    },
  };
}

const path = (value: string) => ({
  path: value,
  fsPath: value,
  toString: () => `file://${value}`,
  with: (change: { path: string }) => path(change.path),
});
class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}
class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}
const lines = (): string[] => editor.text.split(/\r?\n/);
const uri = path('/projects/notes.md');
const document = {
  uri,
  get lineCount() {
    return lines().length;
  },
  lineAt: (line: number) => ({ range: { end: new Position(line, lines()[line]?.length ?? 0) } }),
  getText: ({ start, end }: Range) =>
    lines()
      .slice(start.line, end.line + 1)
      .map((line, index, all) =>
        line.slice(index === 0 ? start.character : 0, index === all.length - 1 ? end.character : undefined),
      )
      .join('\r\n'),
};
const textEditor = {
  document,
  get selection() {
    const [line, character, endLine, endCharacter] = editor.selection;
    return {
      start: new Position(line, character),
      end: new Position(endLine, endCharacter),
      isEmpty: line === endLine && character === endCharacter,
    };
  },
  setDecorations: (kind: unknown, marks: unknown[]) => editor.marks.set(kind, marks),
};
const listen = (listeners: Set<(event: object) => void>) => (listener: (event: object) => void) => {
  listeners.add(listener);
  return { dispose: () => listeners.delete(listener) };
};
const showMessage = (message: string) => {
  editor.messages.push(message);
  return Promise.resolve(editor.answer);
};
export const vscode = {
  Position,
  Range,
  Uri: { joinPath: (base: { path: string }, ...parts: string[]) => path([base.path, ...parts].join('/')) },
  ViewColumn: { Active: -1, Beside: -2 },
  ThemeColor: class {
    id = '';
  },
  OverviewRulerLane: { Center: 2 },
  DecorationRangeBehavior: { ClosedClosed: 1 },
  MarkdownString: class {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  },
  Disposable: {
    from: (...all: { dispose: () => void }[]) => ({ dispose: () => all.forEach((one) => one.dispose()) }),
  },
  FileSystemError: class extends Error {},
  l10n: {
    t: (text: string, ...values: string[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)])),
  },
  workspace: {
    workspaceFolders: [{ uri: path('/folder') }],
    onDidChangeTextDocument: listen(editor.changed),
    onDidOpenTextDocument: listen(new Set()),
    fs: {
      stat: ({ path: file }: { path: string }) => disk.promises.stat(file),
      readFile: ({ path: file }: { path: string }) => Promise.resolve(disk.readFileSync(file)),
      writeFile: ({ path: file }: { path: string }, content: Uint8Array) =>
        Promise.resolve(disk.writeFileSync(file, content)),
    },
  },
  env: { uiKind: 1 },
  UIKind: { Desktop: 1, Web: 2 },
  window: {
    get activeTextEditor() {
      return editor.isOpen ? textEditor : undefined;
    },
    visibleTextEditors: [textEditor],
    onDidChangeVisibleTextEditors: listen(new Set()),
    createTextEditorDecorationType: ({ borderStyle }: { borderStyle: string }) => {
      const kind = { borderStyle, dispose: () => editor.marks.delete(kind) };
      return kind;
    },
    showInformationMessage: showMessage,
    showWarningMessage: showMessage,
    showErrorMessage: showMessage,
    showSaveDialog: () => Promise.resolve(editor.chosen && path(editor.chosen)),
    showOpenDialog: () => Promise.resolve(editor.chosen && [path(editor.chosen)]),
    createWebviewPanel: (_type: string, _title: string, column: number) => createPanel(column),
  },
};
