// The catalog of the built-in providers: the name and requirements of each, and how it is created.
import type { NeutralRequest } from '../../types';
import { requireRecord } from '../util/check-options';
import { readHostedApiBody } from '../wire/hosted-api/hosted-api-body';
import { readLocalHostBody } from '../wire/local-host/local-host-body';
import { isLocalHostBody } from '../wire/local-host/local-host-forms';
import { readMessagesBody } from '../wire/messages/messages-body';
import { isMessagesBody, needReasoning } from '../wire/messages/messages-forms';
import { readResponsesBody } from '../wire/responses/responses-body';
import { isResponsesBody } from '../wire/responses/responses-forms';
import type { RecordedBody } from '../wire/request/read-request';
import { TOOL_CHOICE_KEY } from '../wire/request/tool-choice';
import type { SamplingKeys } from '../wire/sampling-keys';
import {
  HOSTED_API_SAMPLING_KEYS,
  LOCAL_HOST_SAMPLING_KEYS,
  MESSAGES_SAMPLING_KEYS,
  RESPONSES_SAMPLING_KEYS,
} from '../wire/sampling-keys';
import type { HostedApiCredentials, MessagesApiCredentials, ProviderCredentials } from './credentials';
import type { KeyHeader } from './key-header';
import {
  findRequestPath,
  HOSTED_API_CHAT,
  HOSTED_API_CHAT_PATH,
  HOSTED_API_DEFAULTS,
  HOSTED_API_KEY_HEADERS,
  HostedApiProvider,
} from './hosted-api-provider';
import type { KnownServer } from './known-servers';
import {
  findService,
  HOSTED_API_SERVERS,
  LOCAL_HOST_SERVERS,
  MESSAGES_API_SERVERS,
  RESPONSES_API_SERVERS,
} from './known-servers';
import { LOCAL_HOST_CHAT, LOCAL_HOST_CHAT_PATH, LocalHostProvider } from './local-host-provider';
import {
  MESSAGES_API_CHAT,
  MESSAGES_API_CHAT_PATH,
  MESSAGES_API_DEFAULTS,
  MESSAGES_API_KEY_HEADERS,
  MessagesApiProvider,
} from './messages-api-provider';
import type { Providers } from './providers';
import type { RecordedReply } from './read-recorded-reply';
import { readRecordedReply } from './read-recorded-reply';
import { RESPONSES_API_CHAT, RESPONSES_API_CHAT_PATH, ResponsesApiProvider } from './responses-api-provider';

/**
 * The credentials of any provider in the catalog, as read from settings and the key store. The fields are those of
 * `LocalHostCredentials`, `HostedApiCredentials` and their like; a provider ignores fields that it does not have.
 */
export interface ConnectionCredentials extends ProviderCredentials {
  host?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
  /** Id of a way in which a key can be sent, or `none`. */
  auth?: string | undefined;
  tokenLimitKey?: HostedApiCredentials['tokenLimitKey'];
}

/** What is to be known about the base URLs of a protocol. */
export interface AddressRules {
  /** Path below which such a server usually answers; '' is the origin itself. */
  basePath: string;
  example: string;
  /** The part at the end of an address that its requests add themselves; undefined when there is none. */
  findExcess: (host: string) => string | undefined;
}

