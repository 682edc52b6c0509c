// Combines the sources of connections with keys and network settings: the views that a panel may see, and providers made
// from connections.
import { t } from '@vscode/l10n';
import type { KnownServer, Providers, Redactor } from '../library';
import { createRedactor, isRecord, PROVIDER_CATALOG } from '../library';
import type { ConnectionView, ErrorInfo } from '../protocol';
import type { LogSink } from '../session';
import type { ServerInfo } from '../types';
import { catalogEntry, missingHost, toCatalogView, toCredentials } from './catalog-connection';
import type { Connection, KeyTarget, ProviderRequest } from './connection';
import { EDITOR_MODELS_ID } from './connection';
import { ConnectionProblem } from './connection-problem';
import { stacksOf, toErrorInfo } from './error-info';
import type { Face } from './face';
import type { ApiKeys, GivenSecret } from './keys/api-keys';
import { toKeyTarget } from './keys/key-binding';
import {
  explainMissingHeaders,
  explainMissingKey,
  explainNewHeader,
  explainStaleHeader,
} from './keys/missing-secrets';
import { withKey } from './keys/with-key';
import type { NetworkChoice } from './network/resolve-network';
import { originOf } from './origin';
import type { Memory } from './ports';
import type { ProxyInUse } from './provider-error-info';
import type { MisplacedEntry, Source } from './sources/source';

export interface MadeProvider {
  provider: Providers;
  /** Secrets to redact from everything that this provider returns or throws. */
  secrets: string[];
}

export interface ConnectionParts {
  face: Face;
  keys: ApiKeys;
  /** In the order of the list. */
  sources: readonly Source[];
  /** What the requests to an origin go through according to the current settings. */
  chooseNetwork: (origin: string) => NetworkChoice;
  log: Pick<LogSink, 'error'>;
  /** Absent: what answered where is known as long as the window is open. */
  memory?: Memory | undefined;
}

const PRODUCTS = 'productsThatAnswered';
/** Of the origins whose product is remembered; the oldest is forgotten first. */
const MAX_PRODUCTS = 100;

export class ConnectionService {
  readonly face: Face;
  readonly #keys: ApiKeys;
  readonly #sources: readonly Source[];
  readonly #log: ConnectionParts['log'];
  readonly #memory: Memory | undefined;
  /** By origin: the product that answered there last. */
  readonly #products: Map<string, unknown>;
  readonly chooseNetwork: ConnectionParts['chooseNetwork'];
  /** Every secret that was read, for redaction. */
  readonly #secrets = new Set<string>();

  constructor({ face, keys, sources, chooseNetwork, log, memory }: ConnectionParts) {
    this.face = face;
    this.#keys = keys;
    this.#sources = sources;
    this.chooseNetwork = chooseNetwork;
    this.#log = log;
    this.#memory = memory;
    const known = memory?.get(PRODUCTS);
    this.#products = new Map(isRecord(known) ? Object.entries(known) : []);
  }

