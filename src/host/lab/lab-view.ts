// A webview with the format lab: its page, and its requests to the host. Sends nothing to a model server.
import { t } from '@vscode/l10n';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { GivenDocument, HostFrame, LabDocument, LabHandlers, RpcServer } from '../../protocol';
import type { RescueReport } from '../../types';
import { chooseFile } from '../choose-file';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import { panelHtml } from '../playground/panel-html';
import type { ViewServices } from '../playground/view-options';

export type LabDependencies = Pick<ViewServices, 'explain' | 'log' | 'extensionUri' | 'tools'>;

export interface LabViewOptions {
  webview: vscode.Webview;
  services: LabDependencies;
  /** Session whose tool libraries can be chosen from. */
  sessionId: string;
  /** Called whenever the page opens. */
  given?: (() => Promise<GivenDocument>) | undefined;
  onReading: (text: string, report: RescueReport) => void;
  /** @returns undefined when nothing was chosen. */
  openFile: () => Promise<GivenDocument | undefined>;
}

export class LabView implements vscode.Disposable {
  readonly #options: LabViewOptions;
  readonly #rpc: Promise<RpcServer>;
  readonly #subscription: vscode.Disposable;
  /** The document that was given last, after the page had opened. */
  #given: GivenDocument | undefined;
  #isDisposed = false;

  constructor(options: LabViewOptions) {
    this.#options = options;
    const { webview, services } = options;
    this.#rpc = loadEngine().then(
      ({ RpcServer: Server }) =>
        new Server({
          post: (frame) => this.#post(frame),
          handlers: this.#handlers(),
          toErrorInfo: (error) => services.explain(error),
          onProblem: (problem) => services.log.warn(`format lab: ${problem}`),
        }),
    );
    this.#rpc.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      void showMessage(
        'error',
        t('A part of Provider Playground cannot be loaded: {0} Reinstall the extension.', why),
      );
    });
    const dist = vscode.Uri.joinPath(services.extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.#subscription = webview.onDidReceiveMessage(async (message: unknown) =>
      (await this.#rpc.catch(() => undefined))?.receive(message),
    );
    webview.html = panelHtml(webview, dist, { page: 'lab' });
  }

  /** Replaces the shown document; a hidden page receives it when it is shown again. */
  give(given: GivenDocument): void {
    this.#given = given;
    void this.#rpc.then(
      (rpc) => rpc.emit('lab/given', given),
      () => undefined,
    );
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#subscription.dispose();
    void this.#rpc.then(
      (rpc) => rpc.dispose(),
      () => undefined,
    );
  }

  #handlers(): LabHandlers {
    const { services, sessionId, onReading, openFile } = this.#options;
    return {
      'lab/open': async () => {
        const { rescueFormats } = await loadEngine();
        const formats = rescueFormats();
        try {
          const given = this.#given ?? (await this.#options.given?.());
          return { formats, ...(given && { given }) };
        } catch (error) {
          return { formats, problem: await services.explain(error) };
        }
      },
      'lab/read': async (params) => {
        const { readLab } = await loadEngine();
        const { report, view } = readLab(params, now);
        onReading(params.text, report);
        return view;
      },
      'lab/compare-formats': async (params, signal) =>
        (await loadEngine()).compareFormats(params, { signal, now, pause: () => setImmediate() }),
      'lab/choose-tools': async () => ({ tools: await services.tools.choose(sessionId) }),
      'lab/open-file': async () => {
        const given = await openFile();
        if (given) this.give(given);
        return null;
      },
      'lab/save': async ({ document }) => ({ isSaved: await save(document) }),
    };
  }

  #post(frame: HostFrame): PromiseLike<unknown> | undefined {
    // A hidden page drops the message and asks again when it is shown.
    if (this.#isDisposed) return undefined;
    return this.#options.webview.postMessage(frame);
  }
}

const now = (): number => performance.now();

/** @returns whether the user chose a place. */
async function save(document: LabDocument): Promise<boolean> {
  const { printLabFile } = await loadEngine();
  const uri = await chooseFile({
    title: t('Save Format Lab as File'),
    name: 'lab',
    kind: 'toolcall',
    label: t('Format lab'),
  });
  if (!uri) return false;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(printLabFile(document)));
  return true;
}
