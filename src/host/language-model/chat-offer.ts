// Whether the models of a connection are offered to the editor's chat, and why not although its switch is on. Independent of vscode.
import { t } from '@vscode/l10n';
import type { Connection, ConnectionSetting } from '../../connections';
import type { HostPlaces, HostSplit } from '../chat-host';
import { findSplit } from '../chat-host';

/** What the window says about it. */
export interface ChatWindow {
  /** The person has trusted its workspace. */
  isTrusted: boolean;
  /** Why no model is offered in it; undefined when they may be. */
  split?: string | undefined;
}

/** `blocked`: the switch is on, and nothing is offered. */
export type ChatOffer = { kind: 'off' } | { kind: 'on' } | { kind: 'blocked'; short: string; reason: string };

type Offering = Pick<Connection, 'scope' | 'setting' | 'problem'>;

/** A workspace must not offer a person's connections to other extensions, nor its own. */
export const hasChatSwitch = ({ scope, problem }: Offering): boolean =>
  scope === 'user' && problem === undefined;

export const isOffered = (connection: Offering): boolean =>
  hasChatSwitch(connection) && connection.setting.offerToChat === true;

/** Whether who asks may add to requests what is no sampling parameter. A workspace cannot allow it either. */
export const takesRawOptions = (connection: Offering): boolean =>
  hasChatSwitch(connection) && connection.setting.chatRawOptions === true;

/** For the user settings. What a workspace has written about the chat counts for nothing there, and would count in a copy. */
export function settingOfCopy({ scope, setting }: Offering): ConnectionSetting {
  const { offerToChat: _offer, chatRawOptions: _options, ...shared } = setting;
  return scope === 'user' ? setting : shared;
}

/** @param isKeyMissing The connection needs a key and has none. */
export function chatOffer(
  connection: Offering,
  { isTrusted, split }: ChatWindow,
  isKeyMissing: boolean,
): ChatOffer {
  if (connection.setting.offerToChat !== true) return { kind: 'off' };
  if (connection.scope !== 'user') {
    const short = t('set by the workspace');
    return blocked(
      short,
      t('Only connections of your user settings are offered, and a workspace sets this one.'),
    );
  }
  if (connection.problem !== undefined) return blocked(t('wrong setting'), connection.problem);
  if (!isTrusted)
    return blocked(
      t('workspace not trusted'),
      t('Nothing is offered in a window whose workspace you have not trusted.'),
    );
  if (split !== undefined) return blocked(t('not in this window'), split);
  if (isKeyMissing)
    return blocked(t('needs a key'), t('Its key is missing, and the chat cannot ask for it. Set it here.'));
  return { kind: 'on' };
}

const blocked = (short: string, reason: string): ChatOffer => ({ kind: 'blocked', short, reason });

/** @returns why no models are offered in this window; undefined when they may be */
export function splitReason(places: HostPlaces): string | undefined {
  const split = findSplit(places);
  return split && SPLITS[split]();
}

const SPLITS: Readonly<Record<HostSplit, () => string>> = {
  remote: () =>
    t(
      'This window works on another machine, and the chat of VS Code runs in another extension host. It would silently answer with a model of its own instead of yours, so none is offered.',
    ),
  affinity: () =>
    t(
      'The setting extensions.experimental.affinity puts the chat of VS Code into another extension host. It would silently answer with a model of its own instead of yours, so none is offered.',
    ),
};
