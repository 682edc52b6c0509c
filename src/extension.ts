// The composition root. Activation registers; whatever costs anything is loaded when first used.
import * as vscode from 'vscode';
import type { CommandName, ProviderPlaygroundApi } from './host';
import {
  ApiKeys,
  COMMAND_HANDLERS,
  COMMANDS,
  ConnectionService,
  CustomProviders,
  DemoBackEnd,
  loadedEngine,
  PlaygroundPanels,
} from './host';

let demo: DemoBackEnd | undefined;

export function activate(context: vscode.ExtensionContext): ProviderPlaygroundApi {
  const { subscriptions, secrets, workspaceState, extensionUri, extension } = context;
  const log = vscode.window.createOutputChannel('Provider Playground', { log: true });
  const keys = new ApiKeys(secrets);
  demo = new DemoBackEnd();
  const customProviders = new CustomProviders(workspaceState, log);
  const connections = new ConnectionService(keys, demo, customProviders);
  const isRemote =
    vscode.env.remoteName !== undefined && extension.extensionKind === vscode.ExtensionKind.Workspace;
  const panels = new PlaygroundPanels({ connections, keys, log, extensionUri, isRemote });
  const services = { connections, keys, panels, customProviders, log };
  subscriptions.push(log, keys, panels, customProviders);
  for (const [name, id] of Object.entries(COMMANDS)) {
    const run = COMMAND_HANDLERS[name as CommandName];
    subscriptions.push(vscode.commands.registerCommand(id, () => run(services)));
  }
  return customProviders.api;
}

/** Frees the port of the demo server and the sockets of the client. */
export async function deactivate(): Promise<void> {
  await demo?.stop();
  const engine = await loadedEngine()?.catch(() => undefined);
  await engine?.closeConnections();
}
