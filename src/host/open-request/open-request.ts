// Opens a request from elsewhere as a playground: a cURL command, JSON, a trace … A key in it goes nowhere but, when the person
// agrees, into the secret storage.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../connections';
import { toLabel, toVisibleLines } from '../../inspect';
import type { FoundKey, FoundRequest, OpenedRequest } from '../../session';
import type { CommandServices } from '../commands/command-services';
import { usedLanes } from '../commands/new-playground';
import { pickOne, showMessage } from '../dialogs';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { withJournal } from '../with-journal';
import { chooseConnection } from './choose-connection';
import { sourceText } from './source-text';

/** Requests of one text that are listed; a trace may have thousands. */
const MAX_LISTED = 500;

/** @param target The URI of a file, or a text; without one, the person chooses. */
export async function openRequest(services: CommandServices, target?: unknown): Promise<void> {
  const engine = await loadEngine();
  await sayUnread(engine, async () => {
    const text = await sourceText(engine, target);
    if (text !== undefined) await openFound(engine, services, engine.findRequests(text));
  });
}

/** Tells the person why there is nothing to open, if that is so. */
export async function sayUnread({ UnreadRequest }: Engine, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UnreadRequest)) throw error;
    void showMessage('warning', `${error.message} ${error.next}`);
  }
}

/** @param preferredId Connection that is used if it speaks the protocol of the request. */
export async function openRecorded(
  services: CommandServices,
  found: FoundRequest,
  preferredId: string,
): Promise<void> {
  const engine = await loadEngine();
  await sayUnread(engine, () => openFound(engine, services, [found], preferredId));
}

/** @throws UnreadRequest */
async function openFound(
  engine: Engine,
  services: CommandServices,
  found: readonly FoundRequest[],
  preferredId?: string,
): Promise<void> {
  const [first] = found;
  if (first?.playground !== undefined) {
    services.panels.openScratch(services.scratches.create(first.playground));
    return;
  }
  const opened = await pickRequest(engine, found);
  if (!opened) return;
  const window = await services.connections.get();
  const used = (await usedLanes(services)).map(({ connection }) => connection);
  const preferred = window.connections.list().find(({ id }) => id === preferredId);
  const connection =
    preferred?.setting.provider === opened.entry.id
      ? preferred
      : await chooseConnection(window, opened, used);
  if (!connection) return;
  const text = engine.openedText(opened, connection.id);
  const backing = services.scratches.create(text);
  // What is built in has another address each time.
  const isBuiltIn = connection === preferred && preferred.builtIn !== undefined;
  const answered = isBuiltIn ? { ...opened, host: undefined } : opened;
  if (opened.reply) await keepRun(engine, services, { opened: answered, text, sessionId: backing.id });
  services.panels.openScratch(backing);
  void sayLeftOut(opened);
  if (opened.key) await offerKey(services, connection, opened.key);
}

/** Stores the reply as a run before the playground is opened, which then shows it. */
async function keepRun(
  { keepReply }: Engine,
  { pool, history }: CommandServices,
  { opened, text, sessionId }: { opened: OpenedRequest; text: string; sessionId: string },
): Promise<void> {
  const services = await pool.stepServices();
  const views = await services.connections.views();
  const parts = { ...services, knownConnections: () => views };
  await withJournal(pool, sessionId, (journal) => keepReply(journal, parts, opened, text));
  history.runsChanged();
}

/** @throws UnreadRequest when none can be opened */
async function pickRequest(
  { openRequest: read, PROVIDER_CATALOG, UnreadRequest }: Engine,
  found: readonly FoundRequest[],
): Promise<OpenedRequest | undefined> {
  const problems: unknown[] = [];
  const items = found.slice(0, MAX_LISTED).flatMap((one) => {
    try {
      const opened = read(one, PROVIDER_CATALOG);
      return [{ ...describeRequest(one, opened), opened }];
    } catch (error) {
      if (!(error instanceof UnreadRequest)) throw error;
      problems.push(error);
      return [];
    }
  });
  const [only] = items;
  if (!only) throw problems[0];
  if (items.length === 1) return only.opened;
  const picked = await pickOne(items, {
    title: t('Open Request'),
    placeHolder: t('The text has {0} requests. Which one?', items.length),
  });
  return picked?.opened;
}

function describeRequest({ title }: FoundRequest, { neutral, host }: OpenedRequest): vscode.QuickPickItem {
  const { model, messages } = neutral;
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return {
    label: toLabel(asked === '' ? (title ?? model) : asked, 80),
    description: [toLabel(model), host === undefined ? '' : toLabel(host)].filter(Boolean).join(' · '),
    ...(asked !== '' && title !== undefined && { detail: toLabel(title, 120) }),
  };
}

/** What a notification has room for. */
const MAX_SAID = 3;

/** Says what of the request is not in the playground; without anything, nothing. */
export async function sayLeftOut({ leftOut }: Pick<OpenedRequest, 'leftOut'>): Promise<void> {
  if (leftOut.length === 0) return;
  const more = leftOut.length - MAX_SAID;
  const said = leftOut.slice(0, MAX_SAID).map((phrase) => toLabel(phrase, 120));
  const list = more > 0 ? [...said, t('{0} more', more)].join('; ') : said.join('; ');
  const showAll = t('Show All');
  const answer = await showMessage(
    'information',
    t('The playground leaves out: {0}.', list),
    {},
    ...(more > 0 ? [showAll] : []),
  );
  if (answer !== showAll) return;
  const lines = leftOut.map((phrase) => `- ${toVisibleLines(phrase)}`);
  const content = [`# ${t('Not in the playground')}`, '', ...lines, ''].join('\n');
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
}

/** A key is for the origin that it was sent to, and for no other. */
async function offerKey(
  services: CommandServices,
  connection: Connection,
  { value, origin }: FoundKey,
): Promise<void> {
  const { connections, keys } = await services.connections.get();
  const target = await connections.keyTarget(connection);
  if (!target || target.origin !== origin || (await keys.get(target.id, target.binding)) !== undefined)
    return;
  const { confirmUnencrypted, storeKey } = await import('../commands/key-dialogs');
  const store = t('Store Key');
  const answer = await showMessage(
    'information',
    t(
      'The request has a key for {0}. It is kept nowhere, unless you store it in the secret storage of VS Code for {1}.',
      toLabel(target.recipient),
      toLabel(connection.label),
    ),
    {},
    store,
  );
  if (answer !== store || !(await confirmUnencrypted(origin)) || !(await storeKey(keys, target, value)))
    return;
  vscode.window.setStatusBarMessage(t('The key of {0} is stored.', toLabel(connection.label)), 10_000);
}
