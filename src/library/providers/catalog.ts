// The catalog of the built-in providers: the name and requirements of each, and how it is created.
import { requireRecord } from '../util/check-options';
import { TOOL_CHOICE_KEY } from '../wire/request/tool-choice';
import type { SamplingKeys } from '../wire/sampling-keys';
import { HOSTED_API_SAMPLING_KEYS, LOCAL_HOST_SAMPLING_KEYS } from '../wire/sampling-keys';
import type { HostedApiCredentials, ProviderCredentials } from './credentials';
import { HOSTED_API_DEFAULTS, HostedApiProvider } from './hosted-api-provider';
import { LocalHostProvider } from './local-host-provider';
import type { Providers } from './providers';

/**
 * The credentials of any provider in the catalog, as read from settings and the key store. The fields are those of
 * `LocalHostCredentials` and `HostedApiCredentials`; a provider ignores fields that it does not have.
 */
export interface ConnectionCredentials extends ProviderCredentials {
  host?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
  auth?: HostedApiCredentials['auth'];
  tokenLimitKey?: HostedApiCredentials['tokenLimitKey'];
}

/** A kind of connection: its name, its requirements, and how its provider is created. */
export interface CatalogEntry {
  /** Stable id, such as `local-host`. */
  id: string;
  /** Name for people. */
  title: string;
  /** Values for a connection without a `host` or `model`; undefined where the connection must have one. */
  defaults: { host: string | undefined; model: string | undefined };
  /** Whether a key must be stored before a request can be sent. */
  needsKey: (credentials: Pick<ConnectionCredentials, 'auth'>) => boolean;
  /** Neutral sampling key → request key; null for what the back end does not support. */
  samplingKeys: SamplingKeys;
  /** Key of the tool choice in the request; null where the protocol has none. */
  toolChoiceKey: string | null;
  /** How to get native calls from its servers, in one sentence; absent: the hint of the call's format is shown. */
  nativeHint?: string;
  /** Creates a provider. @throws InvalidOptionsError for invalid credentials */
  create: (credentials: ConnectionCredentials) => Providers;
}

const ENTRIES: readonly CatalogEntry[] = [
  {
    id: 'local-host',
    title: 'Local model server (Ollama protocol)',
    defaults: { host: undefined, model: undefined },
    needsKey: () => false,
    samplingKeys: LOCAL_HOST_SAMPLING_KEYS,
    toolChoiceKey: null,
    // The server parses only the syntax that the model's template defines; there is no option for others.
    nativeHint:
      'The server reads a call only in the format that the template of the model prescribes; `ollama show --template` prints it.',
    create: (credentials) => {
      requireRecord('credentials', credentials);
      const { host = '', model = '' } = credentials;
      return new LocalHostProvider({ ...credentials, host, model });
    },
  },
  {
    id: 'hosted-api',
    title: 'Hosted chat-completion API (OpenAI protocol)',
    defaults: { host: HOSTED_API_DEFAULTS.host, model: HOSTED_API_DEFAULTS.model },
    needsKey: ({ auth }) => auth !== 'none',
    samplingKeys: HOSTED_API_SAMPLING_KEYS,
    toolChoiceKey: TOOL_CHOICE_KEY,
    create: (credentials) => {
      requireRecord('credentials', credentials);
      return new HostedApiProvider({ ...credentials, apiKey: credentials.apiKey ?? '' });
    },
  },
];

/** The built-in providers, in the order for lists. Deeply frozen. */
export const PROVIDER_CATALOG: readonly CatalogEntry[] = Object.freeze(ENTRIES.map(freezeEntry));

/** Code that could replace `create` would receive the keys of other connections. */
function freezeEntry(entry: CatalogEntry): CatalogEntry {
  for (const part of [entry.defaults, entry.samplingKeys]) Object.freeze(part);
  return Object.freeze(entry);
}
