// Evaluates the chosen cases of one file in a run of the Test Explorer, and tells it how they come out while it goes on.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import type { CaseSummary, JudgedSample } from '../../types';
import { loadEngine } from '../load-engine';
import type { TellerParts } from './case-teller';
import { CaseTeller, nameOf } from './case-teller';
import { describeSample } from './describe-case';
import { caseKey } from './evaluation-items';
import { startEvaluation } from './start-evaluation';

/** An evaluation that does not end by itself within this time is no longer waited for. */
const STOP_MS = 1_000;
/** The Test Explorer is told of changes at most this often. */
const TELL_MS = 250;
/** Samples of an evaluation with more of them get no line each. */
const MAX_LINES = 1_000;
const MAX_MESSAGE = 300;

export interface RunOptions {
  /** Samples of each case. @default as the file says */
  repeats?: number | undefined;
  /** Without asking: it costs nothing, and a person wants it each time. */
  isConfirmed?: boolean | undefined;
}

export class EvaluationRun {
  readonly #parts: TellerParts;
  readonly #teller: CaseTeller;
  /** Keys of cases whose end was told. */
  readonly #told = new Set<string>();
  /** Samples that were sent, in the order of their ends. */
  readonly sent: JudgedSample[] = [];
  /** How many of these were printed. */
  #printed = 0;
  #telling: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: TellerParts) {
    this.#parts = parts;
    this.#teller = new CaseTeller(parts);
  }

  /** Never rejects: what keeps the evaluation from starting is told of every case. */
  async go(signal: AbortSignal, options: RunOptions): Promise<void> {
    const { session } = this.#parts.opened;
    if (signal.aborted) return this.#teller.skipAll();
    try {
      const start = await startEvaluation(session, {
        ...options,
        isWanted: (rowId, laneId) => this.#teller.itemOf({ rowId, laneId }) !== undefined,
        onJudged: (sample) => void this.sent.push(sample),
      });
      if (start === 'cancelled') return this.#teller.skipAll();
      if (start === 'complete') this.#teller.print(t('Every sample is there already, so nothing was sent.'));
      else await this.#follow(signal);
      await this.#tell(true);
      this.#tellStop();
    } catch (error) {
      await this.#failAll(error);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { session } = this.#parts.opened;
    const over = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      const stop = (): void => {
        session.evaluation.stop();
        setTimeout(resolve, STOP_MS);
      };
      signal.addEventListener('abort', stop, { signal: over.signal });
      if (signal.aborted) stop();
    });
    const unsubscribe = session.onDidChange(() => this.#tellSoon());
    try {
      await Promise.race([session.evaluation.ended(), stopped]);
    } finally {
      over.abort();
      clearTimeout(this.#timer);
      unsubscribe();
    }
  }

  /** Changes that follow one another quickly are told together. */
  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#tell(false).catch(() => undefined);
    }, TELL_MS);
  }

  #tell(isEnd: boolean): Promise<void> {
    const told = this.#telling.then(() => this.#tellNow(isEnd));
    this.#telling = told.catch(() => undefined);
    return told;
  }

  async #tellNow(isEnd: boolean): Promise<void> {
    const { session } = this.#parts.opened;
    const { views } = session.evaluation;
    const { summary } = views.exported(session.title);
    for (const place of views.underWay) this.#begin(place);
    this.#printSamples(summary.planned <= MAX_LINES);
    for (const one of summary.cases) {
      const key = caseKey(one.rowId, one.laneId);
      if (this.#told.has(key) || !this.#teller.itemOf(one)) continue;
      if (one.planned !== one.notRun) this.#begin(one);
      if (!isEnd && (one.notRun > 0 || one.gate === 'open')) continue;
      this.#told.add(key);
      await this.#teller.end(one);
    }
    if (isEnd) this.#teller.endShared();
    else this.#teller.flush();
  }

  /** Says why not all samples ran, and how the rest would. */
  #tellStop(): void {
    const { session } = this.#parts.opened;
    const { stopped, summary } = session.evaluation.views.exported(session.title);
    if (stopped === undefined) return;
    const { planned, notRun } = summary;
    this.#teller.print(t('Ended early: {0}', toLabel(stopped, MAX_MESSAGE)));
    this.#teller.print(
      t('{0} of {1} samples ran. Each is kept: another run sends the rest.', planned - notRun, planned),
    );
    this.#teller.flush();
  }

  #begin(place: Pick<CaseSummary, 'rowId' | 'laneId'>): void {
    const item = this.#teller.itemOf(place);
    if (item) this.#teller.begin(item);
  }

  #printSamples(hasLines: boolean): void {
    for (const sample of hasLines ? this.sent.slice(this.#printed) : []) {
      const item = this.#teller.itemOf(sample);
      if (item) this.#teller.print(describeSample(nameOf(item), sample), item);
    }
    this.#printed = this.sent.length;
  }

  async #failAll(error: unknown): Promise<void> {
    const words = await describeError(error);
    const message = new vscode.TestMessage(words);
    this.#teller.print(words);
    this.#teller.flush();
    for (const [key, item] of this.#parts.cases)
      if (!this.#told.has(key)) this.#parts.run.errored(item, message);
  }
}

export async function describeError(error: unknown): Promise<string> {
  const { RefusalError } = await loadEngine();
  const words = error instanceof RefusalError ? `${error.info.what} ${error.info.next}` : String(error);
  return toLabel(words, MAX_MESSAGE);
}
