// The format lab as VS Code knows it: panels, the editor of `*.toolcall.json`, and what is done with a selection. What makes
// them is loaded when the first one is asked for.
import * as vscode from 'vscode';
import { LAB_EDITOR_VIEW_TYPE, LAB_VIEW_TYPE } from '../contributions';
import type { LabDependencies, LabServices } from './lab-services';

export class FormatLab implements vscode.Disposable {
  readonly #dependencies: LabDependencies;
  readonly #registrations: vscode.Disposable[];
  #services: Promise<LabServices> | undefined;

  constructor(dependencies: LabDependencies) {
    this.#dependencies = dependencies;
    const { window } = vscode;
    this.#registrations = [
      window.registerWebviewPanelSerializer(LAB_VIEW_TYPE, {
        deserializeWebviewPanel: async (panel) => (await this.#load()).restore(panel),
      }),
      window.registerCustomEditorProvider(LAB_EDITOR_VIEW_TYPE, {
        openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
        resolveCustomEditor: async ({ uri }, panel) => (await this.#load()).openFile(uri, panel),
      }),
    ];
  }

  /** An empty one. */
  async open(): Promise<void> {
    (await this.#load()).open();
  }

  /** With what is selected in the editor, and marks there. */
  async diagnose(): Promise<void> {
    await (await this.#load()).diagnose();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
    void this.#services?.then((services) => services.dispose());
  }

  #load(): Promise<LabServices> {
    this.#services ??= import('./lab-services')
      .then(({ LabServices: Services }) => new Services(this.#dependencies))
      .catch((error: unknown) => {
        this.#services = undefined; // so that the next use tries again
        throw error;
      });
    return this.#services;
  }
}
