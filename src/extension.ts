// The composition root. Activation registers; whatever costs anything is loaded when first used.
import * as vscode from 'vscode';
import type { CommandName, ProviderPlaygroundApi } from './host';
import { COMMAND_HANDLERS, COMMANDS, composeHost, translateEngine } from './host';

let stop: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): ProviderPlaygroundApi {
  translateEngine(vscode.l10n.bundle);
  const host = composeHost(context);
  stop = host.stop;
  context.subscriptions.push(...host.disposables);
  for (const [name, id] of Object.entries(COMMANDS)) {
    const run = COMMAND_HANDLERS[name as CommandName];
    context.subscriptions.push(vscode.commands.registerCommand(id, (target) => run(host.services, target)));
  }
  return host.api;
}

/** Keeps what happened, frees the port of the demo server and the sockets of the client. */
export async function deactivate(): Promise<void> {
  await stop?.();
}
