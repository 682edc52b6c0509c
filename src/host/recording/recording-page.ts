// A webview with a recording: its page, and its requests to the host.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HostFrame, RecordingHandlers, RpcServer } from '../../protocol';
import { RECORDING_LIMIT } from '../../protocol';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { showMessage } from '../dialogs';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { panelHtml } from '../playground/panel-html';
import type { LiveRecording } from './live-recording';
import type { RecordingDependencies } from './recording-dependencies';
import { exportRecording } from './export-recording';
import { toLabel } from '../../inspect';

export interface RecordingPageOptions {
  webview: vscode.Webview;
  services: RecordingDependencies;
  live: LiveRecording;
  /** Saved by the page, so that a reload finds the recording again; absent for one that is not stored. */
  key?: string | undefined;
  /** Records again; may ask the person. */
  start: (connectionId: string | undefined) => Promise<void>;
}

export class RecordingPage implements vscode.Disposable {
  readonly #options: RecordingPageOptions;
  readonly #rpc: Promise<RpcServer>;
  readonly #ends: (() => void)[] = [];
  #isDisposed = false;

  constructor(options: RecordingPageOptions) {
    this.#options = options;
    const { webview, services, live, key } = options;
    this.#rpc = loadEngine().then(
      (engine) =>
        new engine.RpcServer({
          post: (frame) => this.#post(frame),
          handlers: this.#handlers(engine),
          toErrorInfo: (error) => services.explain(error),
          onProblem: (problem) => services.log.warn(`recording: ${problem}`),
        }),
    );
    const dist = vscode.Uri.joinPath(services.extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const subscription = webview.onDidReceiveMessage(async (message: unknown) =>
      (await this.#rpc).receive(message),
    );
    this.#ends.push(() => subscription.dispose());
    this.#ends.push(
      live.onDidChange(({ snapshot, rows }) => {
        const { rowsInFrame } = RECORDING_LIMIT;
        for (let at = 0; at === 0 || at < rows.length; at += rowsInFrame)
          void this.#emit({
            ...(at === 0 && snapshot && { snapshot }),
            rows: rows.slice(at, at + rowsInFrame),
          });
      }),
    );
    webview.html = panelHtml(webview, dist, { page: 'recording', scratchId: key });
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const end of this.#ends) end();
    void this.#rpc.then((rpc) => rpc.dispose());
  }

  async #emit(change: Parameters<Parameters<LiveRecording['onDidChange']>[0]>[0]): Promise<void> {
    (await this.#rpc).emit('recording/changed', change);
  }

  #post(frame: HostFrame): PromiseLike<unknown> | undefined {
    // A hidden page drops the message and asks again when it is shown.
    return this.#isDisposed ? undefined : this.#options.webview.postMessage(frame);
  }

  #handlers(engine: Engine): RecordingHandlers {
    const { live, start, services } = this.#options;
    return {
      'recording/open': async () => (await live.opened()).snapshot(),
      'recording/rows': ({ from }) => live.rows(from),
      'recording/read': async ({ number }) =>
        engine.toRecordedView(await (await live.book()).exchange(number), live.root),
      'recording/start': ({ connectionId }) => done(start(connectionId)),
      'recording/stop': () => done(live.stop({ isNoted: true })),
      'recording/repair': ({ isOn }) => done(live.repair(isOn)),
      'recording/clear': () => done(confirmClear(live)),
      'recording/export': ({ form, numbers }) => done(exportRecording(services, live, { form, numbers })),
      'recording/open-playground': ({ number }) => done(this.#openPlayground(number)),
      'recording/replay': async ({ session }) => {
        const stored = await (await live.book()).stored(session);
        return done(services.replay(stored));
      },
      ...this.#runHandlers(engine),
    };
  }

  /** What opens an editor or writes into the clipboard. */
  #runHandlers(engine: Engine) {
    const { live, services } = this.#options;
    const book = () => live.book();
    const editor = () => services.wire.services();
    return {
      ping: () => done(null),
      ...engine.createReadingHandlers(book),
      'recording/open-file': async ({ number, side, file }) => {
        const { exchange, wire } = await (await book()).exchange(number);
        const shown = side === 'client' ? engine.clientWire(exchange, wire) : wire;
        return done((await editor()).showFile(shown, { attempt: 'attempt-1', file }));
      },
      'recording/compare-sides': async ({ number }) => {
        const { exchange, wire } = await (await book()).exchange(number);
        return done((await editor()).compareSides([wire, engine.clientWire(exchange, wire)]));
      },
      'wire/open': async ({ runId, attempt, file }) =>
        done((await editor()).showFile(await (await book()).wire(runId), { attempt, file })),
      'wire/copy': async ({ runId, form }) => ({
        variables: await (await editor()).copyOf(await (await book()).wire(runId), form),
      }),
      'run/compare': async (params) =>
        done((await editor()).compare(await engine.compareRecorded(await book(), params))),
      'run/export': async ({ runs, form }) => {
        const opened = await book();
        const exported = await Promise.all(runs.map(({ runId }) => opened.exported(runId)));
        return done((await editor()).export(exported, form));
      },
      'run/open-lab': async ({ runId }) => done(openLab(services, live, runId)),
      'reading/compare': async ({ runId, laneId: _lane, ...options }) =>
        done((await editor()).compare(await engine.readingTexts(await book(), runId, options))),
      'settings/open': () =>
        done(
          vscode.commands.executeCommand(
            'workbench.action.openSettings',
            `${CONFIGURATION}.${SETTINGS.connections}`,
          ),
        ),
      'log/show': () => done(services.log.show(true)),
    } satisfies Partial<RecordingHandlers>;
  }

  async #openPlayground(number: number): Promise<void> {
    const { live, services } = this.#options;
    const { exchange } = await (await live.book()).exchange(number);
    const { request, response, startedAt, endMs } = exchange;
    const { status, headers, body, isBase64 } = response ?? {};
    const isRead = status !== undefined && headers && body !== undefined && !isBase64;
    await services.openFound(
      {
        method: request.method,
        url: request.url,
        headers: [],
        body: request.body,
        ...(isRead && { reply: { status, headers, body, startedAt, durationMs: endMs } }),
        leftOut: [],
      },
      live.target.connection.id,
    );
  }
}

async function confirmClear(live: LiveRecording): Promise<void> {
  const clear = t('Clear');
  const answer = await showMessage(
    'warning',
    t('Delete what was recorded of {0}?', toLabel(live.label)),
    {
      modal: true,
      detail: t(
        'The requests and replies are deleted from disk. The recording goes on. This cannot be undone.',
      ),
    },
    clear,
  );
  if (answer === clear) await live.clear();
}

async function openLab(
  { lab }: Pick<RecordingDependencies, 'lab'>,
  live: LiveRecording,
  runId: string,
): Promise<void> {
  const { labOfText } = await loadEngine();
  const { record, setup } = await (await live.book()).run(runId);
  const tools = setup?.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const document = { ...labOfText(record.turn?.raw.content ?? ''), ...(tools && { tools }) };
  await lab.openText({ document, from: t('a reply of {0}', toLabel(record.model)) });
}

async function done(work: unknown): Promise<null> {
  await work;
  return null;
}
