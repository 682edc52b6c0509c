// What each provider is made with. Field by field the specification; the defaults stand where they are applied.
import type { SamplingParams, TokenCost } from '../../types';
import type { TransportCredentials } from '../transport/credentials';
import type { TokenLimitKey } from '../wire/hosted-api-body';

/** What every provider may be given; `configure` absorbs it. */
export interface ProviderCredentials extends TransportCredentials {
  /** This provider's default sampling; an agent's or a call's own wins key by key. */
  sampling?: SamplingParams | undefined;
  /** Raw keys merged into the request body, last: `keep_alive`, `format`, `response_format`, `user` … */
  raw?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Recover tool calls that the model wrote as text. When false that text stays the final answer, which shows that the
   * model did not use the native format. @default true
   */
  rescueToolCalls?: boolean | undefined;
  /** USD per 1000 tokens; without it there is no `costUsd`. */
  costPer1kTokens?: TokenCost | undefined;
}

/** For `LocalHostProvider`: servers that speak Ollama's protocol. */
export interface LocalHostCredentials extends ProviderCredentials {
  /** Such as `http://127.0.0.1:11434`. */
  host: string;
  model: string;
  /** Most chat models are poor at embeddings. @default the value of `model` */
  embedModel?: string | undefined;
}

/** For `HostedApiProvider`: servers that speak the OpenAI chat-completion protocol. */
export interface HostedApiCredentials extends ProviderCredentials {
  /** With `auth: 'none'` it may be ''. */
  apiKey: string;
  /** Base URL, version included. @default https://api.openai.com/v1 */
  host?: string | undefined;
  /** @default gpt-4o-mini */
  model?: string | undefined;
  /** @default text-embedding-3-small */
  embedModel?: string | undefined;
  /**
   * How the key is sent: `Authorization: Bearer`, an `api-key` header, or not at all (llama-server, LM Studio, vLLM without
   * a key). @default 'bearer'
   */
  auth?: 'bearer' | 'api-key' | 'none' | undefined;
  /** The key that `sampling.maxTokens` is sent as. @default 'max_tokens' */
  tokenLimitKey?: TokenLimitKey | undefined;
}
