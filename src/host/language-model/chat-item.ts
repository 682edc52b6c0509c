// The status bar entry that counts what the editor's chat and other extensions ask of the connections in this window.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { countOf } from '../../inspect';
import { COMMANDS } from '../contributions';

/** Beside the runs under way. */
const PRIORITY = 49;

export class ChatItem implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;
  #count = 0;
  #running = 0;
  #failed = 0;

  /** @returns to be called once, when the request has ended */
  begin(): (isFailed: boolean) => void {
    this.#count++;
    this.#running++;
    this.#update();
    return (isFailed) => {
      this.#running--;
      this.#failed += isFailed ? 1 : 0;
      this.#update();
    };
  }

  dispose(): void {
    this.#item?.dispose();
  }

  #update(): void {
    this.#item ??= this.#makeItem();
    const icon = this.#running > 0 ? 'sync~spin' : this.#failed > 0 ? 'warning' : 'comment-discussion';
    const count = countOf(this.#count, t('{0} chat request'), t('{0} chat requests'));
    this.#item.text = `$(${icon}) ${count}`;
    this.#item.tooltip = [
      t(
        'Provider Playground: what the chat of VS Code and other extensions asked of your connections in this window.',
      ),
      t('{0} under way, {1} failed.', this.#running, this.#failed),
      t('Click to see what was sent and what came back.'),
    ].join(' ');
    this.#item.show();
  }

  #makeItem(): vscode.StatusBarItem {
    const { Left } = vscode.StatusBarAlignment;
    const item = vscode.window.createStatusBarItem('providerPlayground.chat', Left, PRIORITY);
    item.name = t('Provider Playground: requests of VS Code chat');
    item.command = COMMANDS.showChatRuns;
    return item;
  }
}
