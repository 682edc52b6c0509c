// The connections as a tree: each with its state and, below it, its models or what is wrong. Shows the data of the
// monitor.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ErrorInfo } from '../../protocol';
import type { ModelInfo } from '../../types';
import type {
  Connection,
  ConnectionService,
  FoundServer,
  MisplacedEntry,
  SpokenProtocol,
} from '../../connections';
import { describeGiven, originOf } from '../../connections';
import { toLabel } from '../../inspect';
import { COMMANDS } from '../contributions';
import type { ChatWindow } from '../language-model/chat-offer';
import { chatOffer, hasChatSwitch, isOffered } from '../language-model/chat-offer';
import { isKeyMissing } from './chat-switch';
import type { ConnectionMonitor, ConnectionState } from './connection-monitor';
import {
  countModels,
  describeModel,
  describeOffer,
  describeScope,
  describeState,
  explainOffer,
} from './state-words';

export type TreeNode =
  | { kind: 'connection'; id: string }
  | { kind: 'model'; connectionId: string; model: ModelInfo }
  | { kind: 'reason'; connectionId: string; error: ErrorInfo }
  | ({ kind: 'misplaced' } & MisplacedEntry)
  | { kind: 'found'; server: FoundServer }
  /** A found server in another protocol than the one by which it was recognized. */
  | { kind: 'protocol'; server: SpokenProtocol };

interface TreeParts {
  connections: Pick<
    ConnectionService,
    'list' | 'misplaced' | 'withKey' | 'givenKey' | 'secretHeaderNames' | 'keyTarget' | 'hasKey'
  >;
  chatWindow: () => ChatWindow;
  monitor: ConnectionMonitor;
}

export class ConnectionTree {
  readonly #parts: TreeParts;
  /** Nodes by connection id: VS Code identifies tree items by object identity. */
  readonly #nodes = new Map<string, TreeNode>();
  /** Items that are being built. */
  readonly #pendingItems = new Set<Promise<vscode.TreeItem>>();

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  /** Child nodes. Empty as long as the user has no connection of their own, so that the welcome content is shown. */
  children(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
    if (!node) return this.#roots();
    if (node.kind === 'found') return this.#protocols(node.server);
    const connection = node.kind === 'connection' ? this.#find(node.id) : undefined;
    if (!connection) return [];
    const state = this.#stateOf(connection);
    if (state.kind !== 'reachable') {
      return state.error ? [{ kind: 'reason', connectionId: connection.id, error: state.error }] : [];
    }
    void this.#parts.monitor.describeModels(connection);
    return state.server.models.map((model) => ({ kind: 'model', connectionId: connection.id, model }));
  }

