// Controller of the panel and its only connection to the session: holds the state, sends the person's actions,
// applies what the host reports. Does not touch the DOM.
import type {
  DocumentEdit,
  HostEvents,
  RequestMethod,
  RequestParams,
  RequestResults,
  RpcClient,
  RpcRequestOptions,
  RunKind,
  SessionSnapshot,
  ShownPlace,
} from '../src/protocol';
import { isRecord, RequestError } from '../src/protocol';
import type { Remedy } from '../src/types';
import { Ticker } from './actions/ticker';
import { EntryReader } from './actions/entry-reader';
import { HOST_GONE, HostWatch } from './actions/host-watch';
import type { PanelPort } from './actions/panel-port';
import { boxText } from './actions/typed-fields';
import { PromptAsker } from './actions/prompt-asker';
import { TypedTexts } from './actions/typed-texts';
import { WrittenResults } from './actions/written-results';
import { completingEdits, embeddingBlocker, isEmbedding } from './lanes/embedding-form';
import { busyLaneIds, connectionOf, modelOf, targetLaneIds } from './lanes/lane-queries';
import { laneBlocker, runBlocker } from './lanes/run-blocker';
import { toErrorInfo } from './panel-errors';
import { restorePlace, toStoredPlace } from './state/evaluate-place';
import type { ModelsState, PanelState } from './state/panel-state';
import { initialPanel } from './state/panel-state';
import { placeChange } from './state/place-change';
import type { SessionState } from './state/session-state';
import { applyProgress, applySnapshot, emptySession } from './state/session-state';
import { translateView, withIndexIds } from './tools/tool-fields';
import type { ViewState } from './state/view-state';
import { restoreView, toStoredView, withPair } from './state/view-state';

const SAVE_DELAY_MS = 250;
const NOTICE_MS = 6000;

export interface PlaygroundOptions {
  client: RpcClient;
  loadState: () => unknown;
  saveState: (state: unknown) => void;
}

export interface RunChoice {
  kind?: RunKind;
  isStepMode?: boolean;
}

export class Playground implements PanelPort {
  readonly fields: TypedTexts;
  readonly entries: EntryReader;
  readonly results = new WrittenResults(this);
  readonly prompts = new PromptAsker(this, (place, signal) =>
    this.#request('prompt/render', place, { signal }),
  );
  readonly #client: RpcClient;
  readonly #watch: HostWatch;
  readonly #saveState: (state: unknown) => void;
  readonly #listeners = new Set<() => void>();
  readonly #modelReadings = new Map<string, Promise<void>>();
  readonly #ticker = new Ticker(() => this.update((state) => ({ ...state, now: Date.now() })));
  #state: PanelState;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  /** Snapshots that arrived while the whole session was being requested. */
  #early: SessionSnapshot[] | undefined;
  /** What the host wants to be shown, once the session has it. */
  #wanted: ShownPlace | undefined;
  /** Whether the panel is opened for the first time, so that nobody has chosen a view yet. */
  #isNewPanel: boolean;

