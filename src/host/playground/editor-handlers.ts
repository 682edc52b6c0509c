// Handles the page's requests that concern the editor: connections, keys, settings, files, tools. The page names
// connections by id, never by address, and learns no secret.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ModelList, RequestHandlers, RequestMethod } from '../../protocol';
import type { Session, SessionMethod } from '../../session';
import { COMMANDS, CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';
import type { ViewOptions } from './playground-view';

export type EditorMethod = Exclude<RequestMethod, SessionMethod>;

/** A list of models that takes longer counts as unavailable. */
const MODELS_TIMEOUT_MS = 15_000;
/** Maximum number of names sent to the page, because a server may list any number. */
const MAX_MODELS = 2_000;
const MAX_NAME = 200;

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
    'document/undo': async () => done(undo(await session())),
    'tool/edit': async ({ index }) => done(tools.edit(await session(), index)),
    'tool/import': async () => done(tools.import(await session())),
    ...wire.handlers(session),
    'connection/models': ({ connectionId }, signal) =>
      readModels(services, connectionId, { signal, timeoutMs: modelsTimeoutMs }),
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

/** Writes batched edits first, because they are the most recent change; an edit that is refused leaves nothing to undo. */
async function undo(session: Session): Promise<void> {
  await session.command(() => session.editable.flush().catch(() => undefined));
  await vscode.commands.executeCommand('undo');
}

async function readModels(
  { connections }: Pick<ViewOptions['services'], 'connections'>,
  connectionId: string,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<ModelList> {
  const connection = connections.find(connectionId);
  const { isKnownEmbedder, RefusalError } = await loadEngine();
  const { provider } = await connections.makeProvider({ connection, model: '-', rescueToolCalls: true });
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  // Raced, because third-party code may ignore the signal.
  const listed = await Promise.race([provider.listModels({ signal: ended }), rejectAt(ended)]).catch(
    (error: unknown) => {
      if (!limit.aborted || signal.aborted) throw error;
      throw new RefusalError({
        code: 'timeout',
        title: t('{0} took too long', connection.label),
        what: t('The list of models was not received within {0} s.', timeoutMs / 1000),
        why: t('The server is not reachable, is busy, or has no list of models.'),
        next: t('Type the name of a model, or try again.'),
      });
    },
  );
  // Third-party code may list anything.
  const fitting = listed.filter((name) => typeof name === 'string' && name.length <= MAX_NAME);
  const names = fitting.slice(0, MAX_MODELS);
  const omitted = fitting.length - names.length;
  const models = (await connections.redactor())?.value(names) ?? names;
  const embedModel = connection.setting.embedModel ?? models.find(isKnownEmbedder);
  const chatModels = models.filter((model) => !isKnownEmbedder(model));
  const isPart = chatModels.length > 0 && chatModels.length < models.length;
  return {
    models,
    ...(isPart && { chatModels }),
    ...(embedModel !== undefined && { embedModel }),
    ...(omitted > 0 && { omitted }),
  };
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

async function done(work: unknown): Promise<null> {
  await work;
  return null;
}
