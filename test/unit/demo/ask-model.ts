// Sends a request to a scripted model over a real socket, in any protocol, and reads the answer into one form.
import type { DemoServer } from '../../../src/demo';
import { headerOf, sendRequest } from './raw-request';
import type { RawRequest } from './raw-request';
import { WIRES } from './wires';
import type { ChatMessage, ChatTool, Json, Protocol, Turn } from './wires';

export type { Protocol } from './wires';
export const PROTOCOLS = Object.keys(WIRES) as readonly Protocol[];

export interface Answer extends Turn {
  status: number;
  retryAfter: string | undefined;
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

/** The question as a request of its protocol. */
export function toRequest(
  server: DemoServer,
  question: Question,
  stream = false,
): RawRequest & { url: string } {
  const { protocol, model, messages, tools, more } = question;
  const wire = WIRES[protocol];
  const body = wire.toBody(messages as ChatMessage[], tools as ChatTool[] | undefined);
  return {
    url: wire.url(server),
    headers: wire.headers ?? {},
    body: JSON.stringify({ model, ...body, stream, ...more }),
  };
}

export async function askModel(server: DemoServer, question: Question): Promise<Answer> {
  const { url, ...request } = toRequest(server, question);
  const reply = await sendRequest(url, request);
  return {
    status: reply.status,
    retryAfter: headerOf(reply, 'Retry-After'),
    ...WIRES[question.protocol].read(JSON.parse(reply.body) as Json),
  };
}
