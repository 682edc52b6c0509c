// The recordings of a window: begins, shows and ends them. Bundled as a chunk that is loaded with the first one.
import { t } from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import type { ErrorInfo } from '../../protocol';
import type { HistoryStore, StoredExchanges } from '../../session';
import { SYSTEM_CLOCK } from '../../session';
import { RECORDING_VIEW_TYPE } from '../contributions';
import { pickOne, showMessage } from '../dialogs';
import { withFindBox } from '../find-box';
import { loadEngine } from '../load-engine';
import type { Answers } from './choose-target';
import { pickConnection, resolveTarget, toRecorded } from './choose-target';
import type { Ended, LiveOptions, RecordedTarget } from './live-recording';
import { LiveRecording } from './live-recording';
import { readRecordedFile } from './open-recorded-file';
import { readRecordingId, toRecordingId } from './recording-id';
import type { RecordingDependencies } from './recording-dependencies';
import { RecordingItem } from './recording-item';
import { RecordingPage } from './recording-page';

interface Shown {
  live: LiveRecording;
  answers: Answers;
  panel?: vscode.WebviewPanel | undefined;
}

export class RecordingServices implements vscode.Disposable {
  readonly #dependencies: RecordingDependencies;
  /** By the id under which they are stored. */
  readonly #shown = new Map<string, Shown>();
  readonly #item = new RecordingItem();

  constructor(dependencies: RecordingDependencies) {
    this.#dependencies = dependencies;
  }

  async record(target?: unknown): Promise<void> {
    if (target === RecordingItem.SHOW) return this.#showRunning();
    const opened = await this.#dependencies.connections.get();
    const connection = await pickConnection(opened);
    const answers: Answers = new Map();
    const resolved = connection && (await resolveTarget(opened, connection, answers));
    if (!resolved) return;
    const id = toRecordingId(randomUUID(), resolved.connection.label);
    const live = await this.#open(id, { state: 'starting', since: Date.now() }, resolved);
    this.#keep({ live, answers });
    this.#show(live);
    await live.start(resolved);
    this.#update();
  }

  async openFile(target?: unknown): Promise<void> {
    const [uri] =
      target instanceof vscode.Uri
        ? [target]
        : ((await vscode.window.showOpenDialog({
            title: t('Open Recording'),
            filters: { [t('Recording')]: ['jsonl'], [t('All files')]: ['*'] },
          })) ?? []);
    if (uri) await this.showFile(uri);
  }

  /** @param panel The editor of the file; without one, a panel is opened. */
  async showFile(uri: vscode.Uri, panel?: vscode.WebviewPanel): Promise<void> {
    const { name, target, startedAt, exchanges, problem } = await readRecordedFile(uri);
    if (exchanges.length === 0 && problem && !panel)
      return void showMessage('warning', `${problem.what} ${problem.next}`);
    const ended: Ended = { state: 'file', file: name, since: startedAt, ...(problem && { problem }) };
    const label = URL.canParse(target) ? new URL(target).host : target.slice(0, MAX_LABEL);
    const { MemoryRunStore } = await loadEngine();
    const { connections } = await this.#dependencies.connections.get();
    const store = new MemoryRunStore({
      redact: (value) => connections.redactor().value(value),
      onProblem: (found) => this.#dependencies.log.warn(`recording: ${found}`),
    });
    const live = await this.#open(
      toRecordingId(randomUUID(), label),
      ended,
      { connection: { id: '', label }, target: target.slice(0, MAX_LABEL), clients: [], key: 'none' },
      store,
    );
    this.#keep({ live, answers: new Map() });
    this.#show(live, panel);
    for (const exchange of exchanges) {
      if (!this.#shown.has(live.id)) return;
      await live.add(exchange);
    }
  }

  /** Shows a stored recording. */
  async show(sessionId: string): Promise<void> {
    const shown = this.#shown.get(sessionId);
    if (shown) return this.#show(shown.live);
    const live = await this.#reopen(sessionId, false);
    this.#show(live);
  }

