// The minimum that a client must do, written by hand: the same request as ours with undici's `request`,
// JSON.parse, and the same fields.
import { createRequire } from 'node:module';
import { API_KEY, MESSAGES, MODEL, SAMPLING, TOOLS } from './chat-input.mjs';

// Resolved from the root: a package nearer to this file may have installed another version.
const { Agent, request } = createRequire(new URL('../../../package.json', import.meta.url))('undici');

const WIRES = {
  'hosted-api': {
    path: '/chat/completions',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
    toBody: (tools, isStream) => ({
      model: MODEL,
      messages: MESSAGES,
      tools,
      temperature: SAMPLING.temperature,
      max_tokens: SAMPLING.maxTokens,
      ...(isStream && { stream: true, stream_options: { include_usage: true } }),
    }),
    fromReply: ({ choices: [{ message }], usage }) => ({
      content: message.content ?? '',
      toolCalls: (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments),
      })),
      usage: { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens },
    }),
    readLine: (line) => {
      if (!line.startsWith('data:') || line === 'data: [DONE]') return undefined;
      return JSON.parse(line.slice(5)).choices[0]?.delta?.content;
    },
  },
  'local-host': {
    path: '/api/chat',
    headers: { 'content-type': 'application/json' },
    toBody: (tools, isStream) => ({
      model: MODEL,
      messages: MESSAGES,
      stream: isStream,
      tools,
      options: { temperature: SAMPLING.temperature, num_predict: SAMPLING.maxTokens },
    }),
    fromReply: ({ message, prompt_eval_count: promptTokens, eval_count: completionTokens }) => ({
      content: message.content ?? '',
      toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
        id,
        name,
        arguments: args,
      })),
      usage: { promptTokens, completionTokens },
    }),
    readLine: (line) => (line === '' ? undefined : JSON.parse(line).message?.content),
  },
  'messages-api': {
    path: '/v1/messages',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY, 'anthropic-version': '2023-06-01' },
    toBody: (tools, isStream) => ({
      model: MODEL,
      max_tokens: SAMPLING.maxTokens,
      system: MESSAGES[0].content,
      messages: MESSAGES.slice(1),
      tools: tools.map(({ function: { parameters, ...tool } }) => ({ ...tool, input_schema: parameters })),
      temperature: SAMPLING.temperature,
      ...(isStream && { stream: true }),
    }),
    fromReply: ({ content, usage }) => ({
      content: content.map(({ text = '' }) => text).join(''),
      toolCalls: content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id, name, arguments: input })),
      usage: { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens },
    }),
    readLine: (line) => (line.startsWith('data:') ? JSON.parse(line.slice(5)).delta?.text : undefined),
  },
  'responses-api': {
    path: '/v1/responses',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
    toBody: (tools, isStream) => ({
      model: MODEL,
      input: MESSAGES.map((message) => ({ type: 'message', ...message })),
      tools: tools.map(({ function: tool }) => ({ type: 'function', ...tool, strict: false })),
      temperature: SAMPLING.temperature,
      max_output_tokens: SAMPLING.maxTokens,
      store: false,
      ...(isStream && { stream: true }),
    }),
    fromReply: ({ output, usage }) => ({
      content: output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join(''),
      toolCalls: output
        .filter(({ type }) => type === 'function_call')
        .map((item) => ({ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) })),
      usage: { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens },
    }),
    readLine: (line) => {
      if (!line.startsWith('data:')) return undefined;
      const { type, delta } = JSON.parse(line.slice(5));
      return type === 'response.output_text.delta' ? delta : undefined;
    },
  },
};

const toWireTools = (tools) => tools.map((tool) => ({ type: 'function', function: tool }));

export function openClient({ origin, reply, protocol }) {
  const { path, headers, toBody, fromReply, readLine } = WIRES[protocol];
  /** Created for the first request, as ours is. */
  let dispatcher;
  const url = `${origin}/${reply}${path}`;
  const send = async (isStream, extra) => {
    dispatcher ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
    const body = JSON.stringify(toBody(toWireTools(TOOLS), isStream));
    const options = { method: 'POST', headers: { ...extra, ...headers }, body, dispatcher };
    const answer = await request(url, options);
    if (answer.statusCode !== 200) throw new Error(`answered with ${answer.statusCode}`);
    return answer.body;
  };
  return {
    chat: async () => fromReply(await (await send(false, { 'accept-encoding': 'gzip, deflate, br' })).json()),
    stream: async (onDelta) => {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of await send(true)) {
        const text = rest + decoder.decode(chunk, { stream: true });
        let start = 0;
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
          const content = readLine(text.slice(start, end));
          start = end + 1;
          if (content) onDelta(content);
        }
        rest = text.slice(start);
      }
    },
  };
}
