// The options of each provider. The defaults are defined where they are applied.
import type { SamplingParams, TokenCost } from '../../types';
import type { TransportCredentials } from '../transport/credentials';
import type { TokenLimitKey } from '../wire/hosted-api/hosted-api-body';

/** Options of every provider; `configure` stores them. */
export interface ProviderCredentials extends TransportCredentials {
  /** Default sampling of this provider; the sampling of an agent or a call overrides it key by key. */
  sampling?: SamplingParams | undefined;
  /**
   * Raw keys merged into the request body last, where they replace equal keys: `keep_alive`, `format`, `response_format`,
   * `user` … The local provider merges `raw.options` key by key into `options`.
   */
  raw?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether to recover tool calls that the model wrote as text. If false, that text stays the final answer, which shows that
   * the model did not use the native format. @default true
   */
  rescueToolCalls?: boolean | undefined;
  /** USD per 1000 tokens. Without it there is no `costUsd`, and a budget with `maxCostUsd` is refused. */
  costPer1kTokens?: TokenCost | undefined;
}

/** For `LocalHostProvider`: servers that speak Ollama's protocol. */
export interface LocalHostCredentials extends ProviderCredentials {
  /** Base URL, such as `http://127.0.0.1:11434`. */
  host: string;
  /** Chat model, under the name that the server uses. */
  model: string;
  /** Model for embeddings; most chat models are poor at them. @default the value of `model` */
  embedModel?: string | undefined;
}

/** For `HostedApiProvider`: servers that speak the OpenAI chat-completion protocol. */
export interface HostedApiCredentials extends ProviderCredentials {
  /** API key, sent as `auth` says. May be '' with `auth: 'none'`. */
  apiKey: string;
  /** Base URL, including the version. @default https://api.openai.com/v1 */
  host?: string | undefined;
  /** Chat model. @default gpt-4o-mini */
  model?: string | undefined;
  /** Model for embeddings. @default text-embedding-3-small */
  embedModel?: string | undefined;
  /**
   * How the key is sent: as `Authorization: Bearer`, as an `api-key` header, or not at all (llama-server, LM Studio, vLLM
   * without a key). @default 'bearer'
   */
  auth?: 'bearer' | 'api-key' | 'none' | undefined;
  /** Request key for `sampling.maxTokens`. Newer reasoning models refuse `max_tokens`. @default 'max_tokens' */
  tokenLimitKey?: TokenLimitKey | undefined;
}

/** For `MessagesApiProvider`: Anthropic's Messages API, and servers that speak it. */
export interface MessagesApiCredentials extends ProviderCredentials {
  /** API key, sent as `auth` says. May be '' with `auth: 'none'`. */
  apiKey: string;
  /** Base URL; `/v1` is added unless it ends in a version. @default https://api.anthropic.com */
  host?: string | undefined;
  /** Chat model. @default claude-haiku-4-5 */
  model?: string | undefined;
  /**
   * How the key is sent: as an `x-api-key` header, as `Authorization: Bearer` (gateways), or not at all (llama-server, Ollama,
   * LM Studio, vLLM without a key). @default 'api-key'
   */
  auth?: 'api-key' | 'bearer' | 'none' | undefined;
}

/** For `ResponsesApiProvider`: OpenAI's Responses API, and servers that speak it. */
export interface ResponsesApiCredentials extends ProviderCredentials {
  /** API key, sent as `auth` says. May be '' with `auth: 'none'`. */
  apiKey: string;
  /** Base URL; `/v1` is added unless it ends in a version. @default https://api.openai.com/v1 */
  host?: string | undefined;
  /** Chat model. @default gpt-4o-mini */
  model?: string | undefined;
  /** As for `HostedApiCredentials`. @default 'bearer' */
  auth?: HostedApiCredentials['auth'];
}
