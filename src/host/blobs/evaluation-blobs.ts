// Opens blobs of evaluations that ran elsewhere, in an editor that shows them like a playground and sends nothing. What reads them is
// loaded when the first one is opened.
import * as vscode from 'vscode';
import { BLOB_VIEW_TYPE } from '../contributions';
import { withFindBox } from '../find-box';
import { PlaygroundView } from '../playground/playground-view';
import type { ViewServices } from '../playground/view-options';

export class EvaluationBlobs implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  readonly #services: ViewServices;
  readonly #registration: vscode.Disposable;

  constructor(services: ViewServices) {
    this.#services = services;
    this.#registration = vscode.window.registerCustomEditorProvider(BLOB_VIEW_TYPE, this, {
      webviewOptions: withFindBox(),
    });
  }

  /** Asks for blobs and opens them. */
  async choose(): Promise<void> {
    await (await import('./blob-services')).chooseBlobs();
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const blobs = await import('./blob-services');
    const opened = await blobs.openBlob(uri, this.#services);
    if ('problem' in opened) {
      panel.webview.html = blobs.problemPage(opened.problem);
      return;
    }
    const { backing, pool, openText, saveAs } = opened;
    const view = new PlaygroundView({
      webview: panel.webview,
      backing,
      services: { ...this.#services, pool },
      openText,
      saveAs,
      isVisible: () => panel.visible,
    });
    panel.onDidDispose(() => view.dispose());
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
