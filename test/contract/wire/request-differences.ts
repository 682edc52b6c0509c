// Where the providers send something other than an equivalent recorded request, and why; and which requests they cannot
// express.

type Body = Record<string, unknown>;

/**
 * `ours` turns the recorded bodies of `recordings` into what is sent; several differences apply in the order of the list.
 */
export interface RequestDifference {
  reason: string;
  recordings: readonly string[];
  ours: (body: Body) => Body;
}

/** Recordings that neutral input cannot express; `missing` names what it lacks. */
export interface NotExpressible {
  reason: string;
  missing: string;
  recordings: readonly string[];
}

type Fields = Record<string, unknown>;
const withMessages = (body: Body, change: (message: Fields) => Fields): Body => ({
  ...body,
  messages: ((body['messages'] ?? []) as Fields[]).map(change),
});
const withCalls = (body: Body, change: (call: Fields) => Fields): Body =>
  withMessages(body, (message) =>
    Array.isArray(message['tool_calls'])
      ? { ...message, tool_calls: message['tool_calls'].map(change) }
      : message,
  );

export const REQUEST_DIFFERENCES: readonly RequestDifference[] = [
  {
    reason: 'stream is always sent to Ollama, because its default depends on the route',
    recordings: [
      'ollama-chat-cancel',
      'ollama-chat-debug-render',
      'ollama-chat-emoji-stream',
      'ollama-chat-format-schema-stream',
      'ollama-chat-length-stream',
      'ollama-chat-load',
      'ollama-chat-load-nomessages',
      'ollama-chat-stream',
      'ollama-chat-think-true-stream',
      'ollama-chat-tools-parallel-stream',
      'ollama-chat-tools-stream',
      'ollama-chat-tools-think-stream',
      'ollama-chat-unload',
      'ollama-go-chat-think-stream',
      'ollama-go-format-think-stream',
      'ollama-go-toolargs-think',
      'ollama-go-tools-broken-stream',
      'ollama-go-tools-parallel-stream',
      'ollama-go-tools-stream',
      'ollama-go-tools-truncated-stream',
      'ollama-go-tools-unknown-stream',
      'ollama-midstream-error',
      'ollama-midstream-truncated-toolcall',
    ],
    ours: (body) => ({ ...body, stream: true }),
  },
  {
    reason: 'include_usage is sent, because a hosted stream has no token counts without it',
    recordings: [
      'llamacpp-cancel',
      'llamacpp-chat-emoji-stream',
      'llamacpp-chat-json-schema-stream',
      'llamacpp-chat-reasoning-stream',
      'llamacpp-chat-stream',
      'llamacpp-chat-tools-parallel-stream',
      'llamacpp-chat-tools-required-stream',
      'llamacpp-chat-tools-stream',
      'llamacpp-chat-tools-truncated-stream',
      'llamacpp-chat-tools-unknown-stream',
      'llamacpp-midstream-error',
      'llamacpp-reasoning-tools-stream',
      'llamacpp-usage-default-stream',
      'ollama-v1-chat-stream',
      'ollama-v1-chat-think-stream',
      'ollama-v1-chat-tools-stream',
      'ollama-v1-midstream-error',
      'ollama-v1-runner-killed',
    ],
    ours: (body) => ({ ...body, stream_options: { include_usage: true } }),
  },
  {
    reason: 'messages are always sent',
    recordings: ['ollama-chat-load-nomessages'],
    ours: (body) => ({ ...body, messages: [] }),
  },
  {
    reason: 'a hosted provider always sends a model, its default one if none is given',
    recordings: ['llamacpp-chat-nomodel'],
    ours: (body) => ({ ...body, model: 'gpt-4o-mini' }),
  },
  {
    reason: 'missing content is sent as an empty string, because older servers reject null',
    recordings: [
      'ollama-chat-content-null',
      'llamacpp-chat-tool-args-object',
      'llamacpp-chat-tool-result',
      'ollama-v1-chat-tool-result',
    ],
    ours: (body) => withMessages(body, (message) => ({ ...message, content: message['content'] ?? '' })),
  },
  {
    reason: 'text parts are joined, because Ollama makes a message of each part',
    recordings: ['llamacpp-chat-content-parts', 'ollama-v1-chat-parts'],
    ours: (body) =>
      withMessages(body, (message) => ({
        ...message,
        content: (message['content'] as Fields[]).map(({ text }) => text).join(''),
      })),
  },
  {
    reason: 'a single stop sequence is sent as a list, which every server accepts',
    recordings: ['llamacpp-chat-stop-string', 'ollama-v1-chat-stop'],
    ours: (body) => ({ ...body, stop: [body['stop']] }),
  },
  {
    reason: 'arguments are sent as text, as the protocol requires; llama-server accepts an object, too',
    recordings: ['llamacpp-chat-tool-args-object'],
    ours: (body) => withCalls(body, (call) => ({ ...call, function: toTextArguments(call['function']) })),
  },
  {
    reason: 'a call and its result are always sent with an id',
    recordings: ['ollama-chat-tool-result'],
    ours: (body) =>
      withMessages(
        withCalls(body, (call) => ({ ...call, id: 'call_1_0' })),
        (message) => (message['role'] === 'tool' ? { ...message, tool_call_id: 'call_1_0' } : message),
      ),
  },
  {
    reason: 'an empty list of tools is not sent, because some servers reject it',
    recordings: ['llamacpp-chat-tools-empty'],
    ours: (body) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'tools')),
  },
  {
    reason: 'a tool is always sent with a schema, because Ollama rejects one without properties',
    recordings: ['llamacpp-chat-tools-noparams'],
    ours: (body) => ({
      ...body,
      tools: [
        { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
      ],
    }),
  },
  {
    reason: 'a single text is sent as a list',
    recordings: [
      'llamacpp-embeddings',
      'llamacpp-embeddings-empty',
      'ollama-embed',
      'ollama-embed-empty-string',
      'ollama-embed-overflow',
      'ollama-v1-embeddings-empty',
    ],
    ours: (body) => ({ ...body, input: [body['input']] }),
  },
];

