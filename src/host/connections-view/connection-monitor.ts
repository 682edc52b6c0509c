// Tracks the state of each connection's server while the view is visible; forgets it when the setting changes.
// Independent of vscode.
import type { ErrorInfo } from '../../protocol';
import type { Clock } from '../../session';
import type { ModelInfo, ServerInfo } from '../../types';
import type {
  Connection,
  ConnectionService,
  FoundServer,
  LocalServer,
  SpokenProtocol,
} from '../../connections';
import { isLoopback, isTaken, originOf } from '../../connections';
import { loadEngine } from '../load-engine';

export type ConnectionState =
  | { kind: 'unknown'; error?: ErrorInfo | undefined }
  | { kind: 'reachable'; server: ServerInfo }
  | { kind: 'no-key' | 'setting' | 'refused'; error: ErrorInfo };

export interface MonitorServices {
  connections: Pick<
    ConnectionService,
    'list' | 'find' | 'keyTarget' | 'givenKey' | 'describeServer' | 'makeProvider' | 'redactor'
  >;
  clock: Clock;
  /** Describes an error for the user; the result contains no secret. */
  explain: (error: unknown, connection: Connection) => Promise<ErrorInfo>;
  /** @param connectionId The changed connection; absent if the list of found servers changed. */
  onChange: (connectionId?: string) => void;
  /** @default the known products on their usual ports */
  localServers?: readonly LocalServer[] | undefined;
}

/**
 * Poll interval for servers on this machine, in milliseconds: they start and stop while the view is open. Others
 * are asked once.
 */
const POLL_MS = 10_000;
const ATTEMPT_MS = 10_000;
/** Time limit of a whole check, in milliseconds: code of third parties may have no limit of its own. */
const CHECK_MS = 30_000;
/** Maximum number of models that are kept, because a server may list any number. */
const MAX_MODELS = 500;
const MAX_NAME = 200;
/** Maximum number of models whose details are requested one by one. */
const MAX_DESCRIBED = 50;

export class ConnectionMonitor {
  readonly #services: MonitorServices;
  readonly #states = new Map<string, ConnectionState>();
  readonly #checks = new Map<string, AbortController>();
  /** By connection id: the connection with the settings that the state belongs to. */
  readonly #checked = new Map<string, Connection>();
  /** By connection id, model and size: details that only a request for the single model returns. */
  readonly #details = new Map<string, ModelInfo>();
  /** By found server: the others that it is in other protocols. Asked once, because each question is a line in its log. */
  readonly #protocols = new WeakMap<FoundServer, Promise<readonly SpokenProtocol[]>>();
  /** Ends the requests for details when the view is hidden. */
  #describing = new AbortController();
  #search: AbortController | undefined;
  #found: readonly FoundServer[] = [];
  #cancelPoll: (() => void) | undefined;
  /** Whether a connection has changed since the whole list was last drawn. */
  #hasChanged = false;

  constructor(services: MonitorServices) {
    this.#services = services;
  }

  /** Local servers that answer and that no connection uses yet. */
  get found(): readonly FoundServer[] {
    return this.#found;
  }

  /** A found server in each other protocol that it speaks. */
  protocolsOf(server: FoundServer): Promise<readonly SpokenProtocol[]> {
    const asked = this.#protocols.get(server) ?? this.#askProtocols(server);
    this.#protocols.set(server, asked);
    return asked;
  }

