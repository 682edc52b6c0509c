// Connections, keys and the demo server in one place: what a panel may see of them, and providers made of them.
import type * as vscode from 'vscode';
import type { Providers, Redactor, RetryPolicy } from '../../library';
import type { ConnectionView } from '../../protocol';
import type { CustomProviders } from '../custom-providers/custom-providers';
import { loadedEngine, loadEngine } from '../load-engine';
import { readNetwork } from '../network/network-settings';
import type { ApiKeys } from './api-keys';
import type { Connection, KeyTarget } from './connection';
import { originOf } from './connection';
import { ConnectionProblem } from './connection-problem';
import { readConnections } from './connection-settings';
import type { DemoBackEnd } from './demo-back-end';

export interface ProviderRequest {
  connection: Connection;
  model: string | undefined;
  rescueToolCalls: boolean;
  /** Merged over the connection's own. */
  raw?: Readonly<Record<string, unknown>> | undefined;
  onRetry?: RetryPolicy['onRetry'];
}

export interface MadeProvider {
  provider: Providers;
  /** For the redaction of whatever this provider leads to. */
  secrets: string[];
}

type CustomSource = Pick<CustomProviders, 'list' | 'refresh' | 'onDidChange'>;

export class ConnectionService {
  readonly #keys: ApiKeys;
  readonly #demo: DemoBackEnd;
  readonly #custom: CustomSource | undefined;
  /** Every key that was read, whoever got it. */
  readonly #secrets = new Set<string>();

  /** @param custom The providers of modules and other extensions; without it there are none. */
  constructor(keys: ApiKeys, demo: DemoBackEnd, custom?: CustomSource) {
    this.#keys = keys;
    this.#demo = demo;
    this.#custom = custom;
  }

