// Controller of the lab page and its only connection to the host: holds the state, has the text read while it is
// typed, and saves it for a reload. Does not touch the DOM.
import { t } from '@vscode/l10n';
import type { LabClient, LabDocument, LabMethod, LabParams, LabResults } from '../../src/protocol';
import { LAB_LIMIT } from '../../src/protocol';
import { toErrorInfo } from '../panel-errors';
import type { LabState } from './lab-state';
import { initialLab, take, toStored } from './lab-state';

const SAVE_DELAY_MS = 250;
const NOTICE_MS = 6000;
/** Delay from typing to reading, in milliseconds; twice the duration of the last reading, within these bounds. */
const READ_DELAY_MS = { least: 80, most: 1500 } as const;
/** Delay until the formats are compared, in milliseconds; every key restarts it. */
const COMPARE_DELAY_MS = 400;

export interface LabOptions {
  client: LabClient;
  loadState: () => unknown;
  saveState: (state: unknown) => void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Lab {
  readonly #client: LabClient;
  readonly #saveState: (state: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #state: LabState;
  #saveTimer: Timer;
  #noticeTimer: Timer;
  #readTimer: Timer;
  #compareTimer: Timer;
  #comparing: AbortController | undefined;
  /** Whether the host has answered `lab/open`, or the request failed. */
  #isOpen = false;
  #isReading = false;

  constructor({ client, loadState, saveState }: LabOptions) {
    this.#client = client;
    this.#saveState = saveState;
    this.#state = initialLab(loadState());
    client.on('lab/given', (given) => this.#update(take(this.#state, given)));
  }

  get state(): LabState {
    return this.#state;
  }

  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    try {
      const { formats, given, problem } = await this.#client.request('lab/open', {});
      const opened = { ...this.#state, formats, problem };
      this.#update(given ? take(opened, given) : opened);
    } catch (error) {
      this.#update({ ...this.#state, problem: toErrorInfo(error) });
    }
    this.#isOpen = true;
    if (!this.#state.problem) this.#readSoon(0);
  }

  change(change: Partial<LabDocument>): void {
    this.#update({ ...this.#state, document: { ...this.#state.document, ...change } });
  }

  set(change: Pick<Partial<LabState>, 'selected'>): void {
    this.#update({ ...this.#state, ...change });
  }

  async chooseTools(): Promise<void> {
    const chosen = await this.#ask('lab/choose-tools', {});
    if (chosen?.tools) this.change({ tools: chosen.tools });
  }

  async openFile(): Promise<void> {
    await this.#ask('lab/open-file', {});
  }

  async save(): Promise<void> {
    const saved = await this.#ask('lab/save', { document: this.#state.document });
    if (saved?.isSaved) this.notify(t('The lab is saved as a file.'));
  }

  /** Shows a notice in the foot of the page for a few seconds; screen readers announce it. */
  notify(notice: string): void {
    this.#update({ ...this.#state, notice });
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => this.#update({ ...this.#state, notice: '' }), NOTICE_MS);
  }

  /** Saves the last change if it is still pending. */
  flush(): void {
    if (this.#saveTimer === undefined) return;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    this.#saveState(toStored(this.#state));
  }

  #update(next: LabState): void {
    const { document, givenId } = this.#state;
    this.#state = next;
    if (next.document !== document || next.givenId !== givenId) {
      this.#saveTimer ??= setTimeout(() => this.flush(), SAVE_DELAY_MS);
      if (this.#isOpen) this.#readSoon();
    }
    for (const listener of this.#listeners) listener();
  }

  async #ask<M extends LabMethod>(method: M, params: LabParams[M]): Promise<LabResults[M] | undefined> {
    try {
      return await this.#client.request(method, params);
    } catch (error) {
      const { what, why, next } = toErrorInfo(error);
      this.notify([what, why, next].filter(Boolean).join(' '));
      return undefined;
    }
  }

  /** Schedules a reading. Further typing does not postpone it, so the reading keeps up with the typing. */
  #readSoon(delayMs = this.#readDelay()): void {
    if (this.#isReading || this.#readTimer !== undefined) return;
    this.#readTimer = setTimeout(() => void this.#read(), delayMs);
  }

  #readDelay(): number {
    const { durationMs = 0 } = this.#state.reading ?? {};
    return Math.min(Math.max(2 * durationMs, READ_DELAY_MS.least), READ_DELAY_MS.most);
  }

  async #read(): Promise<void> {
    this.#readTimer = undefined;
    this.#isReading = true;
    const { document } = this.#state;
    const { version: _, ...params } = document;
    this.#stopComparing();
    try {
      const reading = await this.#client.request('lab/read', params);
      const { text } = document;
      this.#update({
        ...this.#state,
        reading: { ...reading, text },
        selected: undefined,
        counts: undefined,
        problem: undefined,
      });
    } catch (error) {
      this.#update({ ...this.#state, reading: undefined, counts: undefined, problem: toErrorInfo(error) });
    }
    this.#isReading = false;
    if (this.#state.document !== document) this.#readSoon();
    else this.#compareTimer = setTimeout(() => void this.#compare(), COMPARE_DELAY_MS);
  }

  #stopComparing(): void {
    clearTimeout(this.#compareTimer);
    this.#comparing?.abort();
    this.#comparing = undefined;
  }

  async #compare(): Promise<void> {
    const { reading } = this.#state;
    if (!reading || reading.text === '' || reading.text.length > LAB_LIMIT.comparedText) return;
    const comparing = new AbortController();
    this.#comparing = comparing;
    const { text, tools } = reading;
    const params = {
      text,
      tools: tools.slice(0, LAB_LIMIT.tools).map(({ name, description, parameters }) => ({
        name,
        ...(description !== undefined && { description }),
        parameters: { ...parameters },
      })),
    };
    const counts = await this.#client
      .request('lab/compare-formats', params, comparing)
      .catch(() => undefined);
    if (this.#comparing === comparing && counts) this.#update({ ...this.#state, counts });
  }
}
