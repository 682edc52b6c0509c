// Handles the page's requests that concern the editor: connections, keys, settings, files, tools. The page names
// connections by id, never by address, and learns no secret.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection, Connections } from '../../connections';
import type { RequestHandlers, RequestMethod, RequestParams } from '../../protocol';
import type { Session, SessionMethod } from '../../session';
import type * as keyDialogs from '../commands/key-dialogs';
import { toLabel } from '../../inspect';
import { COMMANDS, CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';
import { uriOfSession } from './files/file-backing';
import { chooseRowsFile, openRowsFile } from './files/rows-file';
import type { ViewOptions } from './view-options';

type KeyDialogs = typeof keyDialogs;

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
  const { log, tools, wire } = services;
  /** Runs a dialog about the key of a connection. */
  const withDialog = async (
    connectionId: string,
    run: (dialogs: KeyDialogs, given: Connections, connection: Connection) => Promise<unknown>,
  ): Promise<{ hasKey: boolean }> => {
    const opened = await services.connections.get();
    const connection = opened.connections.find(connectionId);
    await run(await import('../commands/key-dialogs'), opened, connection);
    return { hasKey: await opened.connections.hasKey(connection) };
  };
  return {
    ping: () => done(null),
    'document/open-text': (at) => done(openAt(at, { session, openText })),
    'evaluation/choose-rows': async () => ({ path: await chooseRowsFile((await session()).id) }),
    'evaluation/terminal': async ({ action }) => done(evaluateOutside(await session(), action)),
    'document/save-as': () => done(saveAs()),
    'document/undo': async () => done(undo(await session(), 'undo')),
    'document/redo': async () => done(undo(await session(), 'redo')),
    'tool/edit': async ({ index }) => done(tools.edit(await session(), index)),
    'tool/import': async () => done(tools.import(await session())),
    'run/open-lab': async (place) => done(openLab(services, await session(), place)),
    ...wire.handlers(session),
    'connection/models': async ({ connectionId }, signal) => {
      const { listModels } = await loadEngine();
      const { connections } = await services.connections.get();
      return listModels(connections, connectionId, { signal, timeoutMs: modelsTimeoutMs });
    },
    'connection/set-key': ({ connectionId }) =>
      withDialog(connectionId, ({ setKey }, opened, connection) => setKey(opened, connection)),
    'connection/forget-key': ({ connectionId }) =>
      withDialog(connectionId, ({ forgetKey }, opened, connection) => forgetKey(opened, connection)),
    'connection/diagnose': ({ connectionId, model }) => {
      // its document opens at once and fills for a while, which the page does not wait for
      void vscode.commands.executeCommand(COMMANDS.diagnoseConnection, {
        kind: 'model',
        connectionId,
        model: { id: model },
      });
      return done(null);
    },
    'example/open': ({ id }) => done(vscode.commands.executeCommand(COMMANDS.openExample, id)),
    'request/open': ({ text }) => openPasted(text),
    'settings/open': () => done(openSettings()),
    'log/show': () => done(log.show(true)),
  };
}

/** The dialogs of the command are not waited for. */
function openPasted(text: string): Promise<null> {
  void vscode.commands.executeCommand(COMMANDS.openRequest, text);
  return done(null);
}

const openSettings = (): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.openSettings', `${CONFIGURATION}.${SETTINGS.connections}`);

/** Its dialogs are not waited for. A scratch has no file, and is the active playground. */
function evaluateOutside({ id }: Session, action: 'copy' | 'run'): void {
  const command = action === 'copy' ? COMMANDS.copyTerminalCommand : COMMANDS.evaluateInTerminal;
  void vscode.commands.executeCommand(command, uriOfSession(id));
}

/** The keys of a document whose text is opened from the view *Evaluate*. */
const EVALUATION_KEYS: ReadonlySet<unknown> = new Set(['evaluate', 'expect']);

/** Opens the text of the playground, or its rows file, at a line. */
async function openAt(
  { line, path, isInRows }: RequestParams<'document/open-text'>,
  { session, openText }: Pick<ViewOptions, 'openText'> & { session: () => Promise<Session> },
): Promise<void> {
  if (isInRows !== true) {
    const isEvaluation = EVALUATION_KEYS.has(path?.[0]);
    const at = line ?? (path && (await session()).lineOf(path));
    return openText(at, isEvaluation ? { kind: 'evaluation' } : undefined);
  }
  const { id, editable } = await session();
  const { rows } = editable.document.evaluate;
  if (typeof rows === 'string') await openRowsFile(id, rows, line);
}

/** Opens the text of a reply in the format lab. */
async function openLab(
  { lab }: Pick<ViewOptions['services'], 'lab'>,
  { past }: Session,
  place: { laneId: string; runId: string },
): Promise<void> {
  const { labOfText } = await loadEngine();
  const { record, setup } = await past.whole(place);
  const tools = setup?.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const document = { ...labOfText(record.turn?.raw.content ?? ''), ...(tools && { tools }) };
  await lab.openText({ document, from: t('a reply of {0}', toLabel(record.model)) });
}

async function undo(session: Session, direction: 'undo' | 'redo'): Promise<void> {
  const { undoOrRedo } = await loadEngine();
  const isTaken = await session.command(() => undoOrRedo(session, direction));
  if (!isTaken) await vscode.commands.executeCommand(direction);
}

async function done(work: unknown): Promise<null> {
  await work;
  return null;
}
