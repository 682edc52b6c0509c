// Which extensions may use the connections through the editor. VS Code asks nobody about models that are not its own, so the
// person is asked here, once for each extension.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { pickMany, showMessage } from '../dialogs';

const ALLOWED = 'chatCallers';
/** The chat of the editor itself: there the person has chosen the model. */
const CHAT = /^(core|github\.copilot(-chat)?)$/i;
/** Stored in place of an id where the editor does not say who asks. */
const UNNAMED = '?';

export const isEditorChat = (caller: string | undefined): boolean => CHAT.test(caller ?? '');

export class ChatCallers {
  readonly #state: vscode.Memento;
  readonly #ownId: string;
  /** Asked in this window, and not allowed. */
  readonly #refused = new Set<string>();
  readonly #asking = new Map<string, Promise<boolean>>();

  /** @param ownId Id of this extension, which asks only for a person who has just asked it to. */
  constructor(state: vscode.Memento, ownId: string) {
    this.#state = state;
    this.#ownId = ownId;
  }

  get allowed(): string[] {
    const stored = this.#state.get<unknown>(ALLOWED);
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  }

  /** Asks the person if that is not known. @param id Of the extension; undefined when the editor does not say */
  async isAllowed(id: string | undefined): Promise<boolean> {
    const caller = id ?? UNNAMED;
    if (isEditorChat(caller) || caller === this.#ownId || this.allowed.includes(caller)) return true;
    if (this.#refused.has(caller)) return false;
    const asking = this.#asking.get(caller) ?? this.#ask(caller);
    this.#asking.set(caller, asking);
    return asking.finally(() => this.#asking.delete(caller));
  }

  /** Lets the person take back what was allowed. */
  async choose(): Promise<void> {
    const items = this.allowed.map((id) => ({ label: nameOf(id), id, picked: true }));
    if (items.length === 0) {
      void showMessage(
        'information',
        t('No extension has been allowed to use your connections through the chat of VS Code.'),
      );
      return;
    }
    const kept = await pickMany(items, {
      title: t('Extensions That May Use Your Connections'),
      placeHolder: t('Those that are no longer ticked are asked about again'),
    });
    this.#refused.clear();
    if (kept)
      await this.#state.update(
        ALLOWED,
        kept.map(({ id }) => id),
      );
  }

  async #ask(caller: string): Promise<boolean> {
    const allow = t('Allow');
    const answer = await showMessage(
      'warning',
      t('{0} wants to use a model of your connections.', nameOf(caller)),
      {
        modal: true,
        detail: t(
          'Its requests are sent with your key, which it never sees, and may cost money. Each is stored in the history, under VS Code chat.',
        ),
      },
      allow,
    );
    if (answer !== allow) {
      this.#refused.add(caller);
      return false;
    }
    await this.#state.update(ALLOWED, [...this.allowed, caller]);
    return true;
  }
}

/** Name of an extension for a person. @param caller Its id; undefined when the editor does not say */
export function nameOf(caller: string = UNNAMED): string {
  if (caller === UNNAMED) return t('An extension that VS Code does not name');
  const { displayName } = (vscode.extensions.getExtension(caller)?.packageJSON ?? {}) as {
    displayName?: unknown;
  };
  return typeof displayName === 'string' && displayName !== '' ? `${displayName} (${caller})` : caller;
}
