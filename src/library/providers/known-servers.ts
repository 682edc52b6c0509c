// Servers and services by the protocol that they speak, one line each, with the page that documents their facts. Pure data.
import type { ServerProduct } from '../../types';
import type { HostedApiCredentials } from './credentials';

/** A server that a connection can be set up for without knowing its address by heart. */
export interface KnownServer {
  label: string;
  /** `local`: on this machine or network, usually at this port. */
  kind: 'local' | 'hosted';
  /** The product as which its replies are recognized. */
  product?: ServerProduct;
  /** Base URL; may contain `HOST_PLACEHOLDER`. */
  host: string;
  /** Absent: the default of its provider. */
  auth?: NonNullable<HostedApiCredentials['auth']>;
  tokenLimitKey?: NonNullable<HostedApiCredentials['tokenLimitKey']>;
  source: string;
}

/** Marks the part of an address that only the user knows. */
export const HOST_PLACEHOLDER = 'YOUR-RESOURCE-NAME';

/** Reasoning models of OpenAI and Azure refuse `max_tokens`. */
const NEW_LIMIT_KEY = { tokenLimitKey: 'max_completion_tokens' } as const;
const local = { kind: 'local', auth: 'none' } as const;
const hosted = { kind: 'hosted' } as const;

// prettier-ignore
export const LOCAL_HOST_SERVERS: readonly KnownServer[] = [
  { label: 'Ollama', kind: 'local', product: 'ollama', host: 'http://127.0.0.1:11434', source: 'https://docs.ollama.com/api' },
];

// prettier-ignore
export const HOSTED_API_SERVERS: readonly KnownServer[] = [
  { ...local, label: 'LM Studio', product: 'lm-studio', host: 'http://127.0.0.1:1234/v1', source: 'https://lmstudio.ai/docs/developer/openai-compat' },
  { ...local, label: 'llama-server', product: 'llama-server', host: 'http://127.0.0.1:8080/v1', source: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server' },
  { ...local, label: 'vLLM', product: 'vllm', host: 'http://127.0.0.1:8000/v1', source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html' },
  { ...hosted, label: 'OpenAI', host: 'https://api.openai.com/v1', ...NEW_LIMIT_KEY, source: 'https://platform.openai.com/docs/api-reference' },
  { ...hosted, label: 'Anthropic', host: 'https://api.anthropic.com/v1', source: 'https://docs.anthropic.com/en/api/openai-sdk' },
  { ...hosted, label: 'OpenRouter', host: 'https://openrouter.ai/api/v1', source: 'https://openrouter.ai/docs/quickstart' },
  { ...hosted, label: 'Groq', host: 'https://api.groq.com/openai/v1', source: 'https://console.groq.com/docs/openai' },
  { ...hosted, label: 'Mistral', host: 'https://api.mistral.ai/v1', source: 'https://docs.mistral.ai/api' },
  { ...hosted, label: 'DeepSeek', host: 'https://api.deepseek.com/v1', source: 'https://api-docs.deepseek.com' },
  { ...hosted, label: 'Together', host: 'https://api.together.ai/v1', source: 'https://docs.together.ai/docs/inference/openai-compatibility' },
  { ...hosted, label: 'Ollama Cloud', host: 'https://ollama.com/v1', source: 'https://docs.ollama.com/api/authentication' },
  { ...hosted, label: 'Gemini', host: 'https://generativelanguage.googleapis.com/v1beta/openai', source: 'https://ai.google.dev/gemini-api/docs/openai' },
  { ...hosted, label: 'Azure OpenAI', host: `https://${HOST_PLACEHOLDER}.openai.azure.com/openai/v1`, auth: 'api-key', ...NEW_LIMIT_KEY, source: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle' },
];

// The local ones have no product: a server that runs is found by the protocols above, and then asked which others it speaks.

// prettier-ignore
export const MESSAGES_API_SERVERS: readonly KnownServer[] = [
  { ...local, label: 'Ollama (Messages API)', host: 'http://127.0.0.1:11434', source: 'https://docs.ollama.com/api/anthropic-compatibility' },
  { ...local, label: 'LM Studio (Messages API)', host: 'http://127.0.0.1:1234', source: 'https://lmstudio.ai/docs/developer/anthropic-compat' },
  { ...local, label: 'llama-server (Messages API)', host: 'http://127.0.0.1:8080', source: 'https://huggingface.co/blog/ggml-org/anthropic-messages-api-in-llamacpp' },
  { ...local, label: 'vLLM (Messages API)', host: 'http://127.0.0.1:8000', source: 'https://github.com/vllm-project/vllm/tree/main/vllm/entrypoints/anthropic' },
  { ...hosted, label: 'Anthropic (Messages API)', host: 'https://api.anthropic.com', source: 'https://docs.claude.com/en/api/messages' },
  { ...hosted, label: 'DeepSeek (Messages API)', host: 'https://api.deepseek.com/anthropic', source: 'https://api-docs.deepseek.com/guides/anthropic_api' },
  { ...hosted, label: 'OpenRouter (Messages API)', host: 'https://openrouter.ai/api/v1', auth: 'bearer', source: 'https://openrouter.ai/docs/api-reference/overview' },
];

// prettier-ignore
export const RESPONSES_API_SERVERS: readonly KnownServer[] = [
  { ...local, label: 'Ollama (Responses API)', host: 'http://127.0.0.1:11434/v1', source: 'https://docs.ollama.com/api/openai-compatibility' },
  { ...local, label: 'LM Studio (Responses API)', host: 'http://127.0.0.1:1234/v1', source: 'https://lmstudio.ai/blog/lmstudio-v0.3.29' },
  { ...local, label: 'llama-server (Responses API)', host: 'http://127.0.0.1:8080/v1', source: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server' },
  { ...local, label: 'vLLM (Responses API)', host: 'http://127.0.0.1:8000/v1', source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html' },
  { ...hosted, label: 'OpenAI (Responses API)', host: 'https://api.openai.com/v1', source: 'https://platform.openai.com/docs/api-reference/responses' },
  { ...hosted, label: 'Azure OpenAI (Responses API)', host: `https://${HOST_PLACEHOLDER}.openai.azure.com/openai/v1`, auth: 'api-key', source: 'https://learn.microsoft.com/azure/foundry/openai/how-to/responses' },
  { ...hosted, label: 'OpenRouter (Responses API)', host: 'https://openrouter.ai/api/v1', source: 'https://openrouter.ai/docs/api-reference/responses-api/overview' },
];

/** The known hosted service with this host. */
export const findService = (host: string): KnownServer | undefined =>
  HOSTED_API_SERVERS.find((server) => {
    const known = new URL(server.host.replace(`${HOST_PLACEHOLDER}.`, '')).host;
    return server.kind === 'hosted' && (host === known || host.endsWith(`.${known}`));
  });
