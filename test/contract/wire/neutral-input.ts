// Converts a recorded request body into equivalent neutral input. Written from the protocols, not from the library.
import type { Message, ProviderToolCall, SamplingParams, ToolType } from '../../../src/library';

export type Protocol = 'local' | 'hosted';

export interface ChatInput {
  model: string | undefined;
  messages: Message[];
  tools: ToolType[];
  sampling: SamplingParams;
  isStreamed: boolean;
  tokenLimitKey: 'max_tokens' | 'max_completion_tokens';
  /** Only what neutral input cannot express. */
  raw: Record<string, unknown>;
}

/** Thrown for requests that neutral input cannot express. */
export class Inexpressible extends Error {}

type Fields = Record<string, unknown>;

const SAMPLING: Record<Protocol, Record<string, keyof SamplingParams>> = {
  local: {
    temperature: 'temperature',
    top_p: 'topP',
    top_k: 'topK',
    seed: 'seed',
    num_predict: 'maxTokens',
    num_ctx: 'numCtx',
    stop: 'stop',
    repeat_penalty: 'repeatPenalty',
  },
  hosted: {
    temperature: 'temperature',
    top_p: 'topP',
    seed: 'seed',
    max_tokens: 'maxTokens',
    max_completion_tokens: 'maxTokens',
    stop: 'stop',
  },
};

export function readChat(protocol: Protocol, body: unknown): ChatInput {
  if (typeof body === 'string') throw new Inexpressible('a body that is not JSON');
  const { model, messages, tools, stream, options, ...rest } = body as Fields;
  const { sampling, others } = splitSampling(protocol, protocol === 'local' ? (options ?? {}) : rest);
  const isUsageAsked = stream === true && JSON.stringify(rest['stream_options']) === '{"include_usage":true}';
  const raw: Fields = protocol === 'local' ? rest : others;
  if (protocol === 'local' && Object.keys(others).length > 0) raw['options'] = others;
  if (protocol === 'hosted' && isUsageAsked) delete raw['stream_options'];
  return {
    model: model as string | undefined,
    messages: ((messages ?? []) as Fields[]).map(readMessage),
    tools: ((tools ?? []) as Fields[]).map(readTool),
    sampling,
    isStreamed: (stream ?? protocol === 'local') === true,
    tokenLimitKey: 'max_completion_tokens' in rest ? 'max_completion_tokens' : 'max_tokens',
    raw,
  };
}

function splitSampling(protocol: Protocol, fields: unknown): { sampling: SamplingParams; others: Fields } {
  const words = SAMPLING[protocol];
  const entries = Object.entries(fields as Fields);
  const own = entries.flatMap(([key, value]) => {
    const word = words[key];
    return word === undefined ? [] : [[word, word === 'stop' ? [value].flat() : value]];
  });
  return {
    sampling: Object.fromEntries(own) as SamplingParams,
    others: Object.fromEntries(entries.filter(([key]) => !(key in words))),
  };
}

function readMessage(fields: Fields, place: number): Message {
  const {
    role,
    content,
    tool_calls: calls,
    tool_call_id: toolCallId,
    tool_name: toolName,
    ...others
  } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Inexpressible(`a message with ${unknown}`);
  if (!['system', 'user', 'assistant', 'tool'].includes(role as string))
    throw new Inexpressible(`the role ${String(role)}`);
  const message: Message = { role: role as Message['role'], content: readContent(content) };
  if (Array.isArray(calls))
    message.toolCalls = calls.map((call: Fields, index) => readCall(call, `${place}_${index}`));
  if (toolCallId !== undefined) message.toolCallId = toolCallId as string;
  if (toolName !== undefined) message.toolName = toolName as string;
  return message;
}

function readContent(content: unknown): string {
  if (!Array.isArray(content)) return (content ?? '') as string;
  return content
    .map(({ type, text }: Fields) => {
      if (type !== 'text') throw new Inexpressible(`a part of type ${String(type)}`);
      return text as string;
    })
    .join('');
}

function readCall({ id, function: target }: Fields, place: string): ProviderToolCall {
  const { name, arguments: args } = target as { name: string; arguments: unknown };
  return {
    id: typeof id === 'string' ? id : `call_${place}`,
    name,
    arguments: typeof args === 'string' ? (JSON.parse(args) as unknown) : args,
    source: 'native',
  };
}

function readTool({ type, function: target }: Fields): ToolType {
  if (type !== 'function') throw new Inexpressible(`a tool of type ${String(type)}`);
  const { name, description, parameters = {}, ...others } = target as Partial<ToolType> & Fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Inexpressible(`a function with ${unknown}`);
  return { name: name ?? '', parameters, ...(description !== undefined && { description }) };
}

/** The model and texts of a request for embeddings. */
export function readEmbed(body: unknown): { model: string; texts: string[] } {
  const { model, input, prompt, ...others } = body as Fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Inexpressible(`embeddings with ${unknown}`);
  const texts = [input ?? prompt ?? []].flat();
  if (texts.length === 0) throw new Inexpressible('embeddings of no texts');
  if (!texts.every((text) => typeof text === 'string')) throw new Inexpressible('embeddings of tokens');
  return { model: model as string, texts };
}