/** A kind of connection: its name, its requirements, and how its provider is created. */
export interface CatalogEntry {
  /** Stable id, as in the settings. */
  id: string;
  /** Name for people. */
  title: string;
  /** The class of its providers, exported under its own name. */
  providerClass: abstract new (...args: never[]) => Providers;
  /** Whether it is assumed of a server about which nothing is known. */
  isUsual: boolean;
  /** Values for a connection without a `host` or `model`; undefined where the connection must have one. */
  defaults: { host: string | undefined; model: string | undefined };
  address: AddressRules;
  /** Ways in which a key can be sent, the usual one first; empty where none is sent. */
  auth: readonly KeyHeader[];
  /** Servers that speak it, in the order for lists. */
  servers: readonly KnownServer[];
  /** Whether a key must be stored before a request can be sent. */
  needsKey: (credentials: Pick<ConnectionCredentials, 'auth'>) => boolean;
  /** Neutral sampling key → request key; null for what the back end does not support. */
  samplingKeys: SamplingKeys;
  /** Key of the tool choice in the request; null where the protocol has none. */
  toolChoiceKey: string | null;
  /** Whether a server at this address may render prompts; absent: none does. */
  rendersPrompts?: (host: string) => boolean;
  /** How to get native calls from its servers, in one sentence; absent: the hint of the call's format is shown. */
  nativeHint?: string;
  /** End of the path of its chat requests, by which a recorded one is recognised. */
  chatPath: string;
  /** Where its replies report the counts of tokens and why they ended, as JSON Pointers. */
  replyPlaces: Readonly<Record<'promptTokens' | 'completionTokens' | 'finishReason', string>>;
  /** The words in which its replies say why they ended, where these are not the neutral ones. */
  finishWords?: Readonly<Partial<Record<string, string>>>;
  /** A client library of others that speaks it, in which a recorded request can be written. */
  client?: 'openai' | 'openai-responses' | 'anthropic' | 'ollama';
  /** Whether a body has what a chat of no other protocol has; absent: it is told from the others by having nothing of theirs. */
  isOwnBody?: (body: Readonly<Record<string, unknown>>) => boolean;
  /**
   * Names of the members of `raw` that the service takes only with the reasoning of earlier replies that have calls; absent: none.
   */
  needReasoning?: (raw: Readonly<Record<string, unknown>>) => string[];
  /** Reads the body of a recorded chat request back into neutral input; what has no such form stands in `raw`. */
  readRequest: (recorded: RecordedBody) => NeutralRequest;
  /** Reads the body of a recorded 2xx reply, whether it is a stream or not. @param offered Names of the offered tools. */
  readReply: (body: string, offered: readonly string[]) => RecordedReply;
  /** Creates a provider. @throws InvalidOptionsError for invalid credentials */
  create: (credentials: ConnectionCredentials) => Providers;
}

