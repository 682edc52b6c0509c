// Controller of the page *Recording* and its only connection to the host: holds the state, reads the rows and the request that
// is looked at, and saves the view for a reload. Does not touch the DOM.
import { t } from '@vscode/l10n';
import type {
  LaneEntry,
  RecordedRow,
  RecordingClient,
  RecordingMethod,
  RecordingParams,
  RecordingResults,
  RunEntry,
} from '../../src/protocol';
import { isRecord } from '../../src/protocol';
import { Ticker } from '../actions/ticker';
import { toErrorInfo } from '../panel-errors';
import { Playground } from '../playground';
import { copyText } from '../text/copy-text';
import { countOf } from '../text/format';
import type { RecordingState } from './recording-state';
import { applyChange, countRows, findRow, initialRecording, toStored, withShown } from './recording-state';

const SAVE_DELAY_MS = 250;
/** In milliseconds, between two announcements of how many requests there are. */
const ANNOUNCE_PAUSE_MS = 10_000;

export interface RecordingOptions {
  client: RecordingClient;
  loadState: () => unknown;
  saveState: (state: unknown) => void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Recording {
  /** What the inspector of a run is given: its tab and its selection. It has no lanes of its own. */
  readonly playground: Playground;
  readonly #client: RecordingClient;
  readonly #saveState: (state: unknown) => void;
  readonly #listeners = new Set<() => void>();
  readonly #ticker = new Ticker(() => this.#update({ ...this.#state, now: Date.now() }));
  #state: RecordingState;
  #panel: unknown;
  #saveTimer: Timer;
  /** Whether something was announced a moment ago. */
  #isSilent = false;
  /** What was read last of the selected request; another text when there is more to read. */
  #readKey = '';

  constructor({ client, loadState, saveState }: RecordingOptions) {
    this.#client = client;
    this.#saveState = saveState;
    const stored = loadState();
    this.#state = initialRecording(stored, Date.now());
    this.#panel = isRecord(stored) ? stored['panel'] : undefined;
    this.playground = new Playground({
      client,
      loadState: () => this.#panel,
      saveState: (panel) => {
        this.#panel = panel;
        this.#saveSoon();
      },
    });
    client.on('recording/changed', (change) => this.#update(applyChange(this.#state, change)));
  }

  get state(): RecordingState {
    return this.#state;
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    const endPanel = this.playground.subscribe(listener);
    this.#listeners.add(listener);
    return () => {
      endPanel();
      this.#listeners.delete(listener);
    };
  }

  async start(): Promise<void> {
    try {
      const snapshot = await this.#client.ask('recording/open', {});
      this.#update(applyChange({ ...this.#state, problem: undefined }, { snapshot, rows: [] }));
      await this.#readRows(snapshot.first, snapshot.last);
    } catch (error) {
      this.#update({ ...this.#state, problem: toErrorInfo(error) });
    }
  }

  set(change: Pick<Partial<RecordingState>, 'filter' | 'text' | 'session' | 'selected' | 'shell'>): void {
    this.#update({ ...this.#state, ...change });
    this.#saveSoon();
  }

  /** @returns whether it succeeded; if not, a notice says why */
  async send<M extends RecordingMethod>(method: M, params: RecordingParams[M]): Promise<boolean> {
    return (await this.#ask(method, params)) !== undefined;
  }

  async repair(isOn: boolean): Promise<void> {
    if (!(await this.send('recording/repair', { isOn }))) return;
    this.playground.notify(
      isOn ? t('Calls are repaired from the next request on.') : t('Calls are no longer repaired.'),
    );
  }

  /** Copies a text, and says whether it worked. */
  async copy(text: string): Promise<void> {
    const isCopied = await copyText(text);
    this.playground.notify(isCopied ? t('Copied.') : t('The text could not be copied.'));
  }

  /** Saves the last change if it is still pending. */
  flush(): void {
    this.playground.flush();
    if (this.#saveTimer === undefined) return;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    this.#saveState({ ...toStored(this.#state), panel: this.#panel });
  }

  #saveSoon(): void {
    this.#saveTimer ??= setTimeout(() => this.flush(), SAVE_DELAY_MS);
  }

  /** What changes in the meantime comes as an event. */
  async #readRows(first: number, last: number): Promise<void> {
    for (let from = first; from <= last;) {
      const rows = await this.#client.ask('recording/rows', { from });
      const end = rows.at(-1)?.number;
      if (end === undefined) return;
      this.#update(applyChange(this.#state, { rows }));
      from = end + 1;
    }
  }

  #update(changed: RecordingState): void {
    const before = this.#state;
    const next = withShown(changed, before);
    this.#state = next;
    if (next.rows !== before.rows || next.snapshot !== before.snapshot) {
      this.#ticker.setRunning(next.rows.some(({ phase }) => phase !== undefined));
      this.#announce();
    }
    this.#needRead();
    for (const listener of this.#listeners) listener();
  }

  /** Says at once what changed, and then nothing for a while. */
  #announce(): void {
    if (this.#isSilent) return;
    const announced = describeState(this.#state);
    if (announced === this.#state.announced) return;
    this.#isSilent = true;
    setTimeout(() => {
      this.#isSilent = false;
      this.#announce();
    }, ANNOUNCE_PAUSE_MS);
    this.#update({ ...this.#state, announced });
  }

  #needRead(): void {
    const row = findRow(this.#state, this.#state.selected);
    const key = row?.endMs === undefined ? '' : [row.number, row.run?.runId, row.isRepaired].join(' ');
    if (key === this.#readKey) return;
    this.#readKey = key;
    if (row && key !== '') void this.#read(row, key);
  }

  async #read(row: RecordedRow, key: string): Promise<void> {
    const { number, run } = row;
    try {
      const [view, entries] = await Promise.all([
        this.#client.ask('recording/read', { number }),
        this.#readEntries(run),
      ]);
      if (key !== this.#readKey) return;
      const isRun = (entry: LaneEntry): entry is RunEntry => entry.kind === 'run' && entry.id === run?.runId;
      this.#update({ ...this.#state, read: { number, view, run: entries.find(isRun) } });
    } catch (error) {
      if (key === this.#readKey)
        this.#update({ ...this.#state, read: { number, problem: toErrorInfo(error) } });
    }
  }

  async #readEntries(run: RecordedRow['run']): Promise<LaneEntry[]> {
    if (!run) return [];
    return this.#client.request('entries/read', { laneId: run.laneId, entryIds: [run.runId] });
  }

  async #ask<M extends RecordingMethod>(
    method: M,
    params: RecordingParams[M],
  ): Promise<RecordingResults[M] | undefined> {
    try {
      return await this.#client.ask(method, params);
    } catch (error) {
      const { what, next } = toErrorInfo(error);
      this.playground.notify(`${what} ${next}`.trim());
      return undefined;
    }
  }
}

/** For screen readers. */
function describeState({ snapshot, rows }: RecordingState): string {
  if (!snapshot) return '';
  if (rows.length === 0) return snapshot.state === 'waiting' ? t('Waiting for the first request.') : '';
  const { all, open, kinds } = countRows(rows);
  const parts = [
    countOf(all, t('{0} request'), t('{0} requests')),
    ...(open > 0 ? [t('{0} open', open)] : []),
    ...(kinds.rescued ? [t('{0} rescued', kinds.rescued)] : []),
    ...(kinds.malformed ? [t('{0} malformed', kinds.malformed)] : []),
    ...(kinds.failed ? [t('{0} failed', kinds.failed)] : []),
  ];
  const end = snapshot.state === 'stopped' ? ` ${t('The recording is stopped.')}` : '';
  return `${parts.join(', ')}.${end}`;
}
