// The composition root of the extension. Activation only registers; everything that takes time to load is loaded at first
// use.
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

/** Ends the sessions and saves what is not on disk yet, then stops the demo server and closes the HTTP connections. */
export async function deactivate(): Promise<void> {
  await stop?.();
}
