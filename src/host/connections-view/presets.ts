// Servers and services that a connection can be added for, one line each, with the page that documents its facts.
// Pure data.
import type { ConnectionSetting } from '../../connections';

export interface Preset {
  label: string;
  kind: 'local' | 'hosted';
  /** The settings of the connection, as far as they are known in advance. */
  setting: Omit<ConnectionSetting, 'label' | 'model'>;
  source: string;
}

const local = { provider: 'hosted-api', auth: 'none' } as const;
const hosted = { provider: 'hosted-api' } as const;
/** Reasoning models of OpenAI and Azure refuse `max_tokens`. */
const NEW_LIMIT_KEY = { tokenLimitKey: 'max_completion_tokens' } as const;

/** Marks the part of an address that only the user knows. */
export const PLACEHOLDER = 'YOUR-RESOURCE-NAME';

// prettier-ignore
export const PRESETS: readonly Preset[] = [
  { label: 'Ollama', kind: 'local', setting: { provider: 'local-host', host: 'http://127.0.0.1:11434' }, source: 'https://docs.ollama.com/api' },
  { label: 'LM Studio', kind: 'local', setting: { ...local, host: 'http://127.0.0.1:1234/v1' }, source: 'https://lmstudio.ai/docs/developer/openai-compat' },
  { label: 'llama-server', kind: 'local', setting: { ...local, host: 'http://127.0.0.1:8080/v1' }, source: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server' },
  { label: 'vLLM', kind: 'local', setting: { ...local, host: 'http://127.0.0.1:8000/v1' }, source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html' },
  { label: 'OpenAI', kind: 'hosted', setting: { ...hosted, host: 'https://api.openai.com/v1', ...NEW_LIMIT_KEY }, source: 'https://platform.openai.com/docs/api-reference' },
  { label: 'OpenRouter', kind: 'hosted', setting: { ...hosted, host: 'https://openrouter.ai/api/v1' }, source: 'https://openrouter.ai/docs/quickstart' },
  { label: 'Groq', kind: 'hosted', setting: { ...hosted, host: 'https://api.groq.com/openai/v1' }, source: 'https://console.groq.com/docs/openai' },
  { label: 'Mistral', kind: 'hosted', setting: { ...hosted, host: 'https://api.mistral.ai/v1' }, source: 'https://docs.mistral.ai/api' },
  { label: 'DeepSeek', kind: 'hosted', setting: { ...hosted, host: 'https://api.deepseek.com/v1' }, source: 'https://api-docs.deepseek.com' },
  { label: 'Together', kind: 'hosted', setting: { ...hosted, host: 'https://api.together.ai/v1' }, source: 'https://docs.together.ai/docs/inference/openai-compatibility' },
  { label: 'Ollama Cloud', kind: 'hosted', setting: { ...hosted, host: 'https://ollama.com/v1' }, source: 'https://docs.ollama.com/api/authentication' },
  { label: 'Gemini', kind: 'hosted', setting: { ...hosted, host: 'https://generativelanguage.googleapis.com/v1beta/openai' }, source: 'https://ai.google.dev/gemini-api/docs/openai' },
  { label: 'Azure OpenAI', kind: 'hosted', setting: { ...hosted, host: `https://${PLACEHOLDER}.openai.azure.com/openai/v1`, auth: 'api-key', ...NEW_LIMIT_KEY }, source: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle' },
];