  /** The server is asked only when its row is opened. */
  async #protocols(server: FoundServer): Promise<TreeNode[]> {
    const others = await this.#parts.monitor.protocolsOf(server);
    return others.map((other) => ({ kind: 'protocol', server: other }));
  }

  /** Returns the same node object for an id every time. */
  nodeOf(id: string): TreeNode {
    const node = this.#nodes.get(id) ?? { kind: 'connection', id };
    this.#nodes.set(id, node);
    return node;
  }

  async item(node: TreeNode): Promise<vscode.TreeItem> {
    const pending = this.#toItem(node);
    this.#pendingItems.add(pending);
    const item = await pending.finally(() => this.#pendingItems.delete(pending));
    // A screen reader would read the tooltip, which does not include the description.
    const { label = '', description = '' } = item as { label?: string; description?: string };
    item.accessibilityInformation ??= { label: `${label} ${description}`.trim() };
    return item;
  }

  /**
   * Resolves when the editor has received all items that were being built. Until then it knows none of them, and a change
   * of an item that is already built would be lost.
   */
  async itemsDelivered(): Promise<void> {
    while (this.#pendingItems.size > 0) {
      await Promise.allSettled(this.#pendingItems);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #toItem(node: TreeNode): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'connection':
        return this.#connectionItem(node.id);
      case 'model':
        return toModelItem(node.connectionId, node.model);
      case 'reason':
        return toReasonItem(node);
      case 'misplaced':
        return toMisplacedItem(node);
      case 'found':
        return toFoundItem(node.server);
      case 'protocol':
        return toProtocolItem(node.server);
    }
  }

  #roots(): TreeNode[] {
    const { connections, monitor } = this.#parts;
    const listed = connections.list();
    const misplaced = connections.misplaced().map((entry) => ({ kind: 'misplaced' as const, ...entry }));
    if (listed.every(({ scope }) => scope === 'built-in') && misplaced.length === 0) return [];
    return [
      ...misplaced,
      ...monitor.found.map((server) => ({ kind: 'found' as const, server })),
      ...listed.toSorted(builtInLast).map(({ id }) => this.nodeOf(id)),
    ];
  }

  #find(id: string): Connection | undefined {
    return this.#parts.connections.list().find((connection) => connection.id === id);
  }

  /** State of a connection; an error in its setting is known without asking the server. */
  #stateOf(connection: Connection): ConnectionState {
    const state = this.#parts.monitor.stateOf(connection);
    const problem = connection.problem ?? connection.provided?.problem;
    if (problem === undefined || state.kind !== 'unknown' || state.error) return state;
    const error = { code: 'connection-setting', title: problem, what: problem, why: '', next: '' };
    return { kind: 'setting', error };
  }

  async #connectionItem(id: string): Promise<vscode.TreeItem> {
    const connection = this.#find(id);
    if (!connection) return new vscode.TreeItem(id);
    const { connections, monitor, chatWindow } = this.#parts;
    const offer = chatOffer(connection, chatWindow(), await isKeyMissing(connections, connection));
    const secrets = await readSecrets(connection, connections);
    // Read last: a change that happens before the item is returned does not reach the editor.
    const state = this.#stateOf(connection);
    const isChecking = monitor.isChecking(connection);
    const words = describeState(state, isChecking);
    const item = new vscode.TreeItem(toLabel(connection.label), expansionOf(state));
    item.id = `connection ${id}`;
    // The state is seen in the icon too, so that the offer is not what a narrow view cuts off.
    const { short, whole } = describeOffer(offer) ?? {};
    const told = (inChat: string | undefined): string =>
      [inChat, words, describeScope(connection)].filter(Boolean).join(' · ');
    item.description = told(short);
    item.accessibilityInformation = { label: `${item.label as string} ${told(whole)}` };
    item.iconPath = iconOf(state, isChecking);
    const details = [words, ...describeSecrets(secrets), ...explainOffer(offer)];
    item.tooltip = toTooltip(connection, details, state);
    item.contextValue = toContext(connection, secrets);
    return item;
  }
}

/** What is wrong shows its reason, which has the next step; a list of models waits to be asked for. */
function expansionOf(state: ConnectionState): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (state.kind === 'reachable') return Collapsed;
  return state.error ? Expanded : None;
}

const builtInLast = (one: Connection, other: Connection): number =>
  Number(one.scope === 'built-in') - Number(other.scope === 'built-in');

/** The secrets of a connection, without their values. */
interface Secrets {
  canHaveKey: boolean;
  key: Awaited<ReturnType<ConnectionService['givenKey']>>;
  headers: readonly string[];
}

async function readSecrets(connection: Connection, connections: TreeParts['connections']): Promise<Secrets> {
  return {
    canHaveKey: connections.withKey(connection) !== undefined,
    key: await connections.givenKey(connection),
    headers: await connections.secretHeaderNames(connection),
  };
}

function describeSecrets({ key, headers }: Secrets): string[] {
  const names = headers.join(', ');
  return [
    ...(key ? [describeGiven(key)] : []),
    ...(headers.length > 0 ? [t('secret headers: {0}', names)] : []),
  ];
}

/** The words that the `when` clauses of the manifest match, such as `connection settings usable has-header no-key`. */
function toContext(connection: Connection, { canHaveKey, key, headers }: Secrets): string {
  const { scope, problem } = connection;
  const isOwn = /^(user|workspace|folder)$/.test(scope);
  return [
    'connection',
    isOwn ? 'settings' : scope,
    ...(problem === undefined ? ['usable'] : []),
    ...(hasChatSwitch(connection) ? [isOffered(connection) ? 'in-chat' : 'not-in-chat'] : []),
    ...(headers.length > 0 ? ['has-header'] : []),
    ...(canHaveKey ? [key ? 'has-key' : 'no-key'] : []),
  ].join(' ');
}