const ENTRIES: readonly CatalogEntry[] = [
  {
    id: 'local-host',
    title: 'Local model server (Ollama protocol)',
    providerClass: LocalHostProvider,
    isUsual: false,
    // An address with a path of a protocol is refused by the provider.
    address: { basePath: '', example: 'http://127.0.0.1:11434', findExcess: () => undefined },
    auth: [],
    servers: LOCAL_HOST_SERVERS,
    defaults: { host: undefined, model: undefined },
    needsKey: () => false,
    samplingKeys: LOCAL_HOST_SAMPLING_KEYS,
    toolChoiceKey: null,
    rendersPrompts: () => true,
    // The server parses only the syntax that the model's template defines; there is no option for others.
    nativeHint:
      'The server reads a call only in the format that the template of the model prescribes; `ollama show --template` prints it.',
    chatPath: LOCAL_HOST_CHAT_PATH,
    readReply: readRecordedReply(LOCAL_HOST_CHAT),
    replyPlaces: {
      promptTokens: '/prompt_eval_count',
      completionTokens: '/eval_count',
      finishReason: '/done_reason',
    },
    client: 'ollama',
    isOwnBody: isLocalHostBody,
    readRequest: readLocalHostBody,
    create: (credentials) => {
      requireRecord('credentials', credentials);
      const { host = '', model = '' } = credentials;
      return new LocalHostProvider({ ...credentials, host, model });
    },
  },
  {
    id: 'hosted-api',
    title: 'Hosted chat-completion API (OpenAI protocol)',
    providerClass: HostedApiProvider,
    isUsual: true,
    address: { basePath: '/v1', example: 'https://host.example/v1', findExcess: findRequestPath },
    auth: HOSTED_API_KEY_HEADERS,
    servers: HOSTED_API_SERVERS,
    defaults: { host: HOSTED_API_DEFAULTS.host, model: HOSTED_API_DEFAULTS.model },
    needsKey: ({ auth }) => auth !== 'none',
    samplingKeys: HOSTED_API_SAMPLING_KEYS,
    toolChoiceKey: TOOL_CHOICE_KEY,
    rendersPrompts: (host) => URL.canParse(host) && findService(new URL(host).host) === undefined,
    chatPath: HOSTED_API_CHAT_PATH,
    readReply: readRecordedReply(HOSTED_API_CHAT),
    replyPlaces: {
      promptTokens: '/usage/prompt_tokens',
      completionTokens: '/usage/completion_tokens',
      finishReason: '/choices/0/finish_reason',
    },
    client: 'openai',
    readRequest: readHostedApiBody,
    create: (credentials) => {
      requireRecord('credentials', credentials);
      // The constructor checks it.
      const auth = credentials.auth as HostedApiCredentials['auth'];
      return new HostedApiProvider({ ...credentials, auth, apiKey: credentials.apiKey ?? '' });
    },
  },
  {
    id: 'messages-api',
    title: 'Messages API (Anthropic protocol)',
    providerClass: MessagesApiProvider,
    isUsual: false,
    address: { basePath: '', example: 'https://host.example', findExcess: findRequestPath },
    auth: MESSAGES_API_KEY_HEADERS,
    servers: MESSAGES_API_SERVERS,
    defaults: MESSAGES_API_DEFAULTS,
    needsKey: ({ auth }) => auth !== 'none',
    samplingKeys: MESSAGES_SAMPLING_KEYS,
    toolChoiceKey: TOOL_CHOICE_KEY,
    chatPath: MESSAGES_API_CHAT_PATH,
    readReply: readRecordedReply(MESSAGES_API_CHAT),
    replyPlaces: {
      // Several counts together.
      promptTokens: '/usage',
      completionTokens: '/usage/output_tokens',
      finishReason: '/stop_reason',
    },
    finishWords: { length: 'max_tokens', tool_calls: 'tool_use' },
    client: 'anthropic',
    isOwnBody: isMessagesBody,
    needReasoning,
    readRequest: readMessagesBody,
    create: (credentials) => {
      requireRecord('credentials', credentials);
      // The constructor checks it.
      const auth = credentials.auth as MessagesApiCredentials['auth'];
      return new MessagesApiProvider({ ...credentials, auth, apiKey: credentials.apiKey ?? '' });
    },
  },
  {
    id: 'responses-api',
    title: 'Responses API (OpenAI protocol)',
    providerClass: ResponsesApiProvider,
    isUsual: false,
    address: { basePath: '/v1', example: 'https://host.example/v1', findExcess: findRequestPath },
    auth: HOSTED_API_KEY_HEADERS,
    servers: RESPONSES_API_SERVERS,
    defaults: { host: HOSTED_API_DEFAULTS.host, model: HOSTED_API_DEFAULTS.model },
    needsKey: ({ auth }) => auth !== 'none',
    samplingKeys: RESPONSES_SAMPLING_KEYS,
    toolChoiceKey: TOOL_CHOICE_KEY,
    chatPath: RESPONSES_API_CHAT_PATH,
    readReply: readRecordedReply(RESPONSES_API_CHAT),
    replyPlaces: {
      promptTokens: '/usage/input_tokens',
      completionTokens: '/usage/output_tokens',
      finishReason: '/incomplete_details/reason',
    },
    finishWords: { length: 'max_output_tokens' },
    client: 'openai-responses',
    isOwnBody: isResponsesBody,
    readRequest: readResponsesBody,
    create: (credentials) => {
      requireRecord('credentials', credentials);
      // The constructor checks it.
      const auth = credentials.auth as HostedApiCredentials['auth'];
      return new ResponsesApiProvider({ ...credentials, auth, apiKey: credentials.apiKey ?? '' });
    },
  },
];

/** The built-in providers, in the order for lists. Deeply frozen. */
export const PROVIDER_CATALOG: readonly CatalogEntry[] = Object.freeze(ENTRIES.map(freezeEntry));

/** Code that could replace `create` would receive the keys of other connections. */
function freezeEntry(entry: CatalogEntry): CatalogEntry {
  const { address, auth, defaults, finishWords, replyPlaces, samplingKeys, servers } = entry;
  for (const part of [
    address,
    auth,
    ...auth,
    defaults,
    finishWords,
    replyPlaces,
    samplingKeys,
    servers,
    ...servers,
  ])
    Object.freeze(part);
  return Object.freeze(entry);
}
