// Finds and runs evaluations for the Test Explorer and for other extensions. Bundled as a chunk that is loaded on first use.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ShownPlace } from '../../protocol';
import type { Session, TextPair } from '../../session';
import type { ExportedEvaluation } from '../../inspect';
import type { JudgedSample } from '../../types';
import { EDITOR_VIEW_TYPE } from '../contributions';
import { pickOne, showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import { toSignal } from '../to-signal';
import { fileSessionId } from '../playground/files/file-backing';
import type { SessionPool } from '../playground/session-pool';
import { columnOf, showDocument } from '../show-document';
import type { ToldState } from './case-teller';
import { describeItem, report } from './case-teller';
import type { MessagePlace } from './describe-case';
import { readContext } from './describe-case';
import type { ChosenFile, ItemPlace } from './evaluation-items';
import { EvaluationItems, toRange } from './evaluation-items';
import type { RunOptions } from './evaluation-run';
import { describeError, EvaluationRun } from './evaluation-run';
import type { OpenFile, OpenPlayground } from './open-playground';
import { openPlayground } from './open-playground';
import { startEvaluation } from './start-evaluation';
import { ToldResults } from './told-results';

/** What another extension, or a task, evaluates. */
export interface EvaluationTarget {
  uri: vscode.Uri;
  /** Ids. @default all */
  lanes?: readonly string[] | undefined;
  rows?: readonly string[] | undefined;
}

/** What a command on a message about a sample does. */
export type SampleAction = 'open' | 'compare' | 'copy';

export interface EvaluationParts {
  controller: vscode.TestController;
  open: OpenFile;
  compare: (texts: TextPair) => Promise<void>;
  /** Shows a place of a playground file in its editor. */
  show: (uri: vscode.Uri, place: ShownPlace, options: { preserveFocus: boolean }) => Promise<void>;
  /** Shows it in the editor of the file when that is opened next. */
  offer: (uri: vscode.Uri, place: ShownPlace) => void;
}

/** What the menu of a message gives. */
interface MessageTarget {
  test?: vscode.TestItem;
  message?: vscode.TestMessage;
}

interface TestRunOptions extends RunOptions {
  isLocalOnly?: boolean;
  /** Only the cases of these files. */
  only?: readonly vscode.Uri[];
}

export const openEvaluationServices = (
  controller: vscode.TestController,
  pool: Pick<SessionPool, 'acquire' | 'wanted'>,
  compare: EvaluationParts['compare'],
): EvaluationServices =>
  new EvaluationServices({
    controller,
    open: (uri) => openPlayground(pool, uri),
    compare,
    show: async (uri, place, options) => {
      pool.wanted.ask(fileSessionId(uri), place);
      const shown = { viewColumn: columnOf(uri), ...options };
      await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_VIEW_TYPE, shown);
    },
    offer: (uri, place) => pool.wanted.offer(fileSessionId(uri), place),
  });

export class EvaluationServices implements vscode.Disposable {
  readonly #parts: EvaluationParts;
  readonly #items: EvaluationItems;
  readonly #results: ToldResults;
  /** One run at a time: two would only wait for each other's requests. */
  #queue: Promise<unknown> = Promise.resolve();
  /** URIs of the files of which a run of the Test Explorer follows the evaluation. */
  readonly #running = new Set<string>();

  constructor(parts: EvaluationParts) {
    this.#parts = parts;
    const { controller, open } = parts;
    this.#results = new ToldResults(controller, open);
    this.#items = new EvaluationItems(controller, open, (uri) => this.#results.changed(uri));
  }

  resolve(item: vscode.TestItem | undefined): Promise<void> {
    return item ? this.#items.resolve(item) : this.#items.find();
  }

  run(request: vscode.TestRunRequest, token: vscode.CancellationToken, options: RunOptions): Promise<void> {
    return this.#enqueue(request, toSignal(token), options);
  }

