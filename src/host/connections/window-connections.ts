// The connections of a window, opened in the engine when they are first needed, and what they need from VS Code.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ConnectionPorts, Connections, CustomCode, ScopedSetting } from '../../connections';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';
import type { Log } from '../log';
import { readHttpSettings } from './http-settings';

type Context = Pick<
  vscode.ExtensionContext,
  'extension' | 'secrets' | 'globalState' | 'globalStorageUri' | 'workspaceState'
>;

/** Services that get the connections with their code. */
export type Unopened<Services> = Omit<Services, keyof Connections> & { connections: Lazy<Connections> };

interface WindowParts {
  context: Context;
  registered: Omit<CustomCode, 'open'>;
  log: Log;
  /** Called when the view of a connection may have changed, except through the settings. */
  onChange: () => void;
}

export const openWindowConnections = ({ onChange, ...parts }: WindowParts): Lazy<Connections> =>
  new Lazy(async () => {
    const { openConnections, editorFace, EditorModelsSource } = await loadEngine();
    const { extension, globalState } = parts.context;
    const models = async () =>
      (await import('../editor-models/window-models')).openWindowModels(extension.id);
    const sources = [new EditorModelsSource({ models, memory: globalState })];
    const opened = openConnections({ ...toPorts(parts), face: editorFace(), sources });
    opened.connections.onDidChange(onChange);
    return opened;
  });

function toPorts({ context, registered, log }: Omit<WindowParts, 'onChange'>): Omit<ConnectionPorts, 'face'> {
  const { secrets, globalState, globalStorageUri, workspaceState } = context;
  return {
    settings: { read: (name) => readSetting(SETTINGS[name]) },
    secrets,
    marks: { folder: join(globalStorageUri.fsPath, 'secret-marks'), state: globalState },
    memory: globalState,
    network: { http: readHttpSettings, environment: process.env },
    custom: {
      ...registered,
      open: async (tools) => {
        const { openCustomConnections } = await import('../custom-providers/custom-providers-chunk');
        return openCustomConnections({ ...tools, state: workspaceState });
      },
    },
    log,
  };
}

/** VS Code merges the objects of all scopes and leaves out those of an untrusted workspace. */
export function readSetting(name: string): ScopedSetting {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION);
  const found = configuration.inspect(name);
  return {
    merged: configuration.get(name),
    user: found?.globalValue,
    ...(vscode.workspace.isTrusted && {
      workspace: found?.workspaceValue,
      folder: found?.workspaceFolderValue,
    }),
  };
}
