// The built-in providers, one entry each: what a connection of that kind is called, needs, and how it is made.
import type { SamplingKeys } from '../wire/sampling-keys';
import { HOSTED_API_SAMPLING_KEYS, LOCAL_HOST_SAMPLING_KEYS } from '../wire/sampling-keys';
import type { HostedApiCredentials, ProviderCredentials } from './credentials';
import { HOSTED_API_DEFAULTS, HostedApiProvider } from './hosted-api-provider';
import { LocalHostProvider } from './local-host-provider';
import type { Providers } from './providers';

/** The credentials of any provider in the catalog, as read from settings and the key store. */
export interface ConnectionCredentials extends ProviderCredentials {
  host?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
  auth?: HostedApiCredentials['auth'];
  tokenLimitKey?: HostedApiCredentials['tokenLimitKey'];
}

/** A kind of connection: its name, what it needs, and how its provider is made. */
export interface CatalogEntry {
  id: string;
  title: string;
  /** What a connection without a `host` or `model` gets; undefined where one must be given. */
  defaults: { host: string | undefined; model: string | undefined };
  /** Whether a key must be stored before a request can be sent. */
  needsKey: (credentials: Pick<ConnectionCredentials, 'auth'>) => boolean;
  samplingKeys: SamplingKeys;
  /** How its servers come to return a call natively, in one sentence; absent: what the format of the call says. */
  nativeHint?: string;
  /** @throws InvalidOptionsError */
  create: (credentials: ConnectionCredentials) => Providers;
}

const ENTRIES: readonly CatalogEntry[] = [
  {
    id: 'local-host',
    title: 'Local model server (Ollama protocol)',
    defaults: { host: undefined, model: undefined },
    needsKey: () => false,
    samplingKeys: LOCAL_HOST_SAMPLING_KEYS,
    // the form of a call is part of the template of a model; there is no flag for it
    nativeHint:
      'The server takes only the form that the template of the model names: see `ollama show --template`.',
    create: (credentials) =>
      new LocalHostProvider({ ...credentials, host: credentials.host ?? '', model: credentials.model ?? '' }),
  },
  {
    id: 'hosted-api',
    title: 'Hosted chat-completion API (OpenAI protocol)',
    defaults: { host: HOSTED_API_DEFAULTS.host, model: HOSTED_API_DEFAULTS.model },
    needsKey: ({ auth }) => auth !== 'none',
    samplingKeys: HOSTED_API_SAMPLING_KEYS,
    create: (credentials) => new HostedApiProvider({ ...credentials, apiKey: credentials.apiKey ?? '' }),
  },
];

/** The built-in providers, in the order in which a list shows them. Frozen, and so is all that is in it. */
export const PROVIDER_CATALOG: readonly CatalogEntry[] = Object.freeze(ENTRIES.map(freezeEntry));

/** Whoever could put another `create` into it would be given the keys of other connections. */
function freezeEntry(entry: CatalogEntry): CatalogEntry {
  for (const part of [entry.defaults, entry.samplingKeys]) Object.freeze(part);
  return Object.freeze(entry);
}
