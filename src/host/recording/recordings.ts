// Recordings of other programs in VS Code: the commands, the panels that a reload restores, and the editor of recorded files. The
// implementation is loaded with the first of them.
import * as vscode from 'vscode';
import { RECORDING_EDITOR_VIEW_TYPE, RECORDING_VIEW_TYPE } from '../contributions';
import type { StoredExchanges } from '../../session';
import { withFindBox } from '../find-box';
import { Lazy } from '../lazy';
import type { RecordingDependencies } from './recording-dependencies';
import type { RecordingServices } from './recording-services';

export class Recordings implements vscode.Disposable {
  readonly #registrations: vscode.Disposable[];
  readonly #services: Lazy<RecordingServices>;

  constructor(dependencies: RecordingDependencies) {
    this.#services = new Lazy(async () => {
      const { RecordingServices: Services } = await import('./recording-services');
      return new Services(dependencies);
    });
    this.#registrations = [
      vscode.window.registerWebviewPanelSerializer(RECORDING_VIEW_TYPE, {
        deserializeWebviewPanel: async (panel, state) => (await this.#services.get()).restore(panel, state),
      }),
      vscode.window.registerCustomEditorProvider(
        RECORDING_EDITOR_VIEW_TYPE,
        {
          openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: async ({ uri }, panel) => (await this.#services.get()).showFile(uri, panel),
        },
        { webviewOptions: withFindBox() },
      ),
    ];
  }

  /** Begins a recording; with the id of one, shows that. */
  async record(target?: unknown): Promise<void> {
    await (await this.#services.get()).record(target);
  }

  /** Opens a recorded file. @param target Its URI; without one, the person chooses. */
  async openFile(target?: unknown): Promise<void> {
    await (await this.#services.get()).openFile(target);
  }

  /** Shows a stored recording. */
  async show(sessionId: string): Promise<void> {
    await (await this.#services.get()).show(sessionId);
  }

  /** Deletes everything that is stored of a recording. One that runs goes on. */
  async remove(sessionId: string): Promise<void> {
    await (await this.#services.get()).remove(sessionId);
  }

  /** Everything that is stored of a recording. */
  async exchanges(sessionId: string): Promise<StoredExchanges> {
    return (await this.#services.get()).exchanges(sessionId);
  }

  /** The stored recordings, the latest first. */
  async stored(): Promise<{ sessionId: string; label: string; modifiedAt: number }[]> {
    return (await this.#services.get()).stored();
  }

  /** Ends all recordings; resolves when what they recorded is on the disk. */
  async close(): Promise<void> {
    await (await this.#services.loaded())?.close();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
    void this.#services.loaded().then((services) => services?.dispose());
  }
}
