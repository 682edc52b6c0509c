// The actions on connections, one function for each command. Errors are shown together with the next step.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { offerToChat, withdrawFromChat } from './chat-switch';
import { connectionOf } from './connection-of';
import type { Connection, FoundServer } from '../../connections';
import { showMessage } from '../dialogs';
import { toLabel } from '../../inspect';
import { loadEngine } from '../load-engine';
import type { ServerInfo } from '../../types';
import { addConnection } from './wizard/add-connection';
import type { ConnectionMonitor } from './connection-monitor';
import { forgetAllKeys, forgetApiKey } from './forget-keys';
import { toLibraryCode } from './library-code';
import { addAsLane, openInPlayground } from './open-in-playground';
import { freeId, removeConnection, revealInSettings, writeConnection } from './own-settings';
import { pickKeyed } from './pick-keyed';
import { pickTarget } from './pick-target';
import { setSecretHeader } from './wizard/secret-headers';
import { settingOfCopy } from '../language-model/chat-offer';
import { describeScope } from './state-words';
import { showError, testWithProgress } from './test-connection';
import type { ViewDependencies } from './view-dependencies';

type Services = ViewDependencies & {
  monitor: ConnectionMonitor;
  /** Runs a dialog during which the tree is not drawn again. */
  inDialog: <T>(work: () => Promise<T>) => Promise<T>;
};
type Action = (target: unknown) => Promise<void>;

const isOwn = ({ scope }: Connection): boolean => /^(user|workspace|folder)$/.test(scope);
const isUsable = ({ problem }: Connection): boolean => problem === undefined;
const isCopyable = ({ provided, builtIn, problem }: Connection): boolean =>
  !provided && !builtIn && problem === undefined;

const ACTIONS = {
  add,
  refresh,
  open: (services, given) => toPlayground(services, given, openInPlayground),
  addLane: (services, given) => toPlayground(services, given, addAsLane),
  test,
  diagnose,
  edit,
  duplicate,
  remove,
  copyCode,
  useLocalServer,
  setKey,
  forgetKey: forgetApiKey,
  forgetAllKeys,
  setSecretHeader,
  offerToChat,
  withdrawFromChat,
} satisfies Record<string, (services: Services, target: unknown) => Promise<void>>;

export type ConnectionActions = Record<keyof typeof ACTIONS, Action>;

export function createActions(services: Services): ConnectionActions {
  const withErrorMessage =
    (action: (services: Services, target: unknown) => Promise<void>): Action =>
    async (target) => {
      try {
        await action(services, target);
      } catch (error) {
        await showError(await services.explain(error));
      }
    };
  return Object.fromEntries(
    Object.entries(ACTIONS).map(([name, action]) => [name, withErrorMessage(action)]),
  ) as ConnectionActions;
}

async function refresh({ connections, monitor }: Services): Promise<void> {
  await connections.refresh();
  monitor.refresh();
}

async function add(services: Services): Promise<void> {
  const connection = await services.inDialog(() => addConnection(services));
  if (!connection) return;
  const outcome = await testWithProgress(services, connection, undefined);
  const added = t('{0} was added to your user settings.', toLabel(connection.label));
  if (outcome && 'error' in outcome) return showError(outcome.error, connection, added);
  await offerPlayground(services, connection, [added, outcome?.said ?? ''].join(' ').trim());
}

async function offerPlayground(services: Services, { id }: Connection, text: string): Promise<void> {
  const open = t('Open in Playground');
  const chosen = await showMessage('information', text, {}, open);
  if (chosen === open) await openInPlayground(services, { connection: id, model: undefined });
}

async function toPlayground(services: Services, given: unknown, put: typeof openInPlayground): Promise<void> {
  const title = t('Connection for the playground');
  const target = await pickTarget(services.connections, given, { title, isFit: isUsable });
  if (!target) return;
  const { connection } = target;
  const model = target.model ?? (await modelOf(services, connection));
  await put(services, { connection: connection.id, model });
}

/** The model to use if the connection has none of its own: one that the server lists. */
async function modelOf({ monitor }: Services, connection: Connection): Promise<string | undefined> {
  if (connection.setting.model !== undefined || connection.provided) return undefined;
  const known = monitor.stateOf(connection);
  const state = known.kind === 'reachable' ? known : await monitor.check(connection);
  const { pickModel } = await loadEngine();
  return state.kind === 'reachable' ? pickModel(state.server.models) : undefined;
}

async function test(services: Services, given: unknown): Promise<void> {
  const title = t('Connection to test, with one short message');
  const target = await pickTarget(services.connections, given, { title, isFit: isUsable });
  if (!target) return;
  const { connection } = target;
  const model = target.model ?? (await modelOf(services, connection));
  const [outcome] = await Promise.all([
    testWithProgress(services, connection, model),
    services.monitor.check(connection),
  ]);
  if (!outcome) return;
  if ('error' in outcome) return showError(outcome.error, connection);
  await offerPlayground(services, connection, `${toLabel(connection.label)}: ${outcome.said}`);
}

async function setKey({ connections, keys }: Services, given: unknown): Promise<void> {
  const title = t('Set the API key of');
  const connection = connectionOf({ connections }, given) ?? (await pickKeyed(connections, title));
  if (!connection) return;
  const dialogs = await import('../commands/key-dialogs');
  await dialogs.setKey({ connections, keys }, connection);
}

