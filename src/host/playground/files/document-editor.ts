// The custom editor of `*.playground.json`: VS Code's own document with the same page as a scratch.
import * as vscode from 'vscode';
import { EDITOR_VIEW_TYPE } from '../../contributions';
import { withFindBox } from '../../find-box';
import { FileBacking, fileSessionId } from './file-backing';
import { openText } from './open-text';
import type { ViewServices } from '../view-options';
import { PlaygroundView } from '../playground-view';
import { saveAsFile } from './save-as-file';
import type { SessionPool } from '../session-pool';

export class DocumentEditor implements vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #services: ViewServices;
  readonly #subscriptions: vscode.Disposable[];
  /** One document may be in several editors. */
  readonly #open = new Map<vscode.WebviewPanel, { document: vscode.TextDocument; view: PlaygroundView }>();

  constructor(services: ViewServices) {
    this.#services = services;
    this.#subscriptions = [
      vscode.window.registerCustomEditorProvider(EDITOR_VIEW_TYPE, this, {
        supportsMultipleEditorsPerDocument: true,
        webviewOptions: withFindBox(),
      }),
      vscode.workspace.onWillRenameFiles((event) => {
        const { pool } = services;
        const announced = event.files.map(({ oldUri, newUri }) => pool.announceMove(oldUri, newUri));
        event.waitUntil(Promise.allSettled(announced));
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          services.pool
            .moveRuns(oldUri, newUri)
            .catch(() =>
              services.log.warn('history: the runs of a renamed playground stay under its old name.'),
            );
        }
      }),
    ];
  }

  /** The document whose editor is active. */
  get active(): vscode.TextDocument | undefined {
    return this.#active?.document;
  }

  get activeView(): PlaygroundView | undefined {
    return this.#active?.view;
  }

  get #active(): { document: vscode.TextDocument; view: PlaygroundView } | undefined {
    return [...this.#open].find(([panel]) => panel.active)?.[1];
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const view = new PlaygroundView({
      webview: panel.webview,
      backing: new FileBacking(document),
      services: this.#services,
      openText: async (line) => openText(document.uri, line),
      saveAs: () => saveCopy(document, this.#services.pool),
      isVisible: () => panel.visible,
    });
    this.#open.set(panel, { document, view });
    panel.onDidDispose(() => {
      this.#open.delete(panel);
      view.dispose();
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

export async function saveCopy(document: vscode.TextDocument, pool: SessionPool): Promise<void> {
  const name =
    document.uri.path
      .split('/')
      .at(-1)
      ?.replace(/\.playground\.json$/, '') ?? 'playground';
  const uri = await saveAsFile(`${name}-copy`, async () => {
    await pool.flush(fileSessionId(document.uri));
    return document.getText();
  });
  if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_VIEW_TYPE);
}