  async remove(sessionId: string): Promise<void> {
    const shown = this.#shown.get(sessionId);
    if (shown) await shown.live.clear();
    else await (await this.#dependencies.pool.store()).remove(sessionId);
  }

  /** Everything that is stored of a recording, also while it is shown or runs. */
  async exchanges(sessionId: string): Promise<StoredExchanges> {
    const shown = this.#shown.get(sessionId);
    if (shown) return (await shown.live.book()).stored();
    const live = await this.#open(sessionId, { state: 'stopped', since: Date.now() });
    try {
      return await (await live.book()).stored();
    } finally {
      await live.close();
    }
  }

  /** The ones that are stored, the latest first. */
  async stored(): Promise<{ sessionId: string; label: string; modifiedAt: number }[]> {
    const store = await this.#dependencies.pool.store();
    return (await store.list())
      .flatMap(({ sessionId, modifiedAt }) => {
        const { label } = readRecordingId(sessionId) ?? {};
        return label === undefined ? [] : [{ sessionId, label, modifiedAt }];
      })
      .toSorted((one, other) => other.modifiedAt - one.modifiedAt);
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = (state as { scratch?: unknown } | null | undefined)?.scratch;
    const store = await this.#dependencies.pool.store();
    const found = (await store.list()).find(({ sessionId }) => readRecordingId(sessionId)?.key === key);
    // Nothing was recorded, or it was a file.
    if (!found) return panel.dispose();
    this.#show(await this.#reopen(found.sessionId, true), panel);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#shown.values()].map(({ live }) => live.close()));
  }

  dispose(): void {
    this.#item.dispose();
    for (const { panel } of this.#shown.values()) panel?.dispose();
  }

  async #showRunning(): Promise<void> {
    const running = [...this.#shown.values()].filter(({ live }) => live.isRunning);
    const [only, ...others] = running;
    if (!only) return;
    if (others.length === 0) return this.#show(only.live);
    const items = running.map(({ live }) => ({ label: toLabel(live.label), description: live.root, live }));
    const picked = await pickOne(items, { title: t('Recordings') });
    if (picked) this.#show(picked.live);
  }

  /** @param isRestored Whether the window was reloaded. */
  async #reopen(sessionId: string, isRestored: boolean): Promise<LiveRecording> {
    const live = await this.#open(sessionId, { state: 'stopped', since: Date.now() });
    this.#keep({ live, answers: new Map() });
    await live.restore(readRecordingId(sessionId)?.label ?? '', isRestored ? windowClosed() : undefined);
    return live;
  }

  async #open(
    id: string,
    ended: Ended,
    target?: RecordedTarget,
    own?: Pick<HistoryStore, 'open' | 'remove'>,
  ): Promise<LiveRecording> {
    const { connections, pool, explain, log, requestsLeaveFrom, onStored } = this.#dependencies;
    const engine = await loadEngine();
    const { connections: service } = await connections.get();
    const step = await pool.stepServices();
    const store = own ?? (await pool.store());
    const openBook: LiveOptions['openBook'] = async ({ first, ...told }) => {
      if (first !== undefined) await store.remove(id);
      return new engine.RecordingBook({
        journal: await store.open(id),
        services: { connections: step.connections, clock: SYSTEM_CLOCK },
        first,
        ...told,
      });
    };
    return new LiveRecording(
      {
        id,
        engine,
        openBook,
        requestsLeaveFrom,
        connections: () => (own ? [] : service.list().map(toRecorded)),
        explain,
        onProblem: (error) => log.warn(`recording: a request was not stored (${String(error)})`),
        onStored: own ? () => undefined : onStored,
      },
      ended,
      target,
    );
  }

  #keep(shown: Shown): void {
    this.#shown.set(shown.live.id, shown);
    shown.live.onDidChange(({ snapshot }) => {
      if (snapshot) this.#update();
    });
  }

  #update(): void {
    this.#item.show([...this.#shown.values()].flatMap(({ live }) => (live.isRunning ? [live.label] : [])));
  }

  #show(live: LiveRecording, given?: vscode.WebviewPanel): void {
    const shown = this.#shown.get(live.id);
    if (!shown) return;
    if (shown.panel) return shown.panel.reveal();
    const { file } = live.snapshot();
    const title = file ?? t('Recording: {0}', toLabel(live.label));
    const panel =
      given ??
      vscode.window.createWebviewPanel(RECORDING_VIEW_TYPE, title, vscode.ViewColumn.Active, withFindBox());
    const { extensionUri } = this.#dependencies;
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    if (!given) panel.title = title;
    const page = new RecordingPage({
      webview: panel.webview,
      services: this.#dependencies,
      live,
      ...(file === undefined && { key: readRecordingId(live.id)?.key }),
      start: (connectionId) => this.#startAgain(shown, connectionId),
    });
    shown.panel = panel;
    panel.onDidDispose(() => {
      page.dispose();
      shown.panel = undefined;
      if (!live.isRunning) void this.#forget(live);
    });
  }

  async #startAgain({ live, answers }: Shown, connectionId: string | undefined): Promise<void> {
    const opened = await this.#dependencies.connections.get();
    const connection = opened.connections.find(connectionId ?? live.target.connection.id);
    const resolved = await resolveTarget(opened, connection, answers);
    if (resolved) await live.start(resolved);
    this.#update();
  }

  async #forget(live: LiveRecording): Promise<void> {
    this.#shown.delete(live.id);
    await live.close();
  }
}

/** In UTF-16 code units, of what a file says. */
const MAX_LABEL = 200;

const windowClosed = (): ErrorInfo => ({
  code: 'recording-ended',
  title: t('The recording has stopped'),
  what: t('The window was closed or reloaded while it recorded. What had ended by then is kept.'),
  why: t('A recording ends with its window, and so does its address.'),
  next: t('Record again, and give the program the new address.'),
});
