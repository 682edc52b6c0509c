// How the tests write a question in each protocol, and read the answer. Messages and tools are given as in a chat completion.
import type { DemoServer } from '../../../src/demo';

export type Protocol = 'local' | 'hosted' | 'messages' | 'responses';

export interface Call {
  name: string;
  arguments: unknown;
}

export interface Turn {
  content: string;
  calls: Call[];
  finishReason: string | undefined;
  /** The body's `error`: a text in the local protocol, an object in the others. */
  error: unknown;
}

export interface ChatMessage {
  role: string;
  content: string;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
  tool_call_id?: string;
}

export interface ChatTool {
  type: 'function';
  function: { name: string; parameters: object };
}

export interface Wire {
  url: (server: DemoServer) => string;
  headers?: Record<string, string>;
  toBody: (messages: readonly ChatMessage[], tools: readonly ChatTool[] | undefined) => object;
  read: (json: Json) => Turn;
}

/** The bodies of all protocols; each has some of these members. */
export interface Json {
  message?: ReadMessage;
  done_reason?: string;
  choices?: { message: ReadMessage; finish_reason: string }[];
  content?: { type: string; text?: string; name?: string; input?: unknown }[];
  stop_reason?: string;
  status?: string;
  output?: { type: string; name?: string; arguments?: string; content?: { text: string }[] }[];
  error?: unknown;
}

interface ReadMessage {
  content: string;
  tool_calls?: { function: { name: string; arguments: unknown } }[];
}

const MESSAGES_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
};

function readChat(message: ReadMessage | undefined, read: (text: unknown) => unknown): Call[] {
  const calls = message?.tool_calls?.map((call) => call.function) ?? [];
  return calls.map(({ name, arguments: args }) => ({ name, arguments: read(args) }));
}

export const WIRES: Readonly<Record<Protocol, Wire>> = {
  local: {
    url: ({ localHost }) => `${localHost}/api/chat`,
    toBody: (messages, tools) => ({ messages, tools }),
    read: ({ message, done_reason: finishReason, error }) => ({
      content: message?.content ?? '',
      calls: readChat(message, (args) => args),
      finishReason,
      error,
    }),
  },
  hosted: {
    url: ({ hostedHost }) => `${hostedHost}/chat/completions`,
    toBody: (messages, tools) => ({ messages, tools }),
    read: ({ choices, error }) => ({
      content: choices?.[0]?.message.content ?? '',
      calls: readChat(choices?.[0]?.message, (args) => JSON.parse(String(args))),
      finishReason: choices?.[0]?.finish_reason,
      error,
    }),
  },
  messages: {
    url: ({ localHost }) => `${localHost}/v1/messages`,
    headers: { 'anthropic-version': '2023-06-01' },
    toBody: (messages, tools) => ({
      max_tokens: 4096,
      messages: messages.map((message) => toBlocksMessage(message)),
      tools: tools?.map(({ function: { name, parameters } }) => ({ name, input_schema: parameters })),
    }),
    read: ({ content = [], stop_reason: reason = '', error }) => ({
      content: content.map(({ text = '' }) => text).join(''),
      calls: content.flatMap(({ type, name = '', input }) =>
        type === 'tool_use' ? [{ name, arguments: input }] : [],
      ),
      finishReason: MESSAGES_REASONS[reason],
      error,
    }),
  },
  responses: {
    url: ({ hostedHost }) => `${hostedHost}/responses`,
    toBody: (messages, tools) => ({
      store: false,
      input: messages.flatMap((message) => toItems(message)),
      tools: tools?.map(({ function: { name, parameters } }) => ({
        type: 'function',
        name,
        parameters,
        strict: false,
      })),
    }),
    read: ({ output = [], status, error }) => {
      const calls = output.flatMap(({ type, name = '', arguments: args = '' }) =>
        type === 'function_call' ? [{ name, arguments: JSON.parse(args) as unknown }] : [],
      );
      const finishReason = status === 'incomplete' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
      const texts = output.flatMap(({ type, content = [] }) => (type === 'message' ? content : []));
      return { content: texts.map(({ text }) => text).join(''), calls, finishReason, error };
    },
  },
};

function toBlocksMessage({ role, content, tool_calls: calls = [], tool_call_id: id }: ChatMessage): object {
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] };
  }
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  const used = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.function.name,
    input: JSON.parse(String(call.function.arguments)) as unknown,
  }));
  return { role, content: [...text, ...used] };
}

function toItems({ role, content, tool_calls: calls = [], tool_call_id: id }: ChatMessage): object[] {
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }];
  const message = content === '' ? [] : [{ type: 'message', role, content }];
  return [
    ...message,
    ...calls.map((call) => ({ type: 'function_call', call_id: call.id, ...call.function })),
  ];
}
