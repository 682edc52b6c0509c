// Asking for a key and forgetting it: for the commands and for the panel.
import * as vscode from 'vscode';
import type { ApiKeys } from '../connections/api-keys';
import { KeyStoreError } from '../connections/api-keys';
import type { Connection, KeyTarget } from '../connections/connection';
import { isLoopback } from '../connections/connection';
import type { ConnectionService } from '../connections/connection-service';
import { ConnectionProblem } from '../connections/connection-problem';

export interface KeyServices {
  connections: ConnectionService;
  keys: ApiKeys;
}

/** @throws ConnectionProblem when the connection has no use for a key. */
export async function askForKey({ connections, keys }: KeyServices, connection: Connection): Promise<void> {
  const target = await connections.keyTarget(connection);
  if (!target) {
    throw new ConnectionProblem('setting', `${connection.label} needs no API key, or has no usable address.`);
  }
  const { origin, recipient } = target;
  if (origin !== undefined && !(await mayTravel(origin))) return;
  // the recipient and scope first: they say who gets the key, the label is only a name that somebody chose
  const key = await vscode.window.showInputBox({
    title: titleOf(connection, recipient),
    prompt: promptOf(connection, recipient),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^[\x21-\x7e]*$/.test(value.trim())
        ? undefined
        : vscode.l10n.t('A key is made of printable ASCII characters, without blanks.'),
  });
  if (!key?.trim()) return;
  try {
    await keys.set(target.id, target.binding, key.trim());
  } catch (error) {
    if (!(error instanceof KeyStoreError)) throw error;
    await offerSessionKey(keys, target, key.trim());
  }
}

function titleOf({ scope, provided }: Connection, recipient: string): string {
  return provided
    ? vscode.l10n.t('API key for {0} ({1})', recipient, scope)
    : vscode.l10n.t('API key for {0} ({1} setting)', recipient, scope);
}

/** The code of a class decides where it sends what it is given: nothing more can be promised. */
function promptOf({ label, scope, provided }: Connection, recipient: string): string {
  if (!provided)
    return vscode.l10n.t(
      '{0}. Kept in the secret storage of VS Code and sent to {1} only.',
      label,
      recipient,
    );
  return scope === 'module'
    ? vscode.l10n.t(
        '{0}. Kept in the secret storage of VS Code and given to this module, as long as it does not change; no other connection gets it.',
        label,
      )
    : vscode.l10n.t(
        '{0}. Kept in the secret storage of VS Code and given to the code that registered itself under this name.',
        label,
      );
}

export async function forgetKey({ connections, keys }: KeyServices, connection: Connection): Promise<void> {
  await keys.forget((await connections.keyTarget(connection))?.id ?? connection.id);
  tellForgotten(connection.label);
}

/** What was forgotten leaves nothing to be seen. */
export function tellForgotten(label: string): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('The API key of {0} is forgotten.', label));
}

/** Unencrypted beyond this machine only after a yes. */
async function mayTravel(origin: string): Promise<boolean> {
  if (!origin.startsWith('http:') || isLoopback(origin)) return true;
  const proceed = vscode.l10n.t('Continue');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('The key would travel to {0} unencrypted.', origin),
    { modal: true, detail: vscode.l10n.t('Use https:// if the server has it.') },
    proceed,
  );
  return answer === proceed;
}

async function offerSessionKey(keys: ApiKeys, { id, binding }: KeyTarget, key: string): Promise<void> {
  const keep = vscode.l10n.t('Keep Until Reload');
  const answer = await vscode.window.showErrorMessage(
    vscode.l10n.t(
      'The secret storage of this machine does not keep the key. A keyring may be missing or locked.',
    ),
    keep,
  );
  if (answer === keep) keys.setForSession(id, binding, key);
}
