// Registers the format lab in VS Code: its panels, the custom editor of `*.toolcall.json`, and the command on a
// selection. The implementation is loaded with the first lab.
import * as vscode from 'vscode';
import type { GivenDocument } from '../../protocol';
import { LAB_EDITOR_VIEW_TYPE, LAB_VIEW_TYPE } from '../contributions';
import { withFindBox } from '../find-box';
import { Lazy } from '../lazy';
import type { LabServices } from './lab-services';
import type { LabDependencies } from './lab-view';

export class FormatLab implements vscode.Disposable {
  readonly #registrations: vscode.Disposable[];
  readonly #services: Lazy<LabServices>;

  constructor(dependencies: LabDependencies) {
    this.#services = new Lazy(async () => {
      const { LabServices: Services } = await import('./lab-services');
      return new Services(dependencies);
    });
    this.#registrations = [
      vscode.window.registerWebviewPanelSerializer(LAB_VIEW_TYPE, {
        deserializeWebviewPanel: async (panel) => (await this.#services.get()).restore(panel),
      }),
      vscode.window.registerCustomEditorProvider(
        LAB_EDITOR_VIEW_TYPE,
        {
          openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: async ({ uri }, panel) => (await this.#services.get()).openFile(uri, panel),
        },
        { webviewOptions: withFindBox() },
      ),
    ];
  }

  /** Opens an empty lab. */
  async open(): Promise<void> {
    (await this.#services.get()).open();
  }

  /** Opens a lab with a text, read with these tools. */
  async openText(given: Omit<GivenDocument, 'id'>): Promise<void> {
    (await this.#services.get()).openText(given);
  }

  /** Opens a lab with the editor's selection, and marks the result in that editor. */
  async diagnose(): Promise<void> {
    await (await this.#services.get()).diagnose();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
    void this.#services.loaded().then((services) => services?.dispose());
  }
}
