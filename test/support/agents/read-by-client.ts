// What the official client of each protocol makes of the body of a stream.
import Anthropic from '@anthropic-ai/sdk';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { QUESTION } from './weather-tool';

export interface ClientReading {
  text: string;
  /** Name and arguments; these as text, if the client gives them so. */
  calls: { name: string; arguments: unknown }[];
  /** Why the reply ended, in the words of the protocol. */
  reason: string | undefined;
  hasFailed: boolean;
}

/** By the path of a chat request. */
export const CLIENTS: Readonly<Record<string, (body: string) => Promise<ClientReading>>> = {
  '/chat/completions': readChatCompletions,
  '/responses': readResponses,
  '/messages': readMessages,
  '/api/chat': readOllama,
};

const MESSAGES = [{ role: 'user' as const, content: QUESTION }];
const answer = (body: string, type: string) => () =>
  Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
const options = (body: string) => ({
  apiKey: 'unused',
  maxRetries: 0,
  fetch: answer(body, 'text/event-stream'),
});

async function read(take: (reading: ClientReading) => Promise<void>): Promise<ClientReading> {
  const reading: ClientReading = { text: '', calls: [], reason: undefined, hasFailed: false };
  await take(reading).catch(() => (reading.hasFailed = true));
  return reading;
}

function readChatCompletions(body: string): Promise<ClientReading> {
  return read(async (reading) => {
    const client = new OpenAI(options(body));
    const calls: { name: string; arguments: string }[] = [];
    reading.calls = calls;
    const request = { model: 'm', messages: MESSAGES, stream: true as const };
    for await (const { choices } of await client.chat.completions.create(request))
      for (const { delta, finish_reason: reason } of choices) {
        reading.reason = reason ?? reading.reason;
        reading.text += typeof delta.content === 'string' ? delta.content : '';
        for (const { index, function: called } of delta.tool_calls ?? []) {
          const call = (calls[index] ??= { name: '', arguments: '' });
          call.name += called?.name ?? '';
          call.arguments += called?.arguments ?? '';
        }
      }
  });
}

function readResponses(body: string): Promise<ClientReading> {
  return read(async (reading) => {
    const client = new OpenAI(options(body));
    for await (const event of client.responses.stream({ model: 'm', input: QUESTION })) {
      if (event.type === 'response.output_text.delta') reading.text += event.delta;
      if (event.type === 'response.output_item.done' && event.item.type === 'function_call')
        reading.calls.push({ name: event.item.name, arguments: event.item.arguments });
      if (event.type === 'error') throw new Error(event.message);
      if (event.type === 'response.completed' || event.type === 'response.incomplete')
        reading.reason = event.response.status;
    }
  });
}

function readMessages(body: string): Promise<ClientReading> {
  return read(async (reading) => {
    const client = new Anthropic(options(body));
    const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages: MESSAGES });
    stream.on('text', (text) => (reading.text += text));
    stream.on('contentBlock', (block) => {
      if (block.type === 'tool_use') reading.calls.push({ name: block.name, arguments: block.input });
    });
    const { stop_reason: reason } = await stream.finalMessage();
    reading.reason = reason ?? undefined;
  });
}

function readOllama(body: string): Promise<ClientReading> {
  return read(async (reading) => {
    const client = new Ollama({ fetch: answer(body, 'application/x-ndjson') });
    for await (const part of await client.chat({ model: 'm', messages: MESSAGES, stream: true })) {
      reading.text += part.message.content;
      reading.calls.push(...(part.message.tool_calls ?? []).map(({ function: called }) => called));
      if (part.done) reading.reason = part.done_reason;
    }
  });
}