const toTextArguments = (target: unknown): unknown => {
  const { arguments: args, ...rest } = target as Fields;
  return { ...rest, arguments: JSON.stringify(args) };
};

export const NOT_EXPRESSIBLE: readonly NotExpressible[] = [
  {
    reason: 'neutral messages have four roles; OpenAI treats system as developer',
    missing: 'the role developer',
    recordings: ['llamacpp-chat-developer', 'ollama-chat-role-developer', 'ollama-v1-chat-developer'],
  },
  {
    reason: 'neutral messages have four roles',
    missing: 'the role critic',
    recordings: ['ollama-chat-role-unknown'],
  },
  {
    reason: 'every body is a single JSON document',
    missing: 'a body that is not JSON',
    recordings: ['ollama-chat-trailing'],
  },
  {
    reason: 'no request is sent for an empty list',
    missing: 'embeddings of no texts',
    recordings: ['ollama-embed-empty-array', 'ollama-embed-null'],
  },
  {
    reason: 'only texts are embedded, because tokens depend on the model',
    missing: 'embeddings of tokens',
    recordings: ['llamacpp-embeddings-tokens'],
  },
  {
    reason: 'raw is sent in chats only, because strict servers reject its keys in embeddings',
    missing: 'embeddings with dimensions',
    recordings: ['llamacpp-embeddings-dims', 'ollama-embed-dims', 'ollama-embed-dims-big'],
  },
  {
    reason: 'numbers are requested; base64 is only read, in case a relay sends it',
    missing: 'embeddings with encoding_format',
    recordings: ['llamacpp-embeddings-base64', 'ollama-v1-embeddings-b64'],
  },
];

/** Recorded requests of routes that no provider uses. */
export const OTHER_ROUTES: Readonly<Record<string, string>> = {
  'llamacpp-embeddings-legacy': '/embedding',
  'ollama-show': '/api/show',
  'ollama-show-embed': '/api/show',
};

/** Keys that raw replaces although the resulting body is equal. */
export const OVERRIDDEN: Readonly<Record<string, readonly string[]>> = {
  // The caller does not want the usage that the provider would request.
  'llamacpp-chat-stream-nousage': ['stream_options'],
};