  /** Evaluates lanes without costs: once, or whenever a file or its rows are saved, until it is cancelled. */
  async runOnSave(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const signal = toSignal(token);
    if (request.continuous !== true) return this.#enqueue(request, signal, { isLocalOnly: true });
    let last = new AbortController();
    const { include, exclude, profile } = request;
    const again = new vscode.TestRunRequest(include, exclude, profile, true);
    const saving = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const only = this.#filesOf(uri);
      if (only.length === 0) return;
      last.abort();
      last = new AbortController();
      const either = AbortSignal.any([signal, last.signal]);
      void this.#enqueue(again, either, { isLocalOnly: true, isConfirmed: true, only });
    });
    signal.addEventListener('abort', () => saving.dispose());
  }

  /** To be called when an evaluation has ended, whoever started it. */
  evaluated(uri: vscode.Uri): void {
    // A run of ours tells its results itself.
    if (!this.#running.has(uri.toString())) this.#results.evaluated(uri);
  }

  /** The files that a saved file is, or has the rows of. */
  #filesOf(saved: vscode.Uri): vscode.Uri[] {
    const isSaved = (uri: vscode.Uri | undefined): boolean => uri?.toString() === saved.toString();
    return this.#items.uris.filter((uri) => isSaved(uri) || isSaved(this.#items.rowsUri(uri)));
  }

  #enqueue(request: vscode.TestRunRequest, signal: AbortSignal, options: TestRunOptions): Promise<void> {
    const done = this.#queue.then(() => (signal.aborted ? undefined : this.#run(request, signal, options)));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #run(
    request: vscode.TestRunRequest,
    signal: AbortSignal,
    { isLocalOnly = false, only, ...options }: TestRunOptions,
  ): Promise<void> {
    const run = this.#parts.controller.createTestRun(request, request.profile?.label, true);
    try {
      const files = await this.#items.chosen(request, { isLocalOnly, ...(only && { only }) });
      for (const { cases } of files) for (const item of cases.values()) run.enqueued(item);
      if (files.length === 0) run.appendOutput(`${t('There is nothing to evaluate here.')}\r\n`);
      const sent: { uri: vscode.Uri; sample: JudgedSample }[] = [];
      for (const file of files)
        for (const sample of await this.#runFile(run, file, { signal, ...options }))
          sent.push({ uri: file.uri, sample });
      const [first] = sent;
      const isOne = files.length === 1 && files[0]?.cases.size === 1 && sent.length === 1;
      if (isOne && first && !only) await this.#show(first.uri, first.sample, { preserveFocus: true });
    } finally {
      run.end();
    }
  }

  /** @returns the samples that were sent */
  async #runFile(
    run: vscode.TestRun,
    { uri, cases }: ChosenFile,
    { signal, ...options }: RunOptions & { signal: AbortSignal },
  ): Promise<readonly JudgedSample[]> {
    const opened = await this.#parts.open(uri);
    try {
      const failed: ToldState[] = [];
      const onTold = (told: ToldState): void => {
        this.#results.add(uri, told);
        if (told.state === 'failed') failed.push(told);
      };
      const one = new EvaluationRun({ run, uri, cases, items: this.#items, opened, onTold });
      this.#running.add(uri.toString());
      await one.go(signal, options);
      // A click on an item opens the editor of the file, which VS Code does not tell which item it was.
      this.#parts.offer(uri, toOffered(failed));
      return one.sent;
    } finally {
      this.#running.delete(uri.toString());
      opened.release();
    }
  }

  async #show(
    uri: vscode.Uri,
    { rowId, laneId, repeat }: Pick<JudgedSample, 'rowId' | 'laneId' | 'repeat'>,
    options: { preserveFocus: boolean },
  ): Promise<void> {
    await this.#parts.show(uri, { kind: 'case', rowId, laneId, repeat }, options);
  }

  /** Runs the first chosen case as an agent that pauses after each step, in its lane of the panel. Waits for its end. */
  async step(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const signal = toSignal(token);
    const run = this.#parts.controller.createTestRun(request, request.profile?.label, false);
    try {
      const [file] = await this.#items.chosen(request);
      const [item] = file?.cases.values() ?? [];
      const place = item && this.#items.placeOf(item);
      if (!file || !item || place?.laneId === undefined) return;
      run.started(item);
      const { laneId, rowId } = place;
      const opened = await this.#parts.open(file.uri);
      const { session } = opened;
      try {
        await this.#parts.show(file.uri, { kind: 'lane', laneId }, { preserveFocus: false });
        await stepThrough(session, { laneId, rowId }, signal);
        run.appendOutput(`${t('The panel has what came. A run in steps is not judged.')}\r\n`);
        await this.#tellAgain(run, item, { uri: file.uri, opened });
      } catch (error) {
        run.errored(item, new vscode.TestMessage(await describeError(error)));
      } finally {
        opened.release();
      }
    } finally {
      run.end();
    }
  }

  /** Gives an item the state that its evaluation has: VS Code takes what ends without a state as skipped. */
  async #tellAgain(
    run: vscode.TestRun,
    item: vscode.TestItem,
    file: { uri: vscode.Uri; opened: OpenPlayground },
  ): Promise<void> {
    const { rowId, laneId = '' } = this.#items.placeOf(item) ?? {};
    const { evaluation } = file.opened.session;
    const { setting } = await evaluation.read();
    const ofCase = { rowId: rowId ?? setting?.rows[0]?.id ?? '', laneId };
    if (evaluation.views.isOutdated(ofCase)) return;
    const { summary } = evaluation.views.case(ofCase);
    report(run, item, await describeItem(file, summary, item));
  }

  placeOf(target: unknown): ItemPlace | undefined {
    return this.#items.placeOf(target);
  }

  /**
   * Shows what an item stands for in the panel. *Go to Test* cannot: where the rows are in the playground itself, VS Code opens the
   * panel, which it gives no place.
   */
  async showItem(item: unknown): Promise<void> {
    const place = this.#items.placeOf(item);
    if (!place) return sayGone();
    const { uri, laneId, rowId } = place;
    const isCase = laneId !== undefined && rowId !== undefined;
    const shown: ShownPlace = isCase ? { kind: 'case', rowId, laneId } : { kind: 'evaluation' };
    await this.#parts.show(uri, shown, { preserveFocus: false });
  }

  /** Opens what limits the evaluations of a file, in its text. */
  async configure(): Promise<void> {
    await this.#items.find();
    const choices = this.#items.uris.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
    const placeHolder = t('Whose limits do you want to change?');
    const chosen = choices.length > 1 ? await pickOne(choices, { placeHolder }) : choices[0];
    if (!chosen) return;
    const { findEvaluationPlaces } = await loadEngine();
    const document = await vscode.workspace.openTextDocument(chosen.uri);
    const places = findEvaluationPlaces(document.getText());
    const selection = toRange(places?.evaluate ?? places?.expect);
    await showDocument(chosen.uri, selection && { selection });
  }

  /** @param target What a menu gives: an item, or a message and the item that it is about. */
  async act(action: SampleAction, target: MessageTarget | vscode.TestItem): Promise<void> {
    const { test = target as vscode.TestItem, message } = target as MessageTarget;
    const place = this.#items.placeOf(test);
    if (place?.laneId === undefined) return sayGone();
    const { uri, laneId } = place;
    const { session, release } = await this.#parts.open(uri);
    try {
      const { setting } = await session.evaluation.read();
      const { views } = session.evaluation;
      const ofCase = { rowId: place.rowId ?? setting?.rows[0]?.id ?? '', laneId };
      // VS Code gives no message where a case has only one.
      const at = readContext(message?.contextValue) ?? (await findFailure(views, ofCase));
      if (!at) return sayGone();
      const sample = { ...ofCase, repeat: at.repeat };
      if (action === 'open') return await this.#show(uri, sample, { preserveFocus: false });
      if (action === 'compare') return await this.#parts.compare(await views.besideOther(sample, at.index));
      await vscode.env.clipboard.writeText(await views.expectationText(sample));
      void showMessage('information', t('Copied. Paste it into `expect`, and loosen what may differ.'));
    } catch (error) {
      const { RefusalError } = await loadEngine();
      // For example, there is no sample that passed.
      const severity = error instanceof RefusalError ? 'information' : 'error';
      void showMessage(severity, await describeError(error));
    } finally {
      release();
    }
  }

  /**
   * @returns undefined when a person did not confirm it; what there is when the signal stopped it
   * @throws RefusalError
   */
  async evaluate(
    target: EvaluationTarget,
    { isConfirmed, signal }: Pick<RunOptions, 'isConfirmed'> & { signal?: AbortSignal } = {},
  ): Promise<ExportedEvaluation | undefined> {
    const { session, release } = await this.#parts.open(target.uri);
    const stop = (): void => session.evaluation.stop();
    try {
      const options = { isWanted: toIsWanted(target), isConfirmed };
      if ((await startEvaluation(session, options)) === 'cancelled') return undefined;
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
      await session.evaluation.ended();
      return session.evaluation.views.exported(session.title);
    } finally {
      signal?.removeEventListener('abort', stop);
      release();
    }
  }

  /** Says what an evaluation would send and cost; sends nothing. @throws RefusalError when it could not start */
  async foretell(target: EvaluationTarget): Promise<string> {
    const { session, release } = await this.#parts.open(target.uri);
    const { RefusalError } = await loadEngine();
    const options = { isWanted: toIsWanted(target), needsConfirmation: true };
    const start = session.command(() => session.evaluation.start(options));
    const refusal = await start.catch((error: unknown) => error).finally(release);
    const isTold = refusal instanceof RefusalError && /^(unconfirmed|complete)$/.test(refusal.info.code);
    if (isTold) return refusal.info.what;
    throw refusal;
  }

  dispose(): void {
    this.#items.dispose();
    this.#results.dispose();
  }
}

