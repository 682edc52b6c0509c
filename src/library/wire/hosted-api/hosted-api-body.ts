// Translates neutral input into the body of a hosted chat completion, before the raw keys are merged into it, and a recorded
// body back. Pure.
import type { Message, NeutralRequest, ToolType } from '../../../types';
import { translateSampling } from '../../sampling/translate-sampling';
import type { SamplingKeys, WireSampling } from '../sampling-keys';
import { HOSTED_API_SAMPLING_KEYS } from '../sampling-keys';
import { toText } from '../../util/json';
import { writeArguments } from '../request/arguments-text';
import type { RecordedBody } from '../request/read-request';
import { readMessages, readRequest, readTools } from '../request/read-request';
import { readReplay } from '../request/replay';
import { linkToolResults } from '../request/tool-results';
import type { WireTool } from '../request/tools';
import { toWireTools } from '../request/tools';
import type { WireToolChoice } from '../request/tool-choice';
import { readChoice, TOOL_CHOICE_KEY, toToolChoiceField } from '../request/tool-choice';
import type { TranslatedInput, WireInput } from '../wire-shapes';
import { TIDY_HOSTED_API } from './hosted-api-forms';
import { pickReasoning, REPLAY_KIND, toReplay } from './reasoning-fields';
import { toResultText } from '../wire-shapes';

/**
 * Request key for the token limit. Newer reasoning models refuse `max_tokens`; Ollama, Mistral and older servers know only
 * that.
 */
export type TokenLimitKey = 'max_tokens' | 'max_completion_tokens';

type HostedApiSampling = WireSampling<
  Omit<typeof HOSTED_API_SAMPLING_KEYS, 'maxTokens'> & { maxTokens: TokenLimitKey }
>;

/** Body of `POST {host}/chat/completions`. */
export type HostedApiBody = HostedApiSampling & {
  model: string;
  messages: HostedApiMessage[];
  tools?: HostedApiTool[];
  tool_choice?: WireToolChoice;
};

/** Without this option a stream reports no token counts. */
export const INCLUDE_USAGE = { include_usage: true } as const;

export type HostedApiStreamBody = HostedApiBody & {
  stream: true;
  stream_options: typeof INCLUDE_USAGE;
};

export type HostedApiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: HostedApiToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };

export type HostedApiTool = WireTool & { function: { strict?: boolean } };

export interface HostedApiToolCall {
  id: string;
  type: 'function';
  /** `arguments` is JSON text. */
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
  const { model, tools, messages, sampling, toolChoice, isStreaming } = input;
  const { params, sent, dropped } = translateSampling(sampling, SAMPLING_KEYS[tokenLimitKey]);
  const replaced: string[] = [];
  const body: HostedApiBody = {
    model,
    messages: linkToolResults(messages).map((message, index) =>
      toMessage(message, index, { model, replaced }),
    ),
    ...(tools.length > 0 && { tools: toHostedTools(tools) }),
    ...toToolChoiceField(toolChoice, tools),
    ...(params as HostedApiSampling),
  };
  return { body: isStreaming ? toStreamBody(body) : body, sent, dropped, replaced };
}

const toHostedTools = (tools: readonly ToolType[]): HostedApiTool[] =>
  toWireTools(tools).map((tool, index) => {
    const strict = tools[index]?.strict;
    return strict === undefined ? tool : { ...tool, function: { ...tool.function, strict } };
  });

const toStreamBody = (body: HostedApiBody): HostedApiStreamBody => ({
  ...body,
  stream: true,
  stream_options: INCLUDE_USAGE,
});

/**
 * `content` is never null, because older servers refuse that in a message with tool calls.
 * @param replaced Receives the paths of values that were replaced or left out.
 */
function toMessage(
  message: Message,
  index: number,
  { model, replaced }: { model: string; replaced: string[] },
): HostedApiMessage {
  const { role, content, toolCalls = [], toolCallId } = message;
  // The field is required, and without the call that this result answers there is no better value.
  if (role === 'tool') return { role, tool_call_id: toolCallId ?? '', content: toResultText(message) };
  if (role !== 'assistant' || toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map(({ id, name, arguments: args, extraContent }, at): HostedApiToolCall => {
    const place = `messages[${index}].tool_calls[${at}].function.arguments`;
    return {
      id,
      type: 'function',
      function: { name, arguments: writeArguments(args, place, replaced) },
      ...(extraContent && { extra_content: extraContent }),
    };
  });
  const replay = readReplay(message, index, { provider: REPLAY_KIND, model }, replaced);
  // Only known fields: stored data may have been changed.
  return { role, content, ...pickReasoning(replay), tool_calls: calls };
}

/** Reads a body back into the input that makes it; see `readRequest`. */
export const readHostedApiBody = (recorded: RecordedBody): NeutralRequest =>
  readRequest(recorded, {
    keys: { messages: 'messages', tools: 'tools', toolChoice: TOOL_CHOICE_KEY },
    sampling: { keys: HOSTED_API_SAMPLING_KEYS },
    tidy: TIDY_HOSTED_API,
    read: ({ model, messages, tools, tool_choice: choice, stream }) => ({
      model: toText(model) ?? '',
      messages: readMessages(messages, (message) => toReplay(message, toText(model))),
      tools: readTools(tools),
      toolChoice: readChoice(choice),
      isStreaming: stream === true,
    }),
    // Which key the token limit has does not matter, as sampling is not written again.
    write: (input) => toHostedApiBody(input, 'max_tokens').body,
  });