  /**
   * Calls back when the view of a connection may have changed, except through the settings. @returns a function that ends the
   * subscription
   */
  onDidChange(listener: () => void): () => void {
    const ends = [
      this.#keys.onDidChange(listener),
      ...this.#sources.map((source) => source.onDidChange?.(listener)),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  }

  /** Looks up what the sources have now; afterwards `list` includes it. */
  async refresh(): Promise<void> {
    await Promise.all(this.#sources.map(async (source) => source.refresh?.()));
  }

  /** Lets the sources load everything anew. @returns whether any has something to load */
  async reload(): Promise<boolean> {
    const reloaded = await Promise.all(this.#sources.map(async (source) => source.reload?.()));
    return reloaded.includes(true);
  }

  list(): Connection[] {
    return this.#sources.flatMap((source) => source.list());
  }

  /** Entries of the settings that cannot be a connection. */
  misplaced(): MisplacedEntry[] {
    return this.#sources.flatMap((source) => source.misplaced?.() ?? []);
  }

  /** @throws ConnectionProblem when no connection has this id. */
  find(connectionId: string): Connection {
    const connection = this.list().find(({ id }) => id === connectionId) ?? this.#findUnlisted(connectionId);
    if (connection) return connection;
    if (connectionId === EDITOR_MODELS_ID)
      throw new ConnectionProblem('unknown', t("VS Code's own models can be used in VS Code alone."));
    throw new ConnectionProblem('unknown', t('The connection “{0}” no longer exists.', connectionId));
  }

  #findUnlisted(connectionId: string): Connection | undefined {
    for (const source of this.#sources) {
      const found = source.find?.(connectionId);
      if (found) return found;
    }
    return undefined;
  }

  /** @param named Ids that a person or a playground names, which lists those that wait for it. */
  async views(named: readonly string[] = []): Promise<ConnectionView[]> {
    await this.refresh();
    const listed = this.list();
    const others = new Set(named.filter((id) => !listed.some((connection) => connection.id === id)));
    const found = [...others].flatMap((id) => this.#findUnlisted(id) ?? []);
    return Promise.all([...listed, ...found].map((connection) => this.view(connection)));
  }

  /** Storage id and recipient of the connection's key; undefined when it takes none. */
  async keyTarget(connection: Connection): Promise<KeyTarget | undefined> {
    const { setting, problem, provided } = connection;
    if (provided) return problem === undefined ? provided.key : undefined;
    const target = await this.headerTarget(connection);
    return target && catalogEntry(connection).needsKey(setting) ? target : undefined;
  }

  /** The connection as it sends a key, also where its `auth` is `none`; undefined when it cannot send one. */
  withKey(connection: Connection): Connection | undefined {
    return withKey(connection);
  }

  /** The same for secret headers, which a connection without a key may have as well. Custom providers have none. */
  async headerTarget(connection: Connection): Promise<KeyTarget | undefined> {
    const { setting, builtIn, problem, provided } = connection;
    if (builtIn || provided || problem !== undefined) return undefined;
    return toKeyTarget(connection, setting.host ?? catalogEntry(connection).defaults.host);
  }

  /** When the key was given, and whether it is kept for the session only; undefined when there is none. */
  async givenKey(connection: Connection): Promise<Omit<GivenSecret, 'value'> | undefined> {
    const target = await this.keyTarget(connection);
    const found = target && (await this.#keys.find(target.id, target.binding));
    return found && { givenAt: found.givenAt, isSessionOnly: found.isSessionOnly };
  }

  /** Names of the secret headers that its requests carry. */
  async secretHeaderNames(connection: Connection): Promise<string[]> {
    const target = await this.headerTarget(connection);
    return target ? this.#keys.headerNames(target.id, target.binding) : [];
  }

  async hasKey(connection: Connection): Promise<boolean> {
    return (await this.#key(connection)) !== undefined;
  }

  /** The proxy that its requests use according to the current settings; undefined when there is none. */
  async proxyOf(connection: Connection): Promise<ProxyInUse | undefined> {
    const origin = (await this.headerTarget(connection))?.origin;
    if (origin === undefined) return undefined;
    const { options, why } = this.chooseNetwork(origin);
    const { proxy } = options;
    return proxy !== undefined && URL.canParse(proxy) ? { host: new URL(proxy).host, why } : undefined;
  }

  /** @throws ConnectionProblem, InvalidOptionsError */
  async makeProvider(request: ProviderRequest): Promise<MadeProvider> {
    const { connection } = request;
    const { problem, provided } = connection;
    if (problem !== undefined) {
      throw new ConnectionProblem(
        'setting',
        problem,
        provided && t('Follow the message, or choose another connection.'),
      );
    }
    const apiKey = await this.#key(connection);
    const headers = await this.#secretHeaders(connection);
    const provider = provided
      ? await this.#makeProvided(request, provided, apiKey)
      : await this.#makeFromCatalog(request, apiKey, headers);
    return { provider, secrets: [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)] };
  }

  /**
   * What the server of a connection reports about itself and its models, asked once and redacted.
   * @throws ConnectionProblem, InvalidOptionsError, ProviderError
   */
  async describeServer(
    connection: Connection,
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  ): Promise<ServerInfo> {
    const setting = { ...connection.setting, retry: { maxAttempts: 1, timeoutMs } };
    const request = { connection: { ...connection, setting }, model: '-', rescueToolCalls: true };
    const { provider } = await this.makeProvider(request);
    const reported = this.redactor().value(await provider.describeServer({ signal }));
    this.#remember(originOf(connection.setting.host), reported.product);
    return reported;
  }

  #remember(origin: string | undefined, product: ServerInfo['product']): void {
    if (origin === undefined || product === undefined || this.#products.get(origin) === product) return;
    this.#products.delete(origin);
    this.#products.set(origin, product);
    const [oldest] = this.#products.keys();
    if (oldest !== undefined && this.#products.size > MAX_PRODUCTS) this.#products.delete(oldest);
    void this.#memory?.update(PRODUCTS, Object.fromEntries(this.#products));
  }

  /** The product that last answered at the address of a connection; undefined where none was recognized. */
  answeredBefore({ setting }: Connection): KnownServer | undefined {
    const product = this.#products.get(originOf(setting.host) ?? '');
    const known = PROVIDER_CATALOG.flatMap(({ servers }) => servers);
    return known.find((server) => product !== undefined && server.product === product);
  }

  /** Redactor for everything that goes to the log or the panel. */
  redactor(): Redactor {
    return createRedactor(this.#secrets);
  }

  /**
   * Describes a failure for a person, redacted. What is neither an answer of a server nor a problem with a setting is an
   * error of our own, and is also written to the log, redacted as well. Never rejects.
   * @param connection The connection concerned, for the title.
   */
  async explain(thrown: unknown, connection?: Connection): Promise<ErrorInfo> {
    const circumstances = connection && {
      proxy: await this.proxyOf(connection),
      key: await this.givenKey(connection),
      headers: await this.secretHeaderNames(connection),
      server: this.answeredBefore(connection)?.label,
    };
    const info = toErrorInfo(thrown, this.face, connection, circumstances);
    const redactor = this.redactor();
    if (info.code === 'internal') this.#log.error(redactor.text(stacksOf(thrown)));
    return redactor.value(info);
  }

  async #makeProvided(
    { connection, ...request }: ProviderRequest,
    provided: NonNullable<Connection['provided']>,
    apiKey: string | undefined,
  ): Promise<Providers> {
    if (provided.key && apiKey === undefined) throw await this.#missingKey(connection, provided.key);
    if (request.raw && Object.keys(request.raw).length > 0) {
      const what = t('{0} does not support raw keys: its own code makes the request.', connection.label);
      throw new ConnectionProblem(
        'setting',
        what,
        t('Remove them from the lane, or choose another connection.'),
      );
    }
    const made = provided.make({ ...request, apiKey });
    if (typeof made !== 'string') return made;
    throw new ConnectionProblem('setting', made, t('Correct its code, or choose another connection.'));
  }

  async #makeFromCatalog(
    request: ProviderRequest,
    apiKey: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Providers> {
    const { connection } = request;
    const { setting, builtIn } = connection;
    const entry = catalogEntry(connection);
    const host = setting.host ?? entry.defaults.host;
    const target = builtIn ? undefined : originOf(host);
    if (!builtIn && target === undefined) throw new ConnectionProblem('setting', missingHost(connection));
    const key = await this.keyTarget(connection);
    if (key && apiKey === undefined) throw await this.#missingKey(connection, key);
    const completion = {
      host: builtIn ? await builtIn.host() : host,
      apiKey,
      headers,
      // What is built in runs on this machine, so it needs no proxy.
      network: target === undefined ? undefined : this.chooseNetwork(target).options,
    };
    return entry.create(toCredentials(request, completion));
  }

  async #key(connection: Connection): Promise<string | undefined> {
    const target = await this.keyTarget(connection);
    const key = target && (await this.#keys.get(target.id, target.binding));
    if (key !== undefined) this.#secrets.add(key);
    return key;
  }

  async #isElsewhere({ id, binding }: KeyTarget): Promise<boolean> {
    return (await this.#keys.doneElsewhere(id, binding)) === 'given';
  }

  async #missingKey(connection: Connection, target: KeyTarget): Promise<ConnectionProblem> {
    const isElsewhere = await this.#isElsewhere(target);
    return explainMissingKey(connection, target, { isElsewhere, others: await this.#otherOrigins(target) });
  }

  /** Origins that other keys of this connection were given for, when its address was another one. */
  async #otherOrigins({ id, origin }: KeyTarget): Promise<string[]> {
    const stored = await this.#keys.list(id);
    const origins = stored.flatMap(({ kind, binding }) =>
      kind === 'key' ? [binding.replace(/#.*/, '')] : [],
    );
    return [...new Set(origins)].filter((other) => other !== origin);
  }

  /** @throws ConnectionProblem when headers were given before the workspace changed the requests. */
  async #secretHeaders(connection: Connection): Promise<Record<string, string>> {
    const target = await this.headerTarget(connection);
    if (!target) return {};
    const { id, binding, wider } = target;
    const found: Record<string, string> = {};
    for (const header of await this.#keys.headerNames(id, binding)) {
      const value = await this.#keys.get(id, binding, { header });
      if (value === undefined) throw explainStaleHeader(connection, header);
      found[header] = value;
    }
    if (await this.#keys.hasNewHeaderElsewhere(id, binding)) {
      throw explainNewHeader(connection);
    }
    const given = wider ? await this.#keys.headerNames(id, wider.binding) : [];
    const missing = given.filter((name) => !Object.hasOwn(found, name));
    if (missing.length > 0) throw explainMissingHeaders(connection, target, missing);
    for (const value of Object.values(found)) this.#secrets.add(value);
    return found;
  }

  async view(connection: Connection): Promise<ConnectionView> {
    const { id, label, scope, provided } = connection;
    const problem = connection.problem ?? provided?.problem;
    const target = await this.keyTarget(connection);
    return {
      ...(provided ? provided.view : toCatalogView(connection)),
      id,
      label,
      scope,
      hasKey: await this.hasKey(connection),
      ...(target && (await this.#isElsewhere(target)) && { isKeyElsewhere: true }),
      ...(problem !== undefined && { problem }),
    };
  }
}
