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
