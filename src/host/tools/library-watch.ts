// Reports when a library file is changed, created or deleted. Does not read them.
import * as vscode from 'vscode';

/** Maximum number of watched files. Others are still read when they are needed, but their changes are not reported. */
const MAX_FILES = 100;
/** Debounce in milliseconds: editors write a file in several steps. */
const SETTLE_MS = 200;

export class LibraryWatch implements vscode.Disposable {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, vscode.Disposable>();
  readonly #subscriptions: vscode.Disposable[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#subscriptions = [
      // Not every file system reports its changes.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#watchers.has(uri.toString())) this.#settle();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#settle()),
    ];
  }

  /** Watches a file, which need not exist yet. */
  add(uri: vscode.Uri): void {
    const key = uri.toString();
    if (this.#watchers.has(key) || this.#watchers.size >= MAX_FILES) return;
    const name = (uri.path.split('/').at(-1) ?? '').replaceAll(/[*?{}[\]]/g, '?');
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const settle = (): void => this.#settle();
    const parts = [watcher, watcher.onDidCreate(settle), watcher.onDidChange(settle)];
    this.#watchers.set(key, vscode.Disposable.from(...parts, watcher.onDidDelete(settle)));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#subscriptions, ...this.#watchers.values()).dispose();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, SETTLE_MS);
  }
}
