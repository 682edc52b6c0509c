// The status bar item during runs: their number, and a list to show or stop them.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session';
import { COMMANDS } from '../contributions';
import { pickOne, showMessage } from '../dialogs';
import { titleOf } from './scratches/title-of';

/** Lower than the editor's own items on the left side. */
const PRIORITY = 50;

export class RunsItem implements vscode.Disposable {
  readonly #sessions = new Set<Session>();
  readonly #reveal: (sessionId: string) => void;
  #item: vscode.StatusBarItem | undefined;
  #count = 0;

  /** @param reveal Shows a playground. */
  constructor(reveal: (sessionId: string) => void) {
    this.#reveal = reveal;
  }

  /** Counts the runs of a session until it is disposed of. */
  follow(session: Session): void {
    this.#sessions.add(session);
    session.onDidChange(() => this.#update());
    session.onDidDispose(() => {
      this.#sessions.delete(session);
      this.#update();
    });
  }

  /** Lets the user stop all runs or show one of the playgrounds. */
  async choose(): Promise<void> {
    const running = [...this.#sessions].filter(({ runningCount }) => runningCount > 0);
    if (running.length === 0) {
      void showMessage('information', t('No run is under way.'));
      return;
    }
    const stop = {
      label: t('Stop all runs'),
      iconPath: new vscode.ThemeIcon('debug-stop'),
      session: undefined,
    };
    const shows = running.map((session) => ({
      label: t('Show {0}', titleOf(session.editable.document)),
      iconPath: new vscode.ThemeIcon('eye'),
      description: describeCount(session.runningCount),
      session,
    }));
    const picked = await pickOne([stop, ...shows], { title: t('Runs under way') });
    if (!picked) return;
    if (picked.session) this.#reveal(picked.session.id);
    else for (const session of running) session.stopAll();
  }

  dispose(): void {
    this.#item?.dispose();
  }

  /** Called for every chunk of a stream, so it does nothing unless the count has changed. */
  #update(): void {
    const count = [...this.#sessions].reduce((sum, { runningCount }) => sum + runningCount, 0);
    if (count === this.#count) return;
    this.#count = count;
    this.#item ??= this.#makeItem();
    this.#item.text = `$(sync~spin) ${describeCount(count)}`;
    this.#item.tooltip = t(
      'Provider Playground: {0} under way. Click to show or stop them.',
      describeCount(count),
    );
    if (count > 0) this.#item.show();
    else this.#item.hide();
  }

  #makeItem(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      'providerPlayground.runs',
      vscode.StatusBarAlignment.Left,
      PRIORITY,
    );
    item.name = t('Provider Playground: runs under way');
    item.command = COMMANDS.showRuns;
    return item;
  }
}

function describeCount(count: number): string {
  return count === 1 ? t('1 run') : t('{0} runs', count);
}
