// A webview that shows a playground: its page, its session, and the requests it may make. Used for the panel of a
// scratch and the editor of a file.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HostFrame, PanelAction, RequestHandlers, RequestMethod, RpcServer } from '../../protocol';
import type * as session from '../../session';
import type { Session, SessionView } from '../../session';
import { SYSTEM_CLOCK } from '../../session';
import { showMessage } from '../dialogs';
import { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';
import type { EditorMethod } from './editor-handlers';
import { createEditorHandlers } from './editor-handlers';
import { panelHtml } from './panel-html';
import type { Lease } from './session-pool';
import type { ViewOptions } from './view-options';

interface Opened {
  lease: Lease;
  view: SessionView;
  session: Session;
}

export class PlaygroundView implements vscode.Disposable {
  readonly #options: ViewOptions;
  /** Loaded with the engine, like the session behind it. */
  readonly #rpc: Promise<RpcServer>;
  readonly #subscription: vscode.Disposable;
  /** Opened while the page is being loaded, which takes about as long. */
  readonly #opened = new Lazy(() => this.#openSession());
  readonly #endAsking: () => void;
  /** Whether the page has the session. */
  #hasSession = false;
  #isDisposed = false;

  constructor(options: ViewOptions) {
    this.#options = options;
    const { webview, services, scratchId } = options;
    const { extensionUri, log } = services;
    this.#rpc = loadEngine().then(
      ({ RpcServer: Server, createSessionHandlers }) =>
        new Server({
          post: (frame) => this.#post(frame),
          handlers: this.#handlers(createSessionHandlers),
          toErrorInfo: (error) => services.explain(error),
          onProblem: (problem) => log.warn(`panel: ${problem}`),
        }),
    );
    // Otherwise the page would wait without any message.
    this.#rpc.catch(reportLoadFailure);
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.#subscription = webview.onDidReceiveMessage(async (message: unknown) =>
      (await this.#rpc.catch(() => undefined))?.receive(message),
    );
    this.#endAsking = services.pool.wanted.onAsk(() => this.#showWanted());
    webview.html = panelHtml(webview, dist, { page: 'playground', scratchId });
    // A failure is told when the page asks for the session, which tries again.
    this.#opened.get().catch(() => undefined);
  }

  /** The session that the page shows. */
  async session(): Promise<Lease['session']> {
    return (await this.#opened.get()).lease.session;
  }

  /** Lets the page do what one of its buttons does. */
  act(action: PanelAction): void {
    void this.#rpc.then((rpc) => rpc.emit('panel/act', action));
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    void this.#rpc.then(
      (rpc) => rpc.dispose(),
      () => undefined,
    );
    this.#subscription.dispose();
    this.#endAsking();
    void this.#release();
  }

  /** Releases the session. Without one, because it was never asked for or could not be opened, nobody else has the backing. */
  async #release(): Promise<void> {
    const opened = await this.#opened.loaded();
    if (!opened) return this.#options.backing.dispose();
    opened.view.dispose();
    opened.lease.release();
  }

  async #openSession(): Promise<Opened> {
    const { pool } = this.#options.services;
    const { SessionView: View } = await loadEngine();
    const rpc = await this.#rpc;
    const lease = await pool.acquire(this.#options.backing);
    const view = new View(lease.session, SYSTEM_CLOCK, (name, data) => rpc.emit(name, data));
    return { lease, view, session: lease.session };
  }

  #handlers(createSessionHandlers: typeof session.createSessionHandlers): RequestHandlers {
    const ofSession = createSessionHandlers(() => this.#opened.get());
    const ofEditor: Pick<RequestHandlers, EditorMethod> = createEditorHandlers({
      ...this.#options,
      session: () => this.session(),
    });
    const open: RequestHandlers['session/open'] = async () => {
      const snapshot = await ofSession['session/open']();
      const isFirst = !this.#hasSession;
      this.#hasSession = true;
      // Behind the reply.
      setTimeout(() => this.#showWanted(isFirst));
      return snapshot;
    };
    return { ...ofSession, ...ofEditor, 'session/open': open } satisfies Record<RequestMethod, unknown>;
  }

  #showWanted(isFirst = false): void {
    const { backing, isVisible, services } = this.#options;
    // The visibility of a panel that is gone cannot be read.
    if (this.#isDisposed || !this.#hasSession || !isVisible()) return;
    const { wanted } = services.pool;
    const offered = isFirst ? wanted.takeOffered(backing.id) : undefined;
    const place = wanted.take(backing.id) ?? offered;
    if (place) void this.#rpc.then((rpc) => rpc.emit('panel/show', place));
  }

  /** @returns a promise that rejects for a frame that is not JSON. */
  #post(frame: HostFrame): PromiseLike<unknown> | undefined {
    // The page may be disposed after an await. A hidden one drops the message and asks again when it is shown.
    if (this.#isDisposed) return undefined;
    return this.#options.webview.postMessage(frame);
  }
}

function reportLoadFailure(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  void showMessage(
    'error',
    t('A part of Provider Playground cannot be loaded: {0} Reinstall the extension.', why),
  );
}