/** Works on any connection, whatever is wrong with it. */
async function diagnose({ connections, diagnose: run }: Services, given: unknown): Promise<void> {
  const title = t('Connection to diagnose');
  const target = await pickTarget(connections, given, { title });
  if (target) await run(target);
}

async function edit({ connections }: Services, given: unknown): Promise<void> {
  const { kind, id: misplaced, scope } = (given ?? {}) as Record<string, unknown>;
  if (kind === 'misplaced' && typeof misplaced === 'string') {
    return revealInSettings(misplaced, scope === 'user' ? 'user' : 'workspace');
  }
  const title = t('Connection to edit in the settings');
  const target = await pickTarget(connections, given, { title, isFit: isOwn });
  if (target) await revealInSettings(target.connection.id, target.connection.scope);
}

async function duplicate({ connections, keys }: Services, given: unknown): Promise<void> {
  const title = t('Connection to duplicate');
  const target = await pickTarget(connections, given, {
    title,
    isFit: (connection) => isOwn(connection) && isCopyable(connection),
  });
  if (!target) return;
  const { label } = target.connection;
  const taken = [...connections.list().map(({ id }) => id), ...(await keys.storedFor())];
  const id = freeId(target.connection.id, taken);
  await writeConnection(id, { ...settingOfCopy(target.connection), label: t('{0} copy', label) });
  await revealInSettings(id, 'user');
}

async function remove({ connections, keys }: Services, given: unknown): Promise<void> {
  const title = t('Connection to delete');
  const target = await pickTarget(connections, given, { title, isFit: isOwn });
  if (!target) return;
  const { connection } = target;
  const confirm = t('Delete');
  const answer = await showMessage(
    'warning',
    t('Delete the connection {0}?', toLabel(connection.label)),
    {
      modal: true,
      detail: t(
        'It is removed from the {0}, and its API key is forgotten. Playgrounds that use it are not changed.',
        describeScope(connection),
      ),
    },
    confirm,
  );
  if (answer !== confirm) return;
  await removeConnection(connection);
  // A connection of the same id in another scope still uses the key.
  const isGone = connections.list().every(({ id }) => id !== connection.id);
  if (isGone && (await keys.storedFor()).includes(connection.id)) await keys.forget(connection.id);
}

async function copyCode({ connections }: Services, given: unknown): Promise<void> {
  const title = t('Connection to copy as library code');
  const target = await pickTarget(connections, given, { title, isFit: isCopyable });
  if (!target) return;
  const { id, setting } = target.connection;
  const { PROVIDER_CATALOG } = await loadEngine();
  const entry = PROVIDER_CATALOG.find((known) => known.id === setting.provider);
  if (!entry) return;
  const code = toLibraryCode(id, setting, entry);
  await vscode.env.clipboard.writeText(code);
  const message = t('The code of {0} was copied.', toLabel(target.connection.label));
  vscode.window.setStatusBarMessage(message, 5_000);
}

/** Adds a local server to the settings and opens a playground with it, in one click. */
async function useLocalServer(services: Services, target: unknown): Promise<void> {
  const { connections, keys, monitor } = services;
  const server = await findServer(monitor, target);
  if (!server) return add(services);
  const taken = [...connections.list().map(({ id }) => id), ...(await keys.storedFor())];
  const { label, provider, host, auth, needsKey } = server;
  const setting = { label, provider, host, ...(auth && { auth }) };
  const draft: Connection = { id: freeId(label, taken), label, scope: 'user', setting };
  const connection = (needsKey && connections.withKey(draft)) || draft;
  if (needsKey && (await services.askForKey(connection)) !== 'next') return;
  const listed = needsKey ? await listWithKey(services, connection) : server;
  const model = listed && (await loadEngine()).pickModel(listed.models);
  await writeConnection(connection.id, { ...connection.setting, ...(model !== undefined && { model }) });
  if (listed) await openInPlayground(services, { connection: connection.id, model });
}

/** @param target The product, with the id of a protocol where it is not the one by which the server was recognized. */
async function findServer(monitor: Services['monitor'], target: unknown): Promise<FoundServer | undefined> {
  const { product = target, provider } = toTarget(target);
  const server = monitor.found.find((found) => found.product === product);
  if (!server || provider === undefined) return server;
  const others = await monitor.protocolsOf(server);
  return others.find((other) => other.provider === provider);
}

const toTarget = (target: unknown): { product?: unknown; provider?: unknown } =>
  typeof target === 'object' && target !== null ? target : {};

/** In milliseconds. */
const LIST_LIMIT_MS = 15_000;

/** @returns undefined when the server does not list its models with the key, which is shown. */
async function listWithKey(services: Services, connection: Connection): Promise<ServerInfo | undefined> {
  const limits = { signal: AbortSignal.timeout(LIST_LIMIT_MS), timeoutMs: LIST_LIMIT_MS };
  try {
    return await services.connections.describeServer(connection, limits);
  } catch (error) {
    const added = t('{0} was added to your user settings.', toLabel(connection.label));
    void showError(await services.explain(error, connection), connection, added);
    return undefined;
  }
}
