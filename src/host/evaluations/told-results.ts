// Follows the files whose results the Test Explorer shows: what they expect now is judged again, what they would no longer send makes
// a result outdated, and what was evaluated elsewhere is told. Sends nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToldState } from './case-teller';
import { describeItem, report, wordsOf } from './case-teller';
import type { ToldCase } from './describe-case';
import { caseKey } from './evaluation-items';
import type { OpenFile, OpenPlayground } from './open-playground';

/** How long a text has to rest before it is judged again. */
const REST_MS = 300;

/** Why results may be other ones: what is expected has changed, or more samples came. */
type Reason = 'expectations' | 'samples';

/** A result that is another one by now. */
interface Change {
  state: ToldState;
  told: ToldCase;
}

export class ToldResults implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #open: OpenFile;
  /** By URI of the file, then by `caseKey`. */
  readonly #known = new Map<string, Map<string, ToldState>>();
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #subscription: vscode.Disposable;

  constructor(controller: vscode.TestController, open: OpenFile) {
    this.#controller = controller;
    this.#open = open;
    this.#subscription = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.changed(document.uri);
    });
  }

  add(uri: vscode.Uri, state: ToldState): void {
    const ofFile = this.#known.get(uri.toString()) ?? new Map<string, ToldState>();
    this.#known.set(uri.toString(), ofFile.set(caseKey(state.rowId, state.laneId), state));
  }

  /** To be called when the file may have changed. */
  changed(uri: vscode.Uri): void {
    this.#judgeSoon(uri, 'expectations');
  }

  /** To be called when an evaluation of the file has ended that did not tell its results. */
  evaluated(uri: vscode.Uri): void {
    this.#judgeSoon(uri, 'samples');
  }

  #judgeSoon(uri: vscode.Uri, reason: Reason): void {
    const id = uri.toString();
    if (!this.#known.has(id)) return;
    clearTimeout(this.#waiting.get(id));
    this.#waiting.set(
      id,
      setTimeout(() => void this.#judge(uri, reason).catch(() => undefined), REST_MS),
    );
  }

  async #judge(uri: vscode.Uri, reason: Reason): Promise<void> {
    const opened = await this.#open(uri);
    try {
      const { evaluation } = opened.session;
      const { setting } = await evaluation.read();
      // While it cannot be evaluated, the results stay; while it is, they are told as they come.
      if (!setting || evaluation.isRunning) return;
      const known = this.#known.get(uri.toString()) ?? new Map<string, ToldState>();
      const gone = [...known].filter(
        ([, state]) =>
          !setting.row(state.rowId) || !setting.lane(state.laneId) || evaluation.views.isOutdated(state),
      );
      for (const [key, { item }] of gone) {
        known.delete(key);
        item.description = '';
      }
      if (gone.length > 0) this.#controller.invalidateTestResults(gone.map(([, { item }]) => item));
      this.#tell(uri, await findChanges({ uri, opened }, [...known.values()]), reason);
    } finally {
      opened.release();
    }
  }

  #tell(uri: vscode.Uri, changes: readonly Change[], reason: Reason): void {
    if (changes.length === 0) return;
    const request = new vscode.TestRunRequest(changes.map(({ state }) => state.item));
    const name = reason === 'samples' ? t('Evaluated elsewhere') : t('Judged again');
    const run = this.#controller.createTestRun(request, name, false);
    for (const { state, told } of changes) {
      report(run, state.item, told);
      this.add(uri, { ...state, state: told.state, words: wordsOf(told) });
    }
    const why =
      reason === 'samples'
        ? t(
            'The playground was evaluated outside of the Test Explorer, which sent nothing for these results.',
          )
        : t('The stored samples were judged again, because what is expected has changed. Nothing was sent.');
    run.appendOutput(`${why}\r\n`);
    run.end();
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }
}

async function findChanges(
  file: { uri: vscode.Uri; opened: OpenPlayground },
  states: readonly ToldState[],
): Promise<Change[]> {
  const { views } = file.opened.session.evaluation;
  const changes: Change[] = [];
  for (const state of states) {
    const told = await describeItem(file, views.case(state).summary, state.item);
    if (wordsOf(told) !== state.words) changes.push({ state, told });
  }
  return changes;
}