  constructor({ client, loadState, saveState }: PlaygroundOptions) {
    this.#client = client;
    this.#watch = new HostWatch({
      client,
      isExpecting: () => this.#isBusy(),
      onChange: (isGone) => this.#hostChanged(isGone),
    });
    this.#saveState = saveState;
    const stored = loadState();
    this.#isNewPanel = stored === undefined || stored === null;
    const place = restorePlace(isRecord(stored) ? stored['evaluate'] : undefined);
    this.#state = initialPanel(restoreView(stored), place, Date.now());
    this.fields = new TypedTexts(this);
    this.entries = new EntryReader(this);
    client.on('session/changed', (snapshot) => this.#take(snapshot));
    client.on('run/progress', (progress) => this.#takeProgress(progress));
    client.on('panel/show', (wanted) => {
      this.#wanted = wanted;
      this.#showWanted();
    });
  }

  get state(): PanelState {
    return this.#state;
  }

  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(change: (state: PanelState) => PanelState): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    const isSaved = next.view === this.#state.view && next.evaluate === this.#state.evaluate;
    if (!isSaved) this.#saveTimer ??= setTimeout(() => this.save(), SAVE_DELAY_MS);
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  changeView(change: (view: ViewState) => ViewState): void {
    this.update((state) => {
      const view = change(state.view);
      return view === state.view ? state : { ...state, view };
    });
  }

  setView(change: Partial<ViewState>): void {
    this.changeView((view) => ({ ...view, ...change }));
  }

  save(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    const { view, evaluate, session } = this.#state;
    const { tools } = session.document ?? {};
    const stored = toStoredView(tools ? translateView(view, tools, withIndexIds(tools)) : view);
    this.#saveState({ ...stored, evaluate: toStoredPlace(evaluate) });
  }

  /** Sends and saves the last changes if they are still pending. */
  flush(): void {
    void this.fields.flush();
    if (this.#saveTimer !== undefined) this.save();
  }

  /** Undoes or redoes one change. Pending text is written first; then the fields show the document again. */
  async undo(direction: 'undo' | 'redo' = 'undo'): Promise<void> {
    await this.fields.flush();
    if (await this.send(`document/${direction}`, {})) this.fields.release();
  }

  start(): Promise<void> {
    return this.#open();
  }

  /** Starts a run in all target lanes, or in the given ones. */
  async run(laneIds: readonly string[] = targetLaneIds(this.#state), options: RunChoice = {}): Promise<void> {
    const { kind = 'chat', isStepMode } = options;
    const find = () => runBlocker(this.#state, laneIds, boxText(this.#state), kind);
    const blocker = await this.fields.whatBlocks(find);
    if (blocker) return this.notify(blocker.replaceAll('`', ''));
    for (const id of laneIds) {
      if (!busyLaneIds(this.#state.session).includes(id) && !(await this.results.keepOpen(id))) return;
    }
    const now = Date.now();
    this.update((state) => ({ ...state, now, view: { ...state.view, selection: undefined } }));
    await this.fields.takeMessage(async (text) => {
      const message = text.trim() === '' ? {} : { text };
      const step = isStepMode ? { isStepMode } : {};
      const out = laneIds.filter((id) => laneBlocker(this.#state, id) !== undefined);
      const left = out.length > 0 ? { leftOut: out } : {};
      return this.send('run/start', { laneIds: [...laneIds], kind, ...message, ...step, ...left });
    });
  }

  /** Repeats or continues the last step of a lane as it is set now, without the message box. */
  async runAgain(laneId: string, options: RunChoice = {}): Promise<void> {
    if (!(await this.#canRun(laneId))) return;
    const { kind = 'chat', isStepMode } = options;
    // A chat asks again for a reply that waits for results.
    if (!(await this.results.keepOpen(laneId, kind === 'chat'))) return;
    const step = isStepMode ? { isStepMode } : {};
    await this.send('run/start', { laneIds: [laneId], kind, isRepeat: true, ...step });
  }

  async replay(laneId: string, kind: RunKind = 'chat'): Promise<void> {
    if (await this.#canRun(laneId)) await this.send('run/replay', { laneIds: [laneId], kind });
  }

  /**
   * Continues a paused agent run, with the results that are open and the message before its next step; if refused, the message
   * is put back.
   */
  async continueRun(laneId: string, isStepMode: boolean): Promise<void> {
    if (!(await this.results.keepOpen(laneId))) return;
    const text = this.#state.view.stepTexts.get(laneId) ?? '';
    const setText = (value: string | undefined): void =>
      this.changeView((view) => ({ ...view, stepTexts: withPair(view.stepTexts, laneId, value) }));
    setText(undefined);
    const message = text.trim() === '' ? {} : { text };
    const isTaken = await this.send('run/continue', { laneId, isStepMode, ...message });
    if (!isTaken && text !== '' && !this.#state.view.stepTexts.has(laneId)) setText(text);
  }

  async stop(laneIds?: readonly string[]): Promise<void> {
    await this.send('run/stop', laneIds ? { laneIds: [...laneIds] } : {});
  }

  /** Sends an edited message in its old place; everything after it is removed. */
  async resend(kind: RunKind = 'chat'): Promise<void> {
    const { edit } = this.#state.view;
    if (!edit || edit.text.trim() === '' || !(await this.#canRun(edit.laneId))) return;
    if (await this.send('message/resend', { ...edit, kind })) this.setView({ edit: undefined });
  }

  /** Applies a remedy of a finding. Sent again, the reply is a new run. @returns whether it was applied */
  async applyRemedy(
    place: { laneId: string; runId: string },
    remedy: Remedy,
    isSentAgain: boolean,
  ): Promise<boolean> {
    void this.fields.flush();
    const isDone = await this.send('remedy/apply', { ...place, remedy, isSentAgain });
    if (isDone && isSentAgain) this.setView({ laneId: place.laneId, selection: undefined });
    return isDone;
  }

  /** @param typed For a text that is being typed: consecutive edits with the same key are one undo step. */
  async edit(edits: readonly DocumentEdit[], typed?: { gather: string; isLast?: boolean }): Promise<boolean> {
    const sent = edits.map(({ path, ...rest }) => ({ path: [...path], ...rest }));
    return this.send('document/edit', {
      edits: sent,
      ...(typed && { gather: typed.gather.slice(0, 200) }),
      ...(typed?.isLast && { isLast: true }),
    });
  }

  /** @returns the id of the new lane, which becomes the current one. */
  async addLane(params: RequestParams<'lane/add'> = {}): Promise<string | undefined> {
    const added = await this.ask('lane/add', params);
    if (added) this.setView({ laneId: added.laneId });
    return added?.laneId;
  }

  async embed(): Promise<void> {
    if (await this.fields.whatBlocks(() => embeddingBlocker(this.#state))) return;
    // Defaults are written into the document first, because the request is built from the document.
    const edits = completingEdits(this.#state);
    if (edits.length > 0 && !(await this.edit(edits))) return;
    await this.send('embedding/run', {});
  }

  /** A call while the list is being read waits for it. */
  async readModels(id: string): Promise<void> {
    const read = () => this.#readList(id).finally(() => this.#modelReadings.delete(id));
    if (id !== '') await this.#modelReadings.set(id, this.#modelReadings.get(id) ?? read()).get(id);
  }

  async #readList(connectionId: string): Promise<void> {
    const known = this.#state.models.get(connectionId) ?? { models: [] };
    this.#setModels(connectionId, { ...known, status: 'loading' });
    try {
      const list = await this.#request('connection/models', { connectionId });
      this.#setModels(connectionId, { ...list, status: 'ready' });
    } catch (thrown) {
      this.#setModels(connectionId, { ...known, status: 'failed', error: toErrorInfo(thrown) });
    }
  }

  /** Shows a notice in the foot of the panel for a few seconds; screen readers announce it. */
  notify(notice: string): void {
    this.update((state) => ({ ...state, notice }));
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => this.update((state) => ({ ...state, notice: '' })), NOTICE_MS);
  }

  /** @returns whether it succeeded; if not, a notice says why. */
  async send<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<boolean> {
    return (await this.ask(method, params)) !== undefined;
  }

  /** @returns undefined when it failed; a notice then says why. */
  async ask<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
  ): Promise<RequestResults[M] | undefined> {
    try {
      return await this.#request(method, params);
    } catch (error) {
      const { what, next } = toErrorInfo(error);
      this.notify(`${what} ${next}`.trim());
      return undefined;
    }
  }

  async #request<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
    options?: RpcRequestOptions,
  ): Promise<RequestResults[M]> {
    if (this.#watch.isGone) throw new RequestError(HOST_GONE);
    this.#watch.start();
    return this.#client.request(method, params, options);
  }

  #hostChanged(isGone: boolean): void {
    // Whatever the host sent in the meantime is lost, so the session is read again.
    if (!isGone) return void this.#open();
    this.#ticker.setRunning(false);
    this.update((state) => ({ ...state, openError: HOST_GONE }));
  }

  #isBusy(): boolean {
    const { session } = this.#state;
    const isEvaluating = session.evaluation?.progress !== undefined;
    return busyLaneIds(session).length > 0 || isEmbedding(session.embedding) || isEvaluating;
  }

  async #canRun(laneId: string): Promise<boolean> {
    return (await this.fields.whatBlocks(() => laneBlocker(this.#state, laneId))) === undefined;
  }

  async #open(): Promise<void> {
    if (this.#early) return;
    this.#early = [];
    try {
      const whole = await this.#request('session/open', {});
      const early = this.#early;
      this.#early = undefined;
      this.entries.reset();
      const session = early.reduce(applySnapshot, applySnapshot(emptySession(), whole));
      const view = { ...this.#knownView(session), ...this.#firstView(session) };
      this.#show({ ...this.#state, session, view, openError: undefined });
    } catch (error) {
      this.#early = undefined;
      this.update((state) => ({ ...state, openError: toErrorInfo(error) }));
    }
  }

  /** The view; one that was saved by an earlier panel names the tools of the document from now on. */
  #knownView({ document }: SessionState): ViewState {
    const { session, view } = this.#state;
    if (session.document || !document) return view;
    return translateView(view, withIndexIds(document.tools), document.tools);
  }

  /** Opens the view *Embeddings* for a document that has no messages and only embeds. */
  #firstView({ document }: SessionState): Partial<ViewState> {
    if (!this.#isNewPanel || !document) return {};
    this.#isNewPanel = false;
    const { embedding, messages } = document.document;
    return Object.keys(embedding).length > 0 && messages.length === 0 ? { view: 'embeddings' } : {};
  }

  #take(snapshot: SessionSnapshot): void {
    if (this.#early) this.#early.push(snapshot);
    else this.#show({ ...this.#state, session: applySnapshot(this.#state.session, snapshot) });
  }

  #takeProgress({ laneId, progress }: HostEvents['run/progress']): void {
    this.update((state) => {
      const session = applyProgress(state.session, laneId, progress);
      return session === state.session ? state : { ...state, session };
    });
  }

  #show(next: PanelState): void {
    const before = this.#state.session;
    this.update(() => ({ ...next, now: Date.now() }));
    const { session } = this.#state;
    const isBusy = this.#isBusy();
    this.#ticker.setRunning(isBusy);
    if (isBusy) this.#watch.start();
    if (session.document !== before.document) this.fields.documentChanged();
    this.#showWanted();
    this.entries.needLatest();
    this.#needModels();
    if (session.isOutOfSync) void this.#open();
  }

  #showWanted(): void {
    const wanted = this.#wanted;
    const change = wanted && placeChange(wanted, this.#state.session);
    if (!change) return;
    this.#wanted = undefined;
    this.update((state) => ({ ...state, ...change, view: { ...state.view, ...change.view } }));
    if (wanted.kind === 'evaluation' && wanted.shown) void this.send('evaluation/show', wanted.shown);
  }

  /** The list of models is read for a lane without a model, or with open settings. */
  #needModels(): void {
    const { session, view, models } = this.#state;
    for (const id of session.laneIds) {
      const connection = connectionOf(session, id);
      const isNeeded = view.openSettings.includes(id) || modelOf(session, id) === '';
      if (connection && isNeeded && !models.has(connection.id)) void this.readModels(connection.id);
    }
  }

  #setModels(connectionId: string, list: ModelsState): void {
    this.update((state) => ({ ...state, models: new Map(state.models).set(connectionId, list) }));
  }
}
