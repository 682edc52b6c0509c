// The clients of the makers of a protocol, with the request that ours sends.
import { createRequire } from 'node:module';
import { API_KEY, MESSAGES, MODEL, SAMPLING, TOOLS } from './chat-input.mjs';

const require = createRequire(new URL('../../../package.json', import.meta.url));

const CLIENTS = {
  'messages-api': (origin) => {
    const Anthropic = require('@anthropic-ai/sdk').default;
    const client = new Anthropic({ baseURL: origin, apiKey: API_KEY });
    const body = {
      model: MODEL,
      max_tokens: SAMPLING.maxTokens,
      system: MESSAGES[0].content,
      messages: MESSAGES.slice(1),
      tools: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      temperature: SAMPLING.temperature,
    };
    return {
      chat: async () => {
        const { content } = await client.messages.create(body);
        return {
          content: content.map(({ text = '' }) => text).join(''),
          toolCalls: content.filter(({ type }) => type === 'tool_use'),
        };
      },
      // The helper that puts the reply together, as ours does.
      stream: async (onDelta) => {
        await client.messages.stream(body).on('text', onDelta).finalMessage();
      },
    };
  },
  'responses-api': (origin) => {
    const OpenAI = require('openai').default;
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: API_KEY });
    const body = {
      model: MODEL,
      input: MESSAGES.map((message) => ({ type: 'message', ...message })),
      tools: TOOLS.map((tool) => ({ type: 'function', ...tool, strict: false })),
      temperature: SAMPLING.temperature,
      max_output_tokens: SAMPLING.maxTokens,
      store: false,
    };
    return {
      chat: async () => {
        const { output, output_text: content } = await client.responses.create(body);
        const toolCalls = output.filter(({ type }) => type === 'function_call');
        for (const call of toolCalls) JSON.parse(call.arguments);
        return { content, toolCalls };
      },
      stream: async (onDelta) => {
        const stream = client.responses.stream(body);
        stream.on('response.output_text.delta', ({ delta }) => onDelta(delta));
        await stream.finalResponse();
      },
    };
  },
};

export const openClient = ({ origin, reply, protocol }) => CLIENTS[protocol](`${origin}/${reply}`);
