// A server with the hosted protocol that makes a tool call each time, whatever the messages.
import type { ServerResponse } from 'node:http';
import type { TestServer } from '../../../support/servers/http-server';
import { startServer } from '../../../support/servers/http-server';

/** Returns the message of the next reply; without one the answer is invalid. */
export type AskingReply = () => object | undefined | Promise<object>;

/** A message with one native call. */
export function toCall(name: string, args: object): object {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { content: '', tool_calls: [call] };
}

const askForOslo: AskingReply = () => toCall('get_weather', { city: 'Oslo' });

export function startAskingServer(reply = askForOslo): Promise<TestServer> {
  const answer = async (response: ServerResponse): Promise<void> => {
    const message = await reply();
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    const choices = message && [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } },
    ];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices, usage }));
  };
  return startServer((_request, response) => void answer(response));
}
