// Sends a request to a scripted model over a real socket, in either protocol, and reads the answer into one form.
import type { DemoServer } from '../../../src/demo';
import { headerOf, sendRequest } from './raw-request';

export type Protocol = 'local' | 'hosted';
export const PROTOCOLS: readonly Protocol[] = ['local', 'hosted'];

export interface Answer {
  status: number;
  retryAfter: string | undefined;
  content: string;
  calls: { name: string; arguments: unknown }[];
  finishReason: string | undefined;
  /** The body's `error`: a text in the local protocol, an object in the hosted one. */
  error: unknown;
}

export interface Question {
  protocol: Protocol;
  model: string;
  messages: readonly object[];
  tools?: readonly object[];
  /** Merged into the body. */
  more?: object;
}

export const WEATHER_TOOL = toolOf('get_weather', ['city'], {
  city: { type: 'string' },
  unit: { type: 'string', enum: ['c', 'f'] },
});

export const FLIGHTS_TOOL = toolOf('search_flights', ['from', 'to'], {
  from: { type: 'string' },
  to: { type: 'string' },
  date: { type: 'string' },
});

function toolOf(name: string, required: readonly string[], properties: object): object {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}

export function userMessage(content: string): object {
  return { role: 'user', content };
}

/** A call of get_weather for Oslo and the tool's result, as messages of this protocol. */
export function weatherResult(protocol: Protocol, content: string): object[] {
  const args = { city: 'Oslo' };
  const called = { name: 'get_weather', arguments: protocol === 'local' ? args : JSON.stringify(args) };
  const call = { id: 'call_1', type: 'function', function: called };
  const answer = { role: 'tool', tool_call_id: 'call_1', content };
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    protocol === 'local' ? { ...answer, tool_name: 'get_weather' } : answer,
  ];
}

export async function askModel(server: DemoServer, question: Question): Promise<Answer> {
  const { protocol, model, messages, tools, more } = question;
  const isLocal = protocol === 'local';
  const url = isLocal ? `${server.localHost}/api/chat` : `${server.hostedHost}/chat/completions`;
  const body = JSON.stringify({ model, messages, tools, stream: false, ...more });
  const reply = await sendRequest(url, { body });
  const json = JSON.parse(reply.body) as Body;
  const choice = json.choices?.[0];
  const message = isLocal ? json.message : choice?.message;
  const calls = message?.tool_calls?.map((call) => call.function) ?? [];
  return {
    status: reply.status,
    retryAfter: headerOf(reply, 'Retry-After'),
    content: message?.content ?? '',
    calls: calls.map(({ name, arguments: args }) => ({
      name,
      arguments: isLocal ? args : JSON.parse(String(args)),
    })),
    finishReason: isLocal ? json.done_reason : choice?.finish_reason,
    error: json.error,
  };
}

interface BodyMessage {
  content: string;
  tool_calls?: { function: { name: string; arguments: unknown } }[];
}

interface Body {
  message?: BodyMessage;
  done_reason?: string;
  choices?: { message: BodyMessage; finish_reason: string }[];
  error?: unknown;
}