  async #askProtocols(server: FoundServer): Promise<readonly SpokenProtocol[]> {
    const { findProtocols } = await loadEngine();
    return findProtocols(server, AbortSignal.timeout(CHECK_MS)).catch(() => []);
  }

  stateOf({ id, provided }: Connection): ConnectionState {
    const listed = provided?.lastListed?.();
    const state = this.#states.get(id) ?? (listed ? toReachable(listed) : { kind: 'unknown' });
    if (state.kind !== 'reachable') return state;
    const models = state.server.models.map((model) => ({
      ...model,
      ...this.#details.get(detailKey(id, model)),
    }));
    return { kind: 'reachable', server: { ...state.server, models } };
  }

  isChecking({ id }: Connection): boolean {
    return this.#checks.has(id);
  }

  /** The view is visible: checks all connections that need nobody for it, and those of this machine repeatedly. */
  show(): void {
    if (this.#cancelPoll) return;
    this.#schedule();
    this.#checkAll((connection) => !connection.provided?.waitsForPerson);
    void this.#findServers();
  }

  /** Asks every server again, and draws the list anew. */
  refresh(): void {
    this.hide();
    this.show();
    this.#checkAll((connection) => connection.provided?.waitsForPerson === true);
    this.#drawAll();
  }

  #checkAll(isWanted: (connection: Connection) => boolean): void {
    for (const connection of this.#services.connections.list())
      if (isWanted(connection)) void this.check(connection);
  }

  /** The view is hidden: aborts all checks. */
  hide(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
    this.#search?.abort();
    this.#describing.abort();
    this.#describing = new AbortController();
    for (const controller of this.#checks.values()) controller.abort();
    this.#checks.clear();
  }

  /** Checks the connections whose setting, key or module may have changed. */
  async connectionsChanged(): Promise<void> {
    const { connections } = this.#services;
    const outdated = await Promise.all(
      connections.list().map(async (connection) => {
        // What was listed since is newer than what was asked here.
        const isKnown =
          this.#states.get(connection.id)?.kind === 'reachable' && !connection.provided?.lastListed?.();
        const isSame = isSameSetting(this.#checked.get(connection.id), connection);
        const hasKey = (await connections.keyTarget(connection)) !== undefined;
        return isKnown && isSame && !hasKey ? [] : [connection];
      }),
    );
    for (const connection of outdated.flat()) {
      this.#states.delete(connection.id);
      if (this.#cancelPoll && !connection.provided?.waitsForPerson) void this.check(connection);
    }
    this.#found = this.#found.filter((server) => !isTaken(server, this.#hosts()));
    this.#drawAll();
    if (this.#cancelPoll) void this.#findServers();
  }

  /** Asks the server now. A later check of the same connection supersedes this one. */
  async check(connection: Connection): Promise<ConnectionState> {
    const { id } = connection;
    this.#checks.get(id)?.abort();
    const controller = new AbortController();
    this.#checks.set(id, controller);
    const before = this.#states.get(id);
    if (!before) this.#draw(id);
    const cancelTimeout = this.#services.clock.after(CHECK_MS, () => controller.abort());
    const state = await this.#ask(connection, controller.signal);
    cancelTimeout();
    if (this.#checks.get(id) !== controller) return state;
    this.#checks.delete(id);
    this.#states.set(id, state);
    this.#checked.set(id, connection);
    // Redrawing the tree without a change would be noticeable.
    if (JSON.stringify(before) !== JSON.stringify(state)) this.#draw(id);
    return state;
  }

  #draw(connectionId: string): void {
    this.#hasChanged = true;
    this.#services.onChange(connectionId);
  }

  #drawAll(): void {
    this.#hasChanged = false;
    this.#services.onChange();
  }

  /** Reads the details of each model that the list does not include, once for each model. */
  async describeModels(connection: Connection): Promise<void> {
    const state = this.#states.get(connection.id);
    if (state?.kind !== 'reachable' || state.server.product !== 'ollama') return;
    const key = (model: ModelInfo): string => detailKey(connection.id, model);
    const unknown = state.server.models
      .slice(0, MAX_DESCRIBED)
      .filter((model) => !this.#details.has(key(model)));
    if (unknown.length === 0) return;
    // Marked before the first await, as this may be called again meanwhile.
    for (const model of unknown) this.#details.set(key(model), { id: model.id });
    const { connections } = this.#services;
    const { signal } = this.#describing;
    const made = await connections.makeProvider(toRequest(connection)).catch(() => undefined);
    for (const model of unknown) {
      const reported = await made?.provider.describeModel(model, { signal }).catch(() => undefined);
      // Read when the view is shown again.
      if (!reported && signal.aborted) this.#details.delete(key(model));
      if (!reported) continue;
      // Whether it runs and its context length change, so the latest list decides about those.
      const { isRunning: _isRunning, contextLength: _contextLength, ...details } = reported;
      this.#details.set(key(model), connections.redactor().value(details));
    }
    this.#draw(connection.id);
  }

  #schedule(): void {
    this.#cancelPoll = this.#services.clock.after(POLL_MS, () => {
      this.#schedule();
      // The editor ignores the change of a row while it reads the rows, and the row would keep its first words for ever.
      if (this.#hasChanged) this.#drawAll();
      for (const connection of this.#services.connections.list()) {
        if (isOfThisMachine(connection) && !this.isChecking(connection)) void this.check(connection);
      }
      void this.#findServers();
    });
  }

  async #ask(connection: Connection, signal: AbortSignal): Promise<ConnectionState> {
    const { connections, explain } = this.#services;
    try {
      const server = await connections.describeServer(connection, { signal, timeoutMs: ATTEMPT_MS });
      return toReachable(server);
    } catch (thrown) {
      const error = await explain(thrown, connection);
      const isUnsent = error.isKeyWanted === true && (await connections.givenKey(connection)) === undefined;
      return toState(error, isUnsent);
    }
  }

  async #findServers(): Promise<void> {
    this.#search?.abort();
    const controller = (this.#search = new AbortController());
    const { findLocalServers, localServersOf, PROVIDER_CATALOG } = await loadEngine();
    const localServers = this.#services.localServers ?? localServersOf(PROVIDER_CATALOG);
    const free = localServers.filter((server) => !isTaken(server, this.#hosts()));
    const found = await findLocalServers(free, controller.signal);
    if (controller.signal.aborted || this.#search !== controller) return;
    if (JSON.stringify(found) === JSON.stringify(this.#found)) return;
    this.#found = found;
    this.#drawAll();
  }

  #hosts(): (string | undefined)[] {
    return this.#services.connections.list().map(({ setting }) => setting.host);
  }
}

/** A single attempt with a short timeout, because this only asks whether the server is there. */
function toRequest(connection: Connection) {
  const setting = { ...connection.setting, retry: { maxAttempts: 1, timeoutMs: ATTEMPT_MS } };
  return { connection: { ...connection, setting }, model: '-', rescueToolCalls: true };
}

/** @param isKeyUnsent Whether a key would help, and none was sent. */
function toState(error: ErrorInfo, isKeyUnsent: boolean): ConnectionState {
  if (isKeyUnsent) return { kind: 'no-key', error };
  if (/^(connection-|invalid-options)/.test(error.code)) return { kind: 'setting', error };
  return error.code === 'unsupported' ? { kind: 'unknown', error } : { kind: 'refused', error };
}

const toReachable = (server: ServerInfo): ConnectionState => ({
  kind: 'reachable',
  server: toBounded(server),
});

/** Limits a reply, because code of third parties may return anything. */
function toBounded({ models, ...server }: ServerInfo): ServerInfo {
  return { ...server, models: models.filter(isName).slice(0, MAX_MODELS) };
}

const isName = ({ id }: ModelInfo): boolean => typeof id === 'string' && id.length <= MAX_NAME;

const isSameSetting = (one: Connection | undefined, other: Connection): boolean =>
  one?.provided === other.provided && settingOf(one) === settingOf(other);

const settingOf = (connection: Connection | undefined): string =>
  JSON.stringify([connection?.setting, connection?.problem]);

const detailKey = (connectionId: string, { id, sizeBytes = 0 }: ModelInfo): string =>
  JSON.stringify([connectionId, id, sizeBytes]);

function isOfThisMachine({ builtIn, provided, setting }: Connection): boolean {
  const origin = originOf(setting.host);
  return !builtIn && !provided && origin !== undefined && isLoopback(origin);
}
