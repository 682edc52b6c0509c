// What a service wants back with its reply goes to no other server, although that one speaks the same protocol and has the model.
import { afterAll, describe, expect, test } from 'vitest';
import type { Message, Providers } from '../../../src/library';
import { closeConnections, MessagesApiProvider, ResponsesApiProvider } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';

afterAll(closeConnections);

const MESSAGE = {
  type: 'message',
  content: [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'text', text: 'Hello' },
  ],
  stop_reason: 'end_turn',
  usage: {},
};
const RESPONSE = {
  status: 'completed',
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2ln' },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
  ],
  usage: {},
};

const PROTOCOLS: [string, (host: string) => Providers, object][] = [
  ['Messages', (host) => new MessagesApiProvider({ host, apiKey: 'a-key', model: 'm' }), MESSAGE],
  ['Responses', (host) => new ResponsesApiProvider({ host, apiKey: 'a-key', model: 'm' }), RESPONSE],
];

describe.each(PROTOCOLS)('replay data of the %s API', (_, make, reply) => {
  const user = (content: string): Message => ({ role: 'user', content });

  test('goes back to its server alone, and says nothing of the key', async () => {
    await using own = await startServer((_request, response) => sendJson(response, 200, reply));
    await using other = await startServer((_request, response) => sendJson(response, 200, reply));
    const { assistant } = await make(own.url).chat({ messages: [user('Hi')] });
    expect(assistant.replay).toMatchObject({ model: 'm', origin: own.url });
    expect(JSON.stringify(assistant)).not.toContain('a-key');
    const messages = [user('Hi'), JSON.parse(JSON.stringify(assistant)) as Message, user('And?')];

    const same = await make(own.url).chat({ messages });
    expect(own.requests.at(-1)?.body).toContain('c2ln');
    expect(same.exchange.replaced).toBeUndefined();

    const elsewhere = await make(other.url).chat({ messages });
    expect(other.requests.at(-1)?.body).not.toContain('c2ln');
    expect(elsewhere.exchange.replaced).toEqual(['messages[1].replay']);
  });
});
