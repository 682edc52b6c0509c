// Connections, keys and the demo server in one place: what a panel may see of them, and providers made of them.
import type * as vscode from 'vscode';
import type { Providers, RetryPolicy } from '../../library';
import type { ConnectionView } from '../../protocol';
import { loadEngine } from '../load-engine';
import { readNetwork } from '../network/network-settings';
import type { ApiKeys } from './api-keys';
import type { Connection } from './connection';
import { originOf } from './connection';
import { ConnectionProblem } from './connection-problem';
import { readConnections } from './connection-settings';
import type { DemoBackEnd } from './demo-back-end';

export interface ProviderRequest {
  connection: Connection;
  model: string | undefined;
  rescueToolCalls: boolean;
  onRetry?: RetryPolicy['onRetry'];
}

export interface MadeProvider {
  provider: Providers;
  /** For the redaction of whatever this provider leads to. */
  secrets: string[];
}

export class ConnectionService {
  readonly #keys: ApiKeys;
  readonly #demo: DemoBackEnd;

  constructor(keys: ApiKeys, demo: DemoBackEnd) {
    this.#keys = keys;
    this.#demo = demo;
  }

  get onDidChangeKeys(): vscode.Event<void> {
    return this.#keys.onDidChange;
  }

  list(): Connection[] {
    return readConnections();
  }

  /** @throws ConnectionProblem when no connection has this id. */
  find(connectionId: string): Connection {
    const connection = this.list().find(({ id }) => id === connectionId);
    if (connection) return connection;
    throw new ConnectionProblem('unknown', `There is no connection “${connectionId}” any more.`);
  }

  async views(): Promise<ConnectionView[]> {
    return Promise.all(this.list().map((connection) => this.#toView(connection)));
  }

  /** The origin that a key of this connection is bound to; undefined when it has none. */
  async keyOrigin(connection: Connection): Promise<string | undefined> {
    if (connection.demo || connection.problem !== undefined) return undefined;
    const entry = await catalogEntry(connection);
    return entry.needsKey(connection.setting)
      ? originOf(connection.setting.host ?? entry.defaults.host)
      : undefined;
  }

  async hasKey(connection: Connection): Promise<boolean> {
    const origin = await this.keyOrigin(connection);
    return origin !== undefined && (await this.#keys.get(connection.id, origin)) !== undefined;
  }

  /** @throws ConnectionProblem, InvalidOptionsError */
  async makeProvider(request: ProviderRequest): Promise<MadeProvider> {
    const { connection, model, rescueToolCalls, onRetry } = request;
    const { setting } = connection;
    if (connection.problem !== undefined) throw new ConnectionProblem('setting', connection.problem);
    const entry = await catalogEntry(connection);
    const host = setting.host ?? entry.defaults.host;
    const target = connection.demo ? undefined : originOf(host);
    if (!connection.demo && target === undefined) {
      throw new ConnectionProblem('setting', missingHost(connection));
    }
    const origin = await this.keyOrigin(connection);
    const apiKey = origin === undefined ? undefined : await this.#keys.get(connection.id, origin);
    if (entry.needsKey(setting) && apiKey === undefined) {
      throw new ConnectionProblem('key', `${connection.label} needs an API key for ${origin}.`);
    }
    const { label: _label, provider: _provider, retry, ...options } = setting;
    const provider = entry.create({
      ...options,
      host: connection.demo ? await this.#demo.host(connection.demo) : host,
      model: model ?? setting.model ?? entry.defaults.model,
      rescueToolCalls,
      // the demo is on this machine, whatever the proxy
      ...(target !== undefined && { network: readNetwork(target) }),
      ...(apiKey !== undefined && { apiKey }),
      retry: retry === false ? { maxAttempts: 1 } : { ...(retry === true ? {} : retry), onRetry },
    });
    return { provider, secrets: apiKey === undefined ? [] : [apiKey] };
  }

  async #toView(connection: Connection): Promise<ConnectionView> {
    const { CONNECT_TIMEOUT_MS, RETRY_DEFAULTS } = await loadEngine();
    const { id, label, scope, setting, problem, demo } = connection;
    const entry = await catalogEntry(connection);
    const host = setting.host ?? entry.defaults.host;
    const origin = originOf(host);
    const retry = typeof setting.retry === 'object' ? setting.retry : {};
    const missing = !demo && origin === undefined ? missingHost(connection) : undefined;
    return {
      id,
      label,
      provider: setting.provider,
      address: demo ? 'built in' : (origin?.replace(/^https?:\/\//, '') ?? 'no address'),
      scope,
      ...((setting.model ?? entry.defaults.model) !== undefined && {
        model: setting.model ?? entry.defaults.model,
      }),
      needsKey: !demo && entry.needsKey(setting),
      hasKey: await this.hasKey(connection),
      samplingKeys: {
        ...entry.samplingKeys,
        ...(setting.tokenLimitKey && { maxTokens: setting.tokenLimitKey }),
      },
      limits: {
        ...(retry.timeoutMs !== undefined && { timeoutMs: retry.timeoutMs }),
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        maxAttempts: setting.retry === false ? 1 : (retry.maxAttempts ?? RETRY_DEFAULTS.maxAttempts),
      },
      ...((problem ?? missing) !== undefined && { problem: problem ?? missing }),
    };
  }
}

const missingHost = ({ label }: Connection): string =>
  `${label} has no usable host: set one that begins with http:// or https://.`;

async function catalogEntry({ setting }: Connection): Promise<CatalogEntry> {
  const { PROVIDER_CATALOG } = await loadEngine();
  const entry = PROVIDER_CATALOG.find(({ id }) => id === setting.provider);
  if (entry) return entry;
  throw new ConnectionProblem('setting', `No provider is called “${setting.provider}”.`);
}
type CatalogEntry = Awaited<ReturnType<typeof loadEngine>>['PROVIDER_CATALOG'][number];