function iconOf(state: ConnectionState, isChecking: boolean): vscode.ThemeIcon {
  switch (state.kind) {
    case 'unknown':
      return new vscode.ThemeIcon(isChecking ? 'loading~spin' : 'circle-outline');
    case 'reachable':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'no-key':
      return new vscode.ThemeIcon('key', new vscode.ThemeColor('list.warningForeground'));
    case 'setting':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'refused':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
}

function toTooltip(connection: Connection, words: readonly string[], state: ConnectionState): string {
  const { setting, builtIn, provided } = connection;
  const origin = originOf(setting.host);
  return [
    toLabel(connection.label),
    [setting.provider, provided?.view.provider, builtIn ? undefined : origin, setting.model]
      .filter((part) => part !== undefined && part !== 'custom')
      .join(' · '),
    ...words,
    ...(state.kind === 'reachable' || !state.error ? [] : [describeError(state.error)]),
    ...(provided?.privacy === undefined ? [] : [provided.privacy]),
    describeScope(connection),
  ]
    .filter(Boolean)
    .join('\n');
}

const describeError = ({ what, why, next }: ErrorInfo): string => [what, why, next].filter(Boolean).join(' ');

function toModelItem(connectionId: string, model: ModelInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(toLabel(model.id));
  item.id = `model ${connectionId} ${model.id}`;
  item.description = describeModel(model);
  item.tooltip = `${toLabel(model.id)}\n${item.description}`;
  item.contextValue = model.capabilities?.includes('embedding') ? 'embedding-model' : 'model';
  const isEmbedder = item.contextValue === 'embedding-model';
  item.iconPath = new vscode.ThemeIcon(model.isRunning ? 'vm-running' : isEmbedder ? 'symbol-array' : 'chip');
  return item;
}

/** A click on the item runs the next step. */
function toReasonItem({ connectionId, error }: TreeNode & { kind: 'reason' }): vscode.TreeItem {
  const isKey = error.isKeyWanted === true;
  // The row above already names the connection and says that nothing came: a narrow side bar has room for the cause.
  const isUnanswered = /^(network|timeout)$/.test(error.code) && error.why !== '';
  const [label, ...rest] = isUnanswered ? [error.why, error.next] : [error.title, error.what, error.next];
  const item = new vscode.TreeItem(toLabel(label, 200));
  item.id = `reason ${connectionId}`;
  item.description = rest.filter((part) => part && part !== label).join(' ');
  item.tooltip = describeError(error);
  item.iconPath = new vscode.ThemeIcon('info');
  item.contextValue = 'reason';
  const target = { kind: 'connection', id: connectionId };
  const isSetting = /^(connection-|invalid-options)/.test(error.code);
  const [command, title] = isKey
    ? [COMMANDS.setApiKey, t('Set API Key')]
    : isSetting
      ? [COMMANDS.editConnection, t('Edit')]
      : [COMMANDS.diagnoseConnection, t('Diagnose')];
  item.command = { command, title, arguments: [target] };
  return item;
}

function toMisplacedItem({ id, problem, scope }: MisplacedEntry): vscode.TreeItem {
  const item = new vscode.TreeItem(toLabel(id));
  item.id = `misplaced ${id}`;
  item.description = `${t('wrong setting')} · ${problem}`;
  item.tooltip = problem;
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.contextValue = 'misplaced';
  item.command = {
    command: COMMANDS.editConnection,
    title: t('Edit'),
    arguments: [{ kind: 'misplaced', id, scope }],
  };
  return item;
}

function toFoundItem(server: FoundServer): vscode.TreeItem {
  const { label, host, product, models, needsKey } = server;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(t('Use {0}', label), needsKey ? None : Collapsed);
  item.id = `found ${product}`;
  const what = needsKey ? t('needs a key') : countModels(models.length);
  item.description = `${t('answers at {0}', new URL(host).host)} · ${what}`;
  item.tooltip = needsKey
    ? t('{0} answers at {1}. Click to enter its key and add it as a connection.', label, host)
    : t('{0} answers at {1}. Click to add it as a connection.', label, host);
  item.iconPath = new vscode.ThemeIcon('plug');
  item.contextValue = 'found';
  item.command = { command: COMMANDS.useLocalServer, title: item.tooltip, arguments: [product] };
  return item;
}

function toProtocolItem({ label, title, host, product, provider }: SpokenProtocol): vscode.TreeItem {
  const item = new vscode.TreeItem(title);
  item.id = `found ${product} ${provider}`;
  item.description = t('spoken at {0}', host);
  item.tooltip = t('{0} also speaks this protocol. Click to add it as a connection that uses it.', label);
  item.iconPath = new vscode.ThemeIcon('plug');
  item.contextValue = 'found';
  item.command = {
    command: COMMANDS.useLocalServer,
    title: item.tooltip,
    arguments: [{ product, provider }],
  };
  return item;
}
