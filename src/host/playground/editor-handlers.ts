// Handles the page's requests that concern the editor: connections, keys, settings, files, tools. The page names
// connections by id, never by address, and learns no secret.
import * as vscode from 'vscode';
import type { RequestHandlers, RequestMethod } from '../../protocol';
import type { Session, SessionMethod } from '../../session';
import { COMMANDS, CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';
import type { ViewOptions } from './view-options';

export type EditorMethod = Exclude<RequestMethod, SessionMethod>;

/** A list of models that takes longer counts as unavailable. */
const MODELS_TIMEOUT_MS = 15_000;

export function createEditorHandlers({
  services,
  session,
  openText,
  saveAs,
  modelsTimeoutMs = MODELS_TIMEOUT_MS,
}: Pick<ViewOptions, 'services' | 'openText' | 'saveAs'> & {
  session: () => Promise<Session>;
  modelsTimeoutMs?: number | undefined;
}): Pick<RequestHandlers, EditorMethod> {
  const { connections, log, tools, wire } = services;
  return {
    ping: () => done(null),
    'document/open-text': ({ line }) => done(openText(line)),
    'document/save-as': () => done(saveAs()),
    'document/undo': async () => done(undo(await session(), 'undo')),
    'document/redo': async () => done(undo(await session(), 'redo')),
    'tool/edit': async ({ index }) => done(tools.edit(await session(), index)),
    'tool/import': async () => done(tools.import(await session())),
    ...wire.handlers(session),
    'connection/models': async ({ connectionId }, signal) =>
      (await loadEngine()).listModels(connections, connectionId, { signal, timeoutMs: modelsTimeoutMs }),
    'connection/set-key': async ({ connectionId }) => {
      const connection = connections.find(connectionId);
      await (await keyDialogs()).askForKey(services, connection);
      return { hasKey: await connections.hasKey(connection) };
    },
    'connection/forget-key': async ({ connectionId }) => {
      const connection = connections.find(connectionId);
      await (await keyDialogs()).forgetKey(services, connection);
      return { hasKey: await connections.hasKey(connection) };
    },
    'connection/diagnose': ({ connectionId, model }) => {
      // its document opens at once and fills for a while, which the page does not wait for
      void vscode.commands.executeCommand(COMMANDS.diagnoseConnection, {
        kind: 'model',
        connectionId,
        model: { id: model },
      });
      return done(null);
    },
    'settings/open': () =>
      done(
        vscode.commands.executeCommand(
          'workbench.action.openSettings',
          `${CONFIGURATION}.${SETTINGS.connections}`,
        ),
      ),
    'log/show': () => done(log.show(true)),
  };
}

const keyDialogs = () => import('../commands/key-dialogs');

async function undo(session: Session, direction: 'undo' | 'redo'): Promise<void> {
  const { undoOrRedo } = await loadEngine();
  const isTaken = await session.command(() => undoOrRedo(session, direction));
  if (!isTaken) await vscode.commands.executeCommand(direction);
}

async function done(work: unknown): Promise<null> {
  await work;
  return null;
}