/** What a run came to: the only case that failed, else all of it. */
function toOffered(failed: readonly ToldState[]): ShownPlace {
  const [only, ...others] = failed;
  if (!only || others.length > 0) return { kind: 'evaluation' };
  return { kind: 'case', rowId: only.rowId, laneId: only.laneId };
}

const toIsWanted =
  ({ lanes, rows }: EvaluationTarget) =>
  (rowId: string, laneId: string): boolean =>
    (lanes?.includes(laneId) ?? true) && (rows?.includes(rowId) ?? true);

const sayGone = (): void =>
  void showMessage('information', t('The sample is no longer there. Evaluate again.'));

/** The first sample of a case that failed, and what it failed. */
async function findFailure(
  views: Session['evaluation']['views'],
  ofCase: { rowId: string; laneId: string },
): Promise<MessagePlace | undefined> {
  const failed = views.case(ofCase).samples.find(({ verdict }) => verdict === 'failed');
  if (!failed) return undefined;
  const { repeat } = failed;
  const judged = await views.expectations({ ...ofCase, repeat });
  return { repeat, index: judged.find(({ verdict }) => verdict === 'failed')?.index ?? 0 };
}

async function stepThrough(
  session: Session,
  { laneId, rowId }: { laneId: string; rowId: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { conversations, evaluation } = session;
  const stop = (): void => conversations.stop([laneId]);
  signal.addEventListener('abort', stop);
  try {
    await session.command(async () => {
      await evaluation.chooseRow(rowId);
      if (!signal.aborted) await conversations.replay([laneId], { kind: 'agent', isStepMode: true });
    });
    await conversations.ended([laneId]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
