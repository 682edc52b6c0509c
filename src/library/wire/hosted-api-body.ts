// Neutral input → the body of a hosted chat completion, as it is before raw goes over it. Pure.
import type { Message } from '../../types';
import { translateSampling } from '../sampling/translate-sampling';
import type { SamplingKeys, WireSampling } from './sampling-keys';
import { HOSTED_API_SAMPLING_KEYS } from './sampling-keys';
import { toArgumentsText } from './tool-arguments';
import { linkToolResults } from './tool-results';
import type { WireTool } from './tools';
import { toWireTools } from './tools';
import type { TranslatedInput, WireInput } from './wire-shapes';
import { toResultText } from './wire-shapes';

/** Newer reasoning models refuse `max_tokens`; Ollama, Mistral and older servers know only that one. */
export type TokenLimitKey = 'max_tokens' | 'max_completion_tokens';

type HostedApiSampling = WireSampling<
  Omit<typeof HOSTED_API_SAMPLING_KEYS, 'maxTokens'> & { maxTokens: TokenLimitKey }
>;

/** `POST {host}/chat/completions`. */
export type HostedApiBody = HostedApiSampling & {
  model: string;
  messages: HostedApiMessage[];
  tools?: WireTool[];
};

/** Without `include_usage` a stream tells no counts. */
export type HostedApiStreamBody = HostedApiBody & {
  stream: true;
  stream_options: { include_usage: true };
};

export type HostedApiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: HostedApiToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };

export interface HostedApiToolCall {
  id: string;
  type: 'function';
  /** JSON text. */
  function: { name: string; arguments: string };
  extra_content?: Readonly<Record<string, unknown>>;
}

const SAMPLING_KEYS: Readonly<Record<TokenLimitKey, SamplingKeys>> = {
  max_tokens: HOSTED_API_SAMPLING_KEYS,
  max_completion_tokens: { ...HOSTED_API_SAMPLING_KEYS, maxTokens: 'max_completion_tokens' },
};

export function toHostedApiBody(
  input: WireInput,
  tokenLimitKey: TokenLimitKey,
): TranslatedInput<HostedApiBody | HostedApiStreamBody> {
  const { model, tools, messages, sampling, isStreaming } = input;
  const { params, sent, dropped } = translateSampling(sampling, SAMPLING_KEYS[tokenLimitKey]);
  const body: HostedApiBody = {
    model,
    messages: linkToolResults(messages).map(toMessage),
    ...(tools.length > 0 && { tools: toWireTools(tools) }),
    ...(params as HostedApiSampling),
  };
  return { body: isStreaming ? toStreamBody(body) : body, sent, dropped };
}

const toStreamBody = (body: HostedApiBody): HostedApiStreamBody => ({
  ...body,
  stream: true,
  stream_options: { include_usage: true },
});

/** Content is never null, which older servers refuse beside tool calls. */
function toMessage(message: Message): HostedApiMessage {
  const { role, content, toolCalls = [], toolCallId } = message;
  // the field must be there: without the call that it answers nothing better is known
  if (role === 'tool') return { role, tool_call_id: toolCallId ?? '', content: toResultText(message) };
  if (role !== 'assistant' || toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map(({ id, name, arguments: args, extraContent }): HostedApiToolCall => ({
    id,
    type: 'function',
    function: { name, arguments: toArgumentsText(args) },
    ...(extraContent && { extra_content: extraContent }),
  }));
  return { role, content, tool_calls: calls };
}
