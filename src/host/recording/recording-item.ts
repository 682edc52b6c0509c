// The status bar item while something is recorded: what, and a click that shows it.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import { COMMANDS } from '../contributions';

/** Left of the item of runs. */
const PRIORITY = 51;

export class RecordingItem implements vscode.Disposable {
  /** What the command is called with. */
  static readonly SHOW = 'show';
  #item: vscode.StatusBarItem | undefined;

  /** @param labels Names of the connections that are recorded. */
  show(labels: readonly string[]): void {
    const [first = '', ...others] = labels;
    if (labels.length === 0) return this.#item?.hide();
    this.#item ??= this.#makeItem();
    const what =
      others.length === 0 ? t('Recording: {0}', toLabel(first)) : t('{0} recordings', labels.length);
    this.#item.text = `$(record) ${what}`;
    this.#item.tooltip = t(
      'Provider Playground records what other programs send to {0}. Click to show it.',
      labels.map((label) => toLabel(label)).join(', '),
    );
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }

  #makeItem(): vscode.StatusBarItem {
    const { Left } = vscode.StatusBarAlignment;
    const item = vscode.window.createStatusBarItem('providerPlayground.recordings', Left, PRIORITY);
    item.name = t('Provider Playground: recordings');
    item.command = { command: COMMANDS.recordProgram, title: t('Show'), arguments: [RecordingItem.SHOW] };
    return item;
  }
}
