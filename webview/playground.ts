// The panel's actions: holds the state, speaks with the host, keeps what must survive. Knows no DOM element.
import type { RpcClient, RunOutcome } from '../src/protocol';
import { LOST, toErrorInfo } from './panel-errors';
import { restoreState, toPersisted } from './persisted-state';
import { isAnswered, runBlocker, settingsBlocker, toRunForm } from './run-request';
import { Embeddings } from './embeddings';
import { RunToEnd } from './run-to-end';
import type { PlaygroundState, ToolResult } from './state';
import {
  initialState,
  withConnection,
  withModels,
  withResult,
  withRunEnded,
  withRunEntry,
  withRunStarted,
  withSnapshot,
} from './state';
import { Stoppable } from './stoppable';

const SAVE_DELAY_MS = 250;
const NOTICE_MS = 4000;

export interface PlaygroundOptions {
  client: RpcClient;
  loadState: () => unknown;
  saveState: (state: unknown) => void;
}

export class Playground {
  /** The chat that is under way. */
  readonly running: Stoppable;
  readonly toEnd: RunToEnd;
  readonly embeddings: Embeddings;
  readonly #client: RpcClient;
  readonly #saveState: (state: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #state: PlaygroundState;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor({ client, loadState, saveState }: PlaygroundOptions) {
    this.#client = client;
    this.#saveState = saveState;
    this.#state = { ...initialState(Date.now()), ...restoreState(loadState()) };
    this.running = new Stoppable(this.tick);
    this.toEnd = new RunToEnd(this, client);
    this.embeddings = new Embeddings(this, client);
    client.on('playground/snapshot', (snapshot) => {
      this.update((state) => withSnapshot(state, snapshot));
      this.#needModels();
    });
  }

  get state(): PlaygroundState {
    return this.#state;
  }

  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(change: (state: PlaygroundState) => PlaygroundState): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#saveTimer ??= setTimeout(() => this.save(), SAVE_DELAY_MS);
    this.show(next);
  }

  set(change: Partial<PlaygroundState>): void {
    this.update((state) => ({ ...state, ...change }));
  }

  save(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    this.#saveState(toPersisted(this.#state));
  }

  /** Asks for the first snapshot, and for the run that was under way when the panel went away. */
  async start(): Promise<void> {
    const { agent, pendingRunId } = this.#state;
    const attached = agent ? this.toEnd.attach() : pendingRunId && this.#attach(pendingRunId);
    await Promise.all([attached, this.embeddings.attach(), this.#readSnapshot()]);
  }

  /** Sends the message box, or runs again what still waits for a reply. */
  async run(): Promise<void> {
    if (runBlocker(this.#state)) return;
    if (this.#state.draft.trim() === '') return this.runAgain();
    const entry = { kind: 'user' as const, id: crypto.randomUUID(), content: this.#state.draft };
    this.update((state) => ({ ...state, draft: '', entries: [...state.entries, entry] }));
    return this.#send();
  }

  /** Replaces the last run by a new one with the same conversation before it. */
  async runAgain(): Promise<void> {
    if (settingsBlocker(this.#state) || this.#state.entries.length === 0) return;
    const last = this.#state.entries.at(-1);
    // a reply whose calls have all their results is part of what is sent
    if (last?.kind === 'run' && !isAnswered(last)) {
      this.update((state) => ({ ...state, entries: state.entries.slice(0, -1) }));
    }
    return this.#send();
  }

  /** Sends a changed message in its old place; what followed it is gone. */
  async sendEdited(): Promise<void> {
    const { edit, entries } = this.#state;
    const index = entries.findIndex((entry) => entry.kind === 'user' && entry.id === edit?.id);
    if (!edit || index < 0 || edit.text.trim() === '' || settingsBlocker(this.#state)) return;
    const entry = { kind: 'user' as const, id: crypto.randomUUID(), content: edit.text };
    this.set({ edit: undefined, entries: [...entries.slice(0, index), entry] });
    return this.#send();
  }

  /** When it was the last one missing, the run goes on. */
  async giveResult(runId: string, callIndex: number, result: ToolResult): Promise<void> {
    this.update((state) => withRunEntry(state, runId, (entry) => withResult(entry, callIndex, result)));
    const last = this.#state.entries.at(-1);
    if (last?.kind !== 'run' || last.runId !== runId || !isAnswered(last)) return;
    if (settingsBlocker(this.#state)) return;
    return this.#send();
  }

  stop(): void {
    this.running.stop();
  }

  clear(): void {
    this.stop();
    const { draft, entries } = this.#state;
    const last = entries.findLast((entry) => entry.kind === 'user');
    this.set({
      // the question comes back into the box, so that it can be asked anew
      draft: draft || (last?.content ?? ''),
      entries: [],
      edit: undefined,
      selection: undefined,
      agent: undefined,
      pendingRunId: undefined,
      pendingSince: undefined,
      progress: undefined,
    });
  }

  chooseConnection(connectionId: string): void {
    this.update((state) => withConnection(state, connectionId));
    if (this.#state.isSettingsOpen || this.#state.lane.model === '') void this.readModels();
  }

  async readModels(connectionId = this.#state.lane.connectionId): Promise<void> {
    const known = this.#state.models[connectionId] ?? { models: [] };
    if (connectionId === '') return;
    this.set({ models: { ...this.#state.models, [connectionId]: { ...known, status: 'loading' } } });
    try {
      const list = await this.#client.request('connection/models', { connectionId });
      this.update((state) => withModels(state, connectionId, list));
    } catch (thrown) {
      const error = toErrorInfo(thrown);
      this.set({ models: { ...this.#state.models, [connectionId]: { ...known, status: 'failed', error } } });
    }
  }

  async changeKey(method: 'connection/set-key' | 'connection/forget-key'): Promise<void> {
    const { connectionId } = this.#state.lane;
    await this.#attempt(async () => {
      await this.#client.request(method, { connectionId });
      await this.#readSnapshot();
    });
  }

  openSettings(): Promise<void> {
    return this.#attempt(() => this.#client.request('settings/open', {}));
  }

  showLog(): Promise<void> {
    return this.#attempt(() => this.#client.request('log/show', {}));
  }

  /** Says something once: in the foot of the panel and to screen readers. */
  notify(notice: string): void {
    this.set({ notice });
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => this.set({ notice: '' }), NOTICE_MS);
  }

  async #readSnapshot(): Promise<void> {
    try {
      const snapshot = await this.#client.request('playground/snapshot', {});
      this.update((state) => withSnapshot(state, snapshot));
      this.#needModels();
    } catch (error) {
      this.set({ snapshotError: toErrorInfo(error) });
    }
  }

  #needModels(): void {
    const { lane, isSettingsOpen, models } = this.#state;
    if (models[lane.connectionId] === undefined && (isSettingsOpen || lane.model === ''))
      void this.readModels();
  }

  async #send(): Promise<void> {
    const runId = crypto.randomUUID();
    const form = toRunForm(this.#state, runId);
    this.update((state) => withRunStarted(state, runId, Date.now()));
    // before the request goes out: a window that is closed right now must find its run again
    this.save();
    await this.#follow(runId, (signal) => this.#client.request('chat/run', form, { signal }));
  }

  async #attach(runId: string): Promise<void> {
    await this.#follow(runId, (signal) => this.#client.request('chat/attach', { runId }, { signal }));
  }

  #follow(runId: string, ask: (signal: AbortSignal) => Promise<RunOutcome | null>): Promise<void> {
    return this.running.run(async (signal) => {
      try {
        const outcome = await ask(signal);
        this.update((state) => withRunEnded(state, runId, outcome ? { outcome } : { problem: LOST }));
      } catch (error) {
        this.update((state) => withRunEnded(state, runId, { problem: toErrorInfo(error) }));
      }
    });
  }

  readonly tick = (): void => this.show({ ...this.#state, now: Date.now() });

  /** Without saving: the clock and a reply that is being written are not kept. */
  show(state: PlaygroundState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  async #attempt(ask: () => Promise<unknown>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      this.notify(toErrorInfo(error).what);
    }
  }
}
