// Finds and runs evaluations for the Test Explorer and for other extensions. Bundled as a chunk that is loaded on first use.
import type * as vscode from 'vscode';
import type { EvaluationSummary } from '../../types';
import type { SessionPool } from '../playground/session-pool';
import { EvaluationItems } from './evaluation-items';
import { EvaluationRun } from './evaluation-run';
import type { OpenFile } from './open-playground';
import { openPlayground } from './open-playground';
import { startEvaluation } from './start-evaluation';

/** What another extension, or a task, evaluates. */
export interface EvaluationTarget {
  uri: vscode.Uri;
  /** Ids. @default all */
  lanes?: readonly string[] | undefined;
  rows?: readonly string[] | undefined;
}

export const openEvaluationServices = (
  controller: vscode.TestController,
  pool: Pick<SessionPool, 'acquire'>,
): EvaluationServices => new EvaluationServices(controller, (uri) => openPlayground(pool, uri));

export class EvaluationServices implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #open: OpenFile;
  readonly #items: EvaluationItems;
  /** One run at a time: two would only wait for each other's requests. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(controller: vscode.TestController, open: OpenFile) {
    this.#controller = controller;
    this.#open = open;
    this.#items = new EvaluationItems(controller, open);
  }

  resolve(item: vscode.TestItem | undefined): Promise<void> {
    return item ? this.#items.resolve(item) : this.#items.find();
  }

  run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    options: { repeats?: number },
  ): Promise<void> {
    const done = this.#queue.then(() => this.#run(request, token, options));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    options: { repeats?: number },
  ): Promise<void> {
    const run = this.#controller.createTestRun(request);
    try {
      const files = await this.#items.chosen(request);
      for (const { cases } of files) for (const item of cases.values()) run.enqueued(item);
      for (const { uri, cases } of files) {
        const opened = await this.#open(uri);
        try {
          await new EvaluationRun({ run, uri, cases, opened }).go(token, options);
        } finally {
          opened.release();
        }
      }
    } finally {
      run.end();
    }
  }

  /** @throws RefusalError */
  async evaluate({ uri, lanes, rows }: EvaluationTarget): Promise<EvaluationSummary | undefined> {
    const { session, release } = await this.#open(uri);
    try {
      const isWanted = (rowId: string, laneId: string): boolean =>
        (lanes?.includes(laneId) ?? true) && (rows?.includes(rowId) ?? true);
      if ((await startEvaluation(session, { isWanted })) === 'cancelled') return undefined;
      await session.evaluation.ended();
      return session.evaluation.views.exported(session.title).summary;
    } finally {
      release();
    }
  }

  dispose(): void {
    this.#items.dispose();
  }
}