  /** Fires when a view of a connection would be another one, but not for a change of the settings. */
  onDidChange(listener: () => void): vscode.Disposable {
    const subscriptions = [this.#keys.onDidChange(listener), this.#custom?.onDidChange(listener)];
    return {
      dispose: () => {
        for (const subscription of subscriptions) subscription?.dispose();
      },
    };
  }

  /** Finds out what modules and other extensions provide; `list` knows it from then on. */
  async refresh(): Promise<void> {
    await this.#custom?.refresh();
  }

  list(): Connection[] {
    return [...readConnections(), ...(this.#custom?.list() ?? [])];
  }

  /** @throws ConnectionProblem when no connection has this id. */
  find(connectionId: string): Connection {
    const connection = this.list().find(({ id }) => id === connectionId);
    if (connection) return connection;
    throw new ConnectionProblem('unknown', `There is no connection “${connectionId}” any more.`);
  }

  async views(): Promise<ConnectionView[]> {
    await this.refresh();
    return Promise.all(this.list().map((connection) => this.view(connection)));
  }

  /** What the key of this connection is stored under and who gets it; undefined when it has none. */
  async keyTarget(connection: Connection): Promise<KeyTarget | undefined> {
    const { id, setting, demo, problem, provided } = connection;
    if (demo || problem !== undefined) return undefined;
    if (provided) return provided.key;
    const entry = await catalogEntry(connection);
    if (!entry.needsKey(setting)) return undefined;
    const origin = originOf(setting.host ?? entry.defaults.host);
    return origin === undefined ? undefined : { id, binding: origin, recipient: origin, origin };
  }

  async hasKey(connection: Connection): Promise<boolean> {
    return (await this.#key(connection)) !== undefined;
  }

  /** @throws ConnectionProblem, InvalidOptionsError */
  async makeProvider(request: ProviderRequest): Promise<MadeProvider> {
    const { connection } = request;
    const { problem, provided } = connection;
    if (problem !== undefined) {
      throw new ConnectionProblem(
        'setting',
        problem,
        provided && 'Do what it says, or choose another connection.',
      );
    }
    const apiKey = await this.#key(connection);
    const provider = provided
      ? await this.#makeProvided(request, provided, apiKey)
      : await this.#makeFromCatalog(request, apiKey);
    return { provider, secrets: apiKey === undefined ? [] : [apiKey] };
  }

  /** For what leaves for the log or the panel. @returns undefined while no key can have been read. */
  async redactor(): Promise<Redactor | undefined> {
    const engine = await loadedEngine()?.catch(() => undefined);
    return engine?.createRedactor(this.#secrets);
  }

  async #makeProvided(
    { connection, ...request }: ProviderRequest,
    provided: NonNullable<Connection['provided']>,
    apiKey: string | undefined,
  ): Promise<Providers> {
    if (provided.key && apiKey === undefined) throw missingKey(connection, provided.key);
    if (request.raw && Object.keys(request.raw).length > 0) {
      const what = `${connection.label} takes no raw keys and no tool choice: its own code makes the request.`;
      throw new ConnectionProblem(
        'setting',
        what,
        'Take them out of the lane, or choose another connection.',
      );
    }
    const made = provided.make({ ...request, apiKey });
    if (typeof made !== 'string') return made;
    throw new ConnectionProblem('setting', made, 'Correct its code, or choose another connection.');
  }

  async #makeFromCatalog(request: ProviderRequest, apiKey: string | undefined): Promise<Providers> {
    const { connection, model, rescueToolCalls, raw, onRetry } = request;
    const { setting, demo } = connection;
    const entry = await catalogEntry(connection);
    const host = setting.host ?? entry.defaults.host;
    const target = demo ? undefined : originOf(host);
    if (!demo && target === undefined) throw new ConnectionProblem('setting', missingHost(connection));
    const key = await this.keyTarget(connection);
    if (key && apiKey === undefined) throw missingKey(connection, key);
    const { label: _label, provider: _provider, retry, ...options } = setting;
    return entry.create({
      ...options,
      host: demo ? await this.#demo.host(demo) : host,
      model: model ?? setting.model ?? entry.defaults.model,
      rescueToolCalls,
      ...(raw && { raw: mergeRaw(setting.raw, raw) }),
      // the demo is on this machine, whatever the proxy
      ...(target !== undefined && { network: readNetwork(target) }),
      ...(apiKey !== undefined && { apiKey }),
      retry: retry === false ? { maxAttempts: 1 } : { ...(retry === true ? {} : retry), onRetry },
    });
  }

  async #key(connection: Connection): Promise<string | undefined> {
    const target = await this.keyTarget(connection);
    const key = target && (await this.#keys.get(target.id, target.binding));
    if (key !== undefined) this.#secrets.add(key);
    return key;
  }

  async view(connection: Connection): Promise<ConnectionView> {
    const { id, label, scope, provided } = connection;
    const problem = connection.problem ?? provided?.problem;
    return {
      ...(provided ? provided.view : await toCatalogView(connection)),
      id,
      label,
      scope,
      hasKey: await this.hasKey(connection),
      ...(problem !== undefined && { problem }),
    };
  }
}

async function toCatalogView(
  connection: Connection,
): Promise<Omit<ConnectionView, 'id' | 'label' | 'scope' | 'hasKey'>> {
  const { CONNECT_TIMEOUT_MS, RETRY_DEFAULTS } = await loadEngine();
  const { setting, demo } = connection;
  const entry = await catalogEntry(connection);
  const origin = originOf(setting.host ?? entry.defaults.host);
  const retry = typeof setting.retry === 'object' ? setting.retry : {};
  const model = setting.model ?? entry.defaults.model;
  return {
    provider: setting.provider,
    address: demo ? 'built in' : (origin?.replace(/^https?:\/\//, '') ?? 'no address'),
    ...(model !== undefined && { model }),
    needsKey: !demo && entry.needsKey(setting),
    samplingKeys: {
      ...entry.samplingKeys,
      ...(setting.tokenLimitKey && { maxTokens: setting.tokenLimitKey }),
    },
    limits: {
      ...(retry.timeoutMs !== undefined && { timeoutMs: retry.timeoutMs }),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      maxAttempts: setting.retry === false ? 1 : (retry.maxAttempts ?? RETRY_DEFAULTS.maxAttempts),
    },
    hasToolChoice: setting.provider === 'hosted-api',
    hasRates: setting.costPer1kTokens !== undefined,
    ...(!demo && origin === undefined && { problem: missingHost(connection) }),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As the library merges `raw` into a request: key by key, and `options` key by key too. */
function mergeRaw(
  own: Readonly<Record<string, unknown>> = {},
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...own, ...raw };
  if (isObject(own.options) && isObject(raw.options)) merged.options = { ...own.options, ...raw.options };
  return merged;
}

const missingHost = ({ label }: Connection): string =>
  `${label} has no usable host: set one that begins with http:// or https://.`;

const missingKey = ({ label }: Connection, { recipient }: KeyTarget): ConnectionProblem =>
  new ConnectionProblem('key', `${label} needs an API key for ${recipient}.`);

async function catalogEntry({ setting }: Connection): Promise<CatalogEntry> {
  const { PROVIDER_CATALOG } = await loadEngine();
  const entry = PROVIDER_CATALOG.find(({ id }) => id === setting.provider);
  if (entry) return entry;
  throw new ConnectionProblem('setting', `No provider is called “${setting.provider}”.`);
}
type CatalogEntry = Awaited<ReturnType<typeof loadEngine>>['PROVIDER_CATALOG'][number];
