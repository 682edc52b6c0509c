// What the library's catalog of providers makes of a connection: its view, and the credentials of its provider. Part
// of the engine; independent of vscode.
import { t } from '@vscode/l10n';
import type { CatalogEntry, ConnectionCredentials, KnownServer, NetworkOptions } from '../library';
import { CONNECT_TIMEOUT_MS, HOST_PLACEHOLDER, isRecord, PROVIDER_CATALOG, RETRY_DEFAULTS } from '../library';
import type { ConnectionView } from '../protocol';
import type { Connection, ProviderRequest } from './connection';
import { ConnectionProblem } from './connection-problem';
import { originOf } from './origin';

/** @throws ConnectionProblem when the setting names no provider of the catalog. */
export function catalogEntry({ setting }: Pick<Connection, 'setting'>): CatalogEntry {
  const entry = PROVIDER_CATALOG.find(({ id }) => id === setting.provider);
  if (entry) return entry;
  throw new ConnectionProblem('setting', t('No provider is called “{0}”.', setting.provider));
}

/** The service that an address belongs to. */
export const serviceAt = (
  host: string | undefined,
  servers: readonly KnownServer[],
): KnownServer | undefined => servers.find((server) => server.kind === 'hosted' && isAt(host, server));

/** Whether an address is the one of a service; a part that only its customer knows may be anything. */
function isAt(host: string | undefined, service: KnownServer): boolean {
  const [origin, known] = [originOf(host), originOf(service.host)];
  if (origin === undefined || known === undefined) return false;
  const [given, expected] = [new URL(origin).hostname, new URL(known).hostname];
  return service.host.includes(HOST_PLACEHOLDER)
    ? given.endsWith(expected.replace(HOST_PLACEHOLDER.toLowerCase(), ''))
    : given === expected;
}

export function toCatalogView(
  connection: Connection,
): Omit<ConnectionView, 'id' | 'label' | 'scope' | 'hasKey'> {
  const { setting, builtIn } = connection;
  const entry = catalogEntry(connection);
  const origin = originOf(setting.host ?? entry.defaults.host);
  const retry = typeof setting.retry === 'object' ? setting.retry : {};
  const model = setting.model ?? entry.defaults.model;
  const canRender =
    entry.rendersPrompts && (builtIn ?? entry.rendersPrompts(setting.host ?? entry.defaults.host ?? ''));
  return {
    provider: setting.provider,
    address: builtIn ? t('built in') : (origin?.replace(/^https?:\/\//, '') ?? t('no address')),
    ...(model !== undefined && { model }),
    needsKey: !builtIn && entry.needsKey(setting),
    samplingKeys: {
      ...entry.samplingKeys,
      ...(setting.tokenLimitKey && { maxTokens: setting.tokenLimitKey }),
    },
    limits: {
      ...(retry.timeoutMs !== undefined && { timeoutMs: retry.timeoutMs }),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      maxAttempts: setting.retry === false ? 1 : (retry.maxAttempts ?? RETRY_DEFAULTS.maxAttempts),
    },
    toolChoiceKey: entry.toolChoiceKey,
    ...(canRender && { rendersPrompts: true }),
    hasRates: setting.costPer1kTokens !== undefined,
    ...(setting.costPer1kTokens && { rates: setting.costPer1kTokens }),
    ...(setting.sampling && { sampling: setting.sampling }),
    ...(setting.rescueToolCalls === false && { isRescueOff: true }),
    ...(!builtIn && origin === undefined && { problem: missingHost(connection) }),
  };
}

export const missingHost = ({ label }: Connection): string =>
  t('{0} has no usable host: set one that begins with http:// or https://.', label);

/** Everything of the credentials that the settings and the request do not have. */
interface Completion {
  host: string | undefined;
  apiKey: string | undefined;
  /** Secret headers. */
  headers: Readonly<Record<string, string>>;
  network: NetworkOptions | undefined;
}

export function toCredentials(
  { connection, model, rescueToolCalls, raw, onRetry }: ProviderRequest,
  { host, apiKey, headers, network }: Completion,
): ConnectionCredentials {
  const { label: _label, provider: _provider, retry, ...options } = connection.setting;
  return {
    ...options,
    ...nameSecrets(Object.values(headers)),
    headers: mergeHeaders(options.headers, headers),
    host,
    model: model ?? options.model ?? catalogEntry(connection).defaults.model,
    rescueToolCalls: rescueToolCalls && options.rescueToolCalls !== false,
    ...(raw && { raw: mergeRaw(options.raw, raw) }),
    ...(network && { network }),
    ...(apiKey !== undefined && { apiKey }),
    retry: retry === false ? { maxAttempts: 1 } : { ...(retry === true ? {} : retry), onRetry },
  };
}

/** Merges `raw` as the library does: key by key, including the keys of `options`. */
function mergeRaw(
  own: Readonly<Record<string, unknown>> = {},
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...own, ...raw };
  if (isRecord(own.options) && isRecord(raw.options)) merged.options = { ...own.options, ...raw.options };
  return merged;
}

/** A secret header replaces one from the settings, whatever its case. */
function mergeHeaders(
  own: Readonly<Record<string, string>> = {},
  secret: Readonly<Record<string, string>>,
): Record<string, string> {
  const rest = Object.entries(own).filter(([name]) => !Object.hasOwn(secret, name.toLowerCase()));
  return { ...Object.fromEntries(rest), ...secret };
}

/** Gives the values names that the library redacts everywhere, whatever the headers are called. */
const nameSecrets = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, index) => [`header${index}Secret`, value]));
