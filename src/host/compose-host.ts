// Puts the parts of the host together. Nothing here costs anything before it is used.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CommandServices } from './commands';
import { ApiKeys } from './connections/api-keys';
import { ConnectionService } from './connections/connection-service';
import { DemoBackEnd } from './connections/demo-back-end';
import { CONFIGURATION } from './contributions';
import type { ProviderPlaygroundApi } from './custom-providers/api';
import { CustomProviders } from './custom-providers/custom-providers';
import { loadedEngine } from './load-engine';
import { DocumentEditor } from './playground/document-editor';
import { PlaygroundPanels } from './playground/playground-panels';
import { Scratches } from './playground/scratches';
import { SessionPool } from './playground/session-pool';
import { PlaygroundTools } from './tools/playground-tools';

export interface Host {
  services: CommandServices;
  disposables: vscode.Disposable[];
  api: ProviderPlaygroundApi;
  /** Everything that happened is kept, and nothing goes on. */
  stop: () => Promise<void>;
}

export function composeHost(context: vscode.ExtensionContext): Host {
  const { secrets, workspaceState, extensionUri } = context;
  const log = vscode.window.createOutputChannel('Provider Playground', { log: true });
  const keys = new ApiKeys(secrets);
  const demo = new DemoBackEnd();
  const customProviders = new CustomProviders(workspaceState, log);
  const connections = new ConnectionService(keys, demo, customProviders);
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const scratches = new Scratches(join(storage, 'scratches'), (problem) => log.warn(problem));
  const tools = new PlaygroundTools(context.globalStorageUri);
  const changed = new vscode.EventEmitter<void>();
  const pool = new SessionPool({
    connections,
    log,
    onConnectionsChanged: (listener) => {
      const subscription = changed.event(listener);
      return () => subscription.dispose();
    },
    runFolder: join(storage, 'runs'),
    requestsLeaveFrom: requestsLeaveFrom(context),
    toolsFor: (backing) => tools.sourceFor(backing),
    onOpened: (session) => tools.follow(session),
  });
  const services = { connections, keys, log, extensionUri, pool, tools, scratches };
  const panels = new PlaygroundPanels(services);
  const editor = new DocumentEditor(services);
  const fire = (): void => changed.fire();
  const subscriptions = [
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(CONFIGURATION)) return;
      pool.refreshLimits();
      fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(fire),
    connections.onDidChange(fire),
  ];
  return {
    services: { ...services, panels, editor, customProviders },
    disposables: [log, keys, panels, editor, tools, customProviders, changed, ...subscriptions],
    api: customProviders.api,
    stop: async () => {
      // what is typed last goes into the texts when the sessions end; no step waits for another that may never end
      const closed = pool.close().then(() => scratches.flush());
      await Promise.allSettled([scratches.flush(), closed]);
      const closeConnections = loadedEngine()?.then((engine) => engine.closeConnections());
      await Promise.allSettled([demo.stop(), closeConnections]);
    },
  };
}

/** Which machine `localhost` means: the most common question when nothing answers. */
function requestsLeaveFrom({ extension }: vscode.ExtensionContext): string {
  const { remoteName, uiKind } = vscode.env;
  if (uiKind === vscode.UIKind.Web) return 'the machine that serves this window';
  const isRemote = remoteName !== undefined && extension.extensionKind === vscode.ExtensionKind.Workspace;
  return isRemote ? `the remote machine (${remoteName})` : 'this computer';
}
