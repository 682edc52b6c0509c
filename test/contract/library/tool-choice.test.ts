// The option `toolChoice` of a chat over real sockets: what each provider sends, and what its exchange says.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatOptions, ToolChoice } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const TOOLS = [{ name: 'forecast', parameters: { type: 'object' } }];
const CALL = '<tool_call>{"name":"forecast","arguments":{}}</tool_call>';
const REPLIES = {
  hosted: { choices: [{ message: { role: 'assistant', content: CALL }, finish_reason: 'stop' }] },
  local: { message: { role: 'assistant', content: CALL }, done: true },
};

async function chatWith(kind: keyof typeof REPLIES, options: Partial<ChatOptions>, raw?: object) {
  await using server = await startServer((_, response) => sendJson(response, 200, REPLIES[kind]));
  const credentials = { host: server.url, model: 'm', ...(raw && { raw: { ...raw } }) };
  const provider =
    kind === 'hosted'
      ? new HostedApiProvider({ apiKey: 'k', ...credentials })
      : new LocalHostProvider(credentials);
  const turn = await provider.chat({ messages: HELLO, tools: TOOLS, ...options });
  const body = JSON.parse(server.requests[0]?.body ?? '') as Record<string, unknown>;
  return { sent: body['tool_choice'], exchange: turn.exchange, calls: turn.toolCalls.length };
}

describe('toolChoice', () => {
  test.each<[ToolChoice, unknown]>([
    ['auto', 'auto'],
    ['required', 'required'],
    [{ tool: 'forecast' }, { type: 'function', function: { name: 'forecast' } }],
  ])('%o is sent in the hosted protocol as %o', async (choice, expected) => {
    const { sent, exchange, calls } = await chatWith('hosted', { toolChoice: choice });
    expect(sent).toEqual(expected);
    expect(exchange.toolChoice).toEqual({ choice, key: 'tool_choice' });
    expect(calls).toBe(1);
  });

  test('none leaves the calls of the text where they are', async () => {
    expect(await chatWith('hosted', { toolChoice: 'none' })).toMatchObject({ sent: 'none', calls: 0 });
  });

  test('is overridden by raw, which the exchange says', async () => {
    const { sent, exchange, calls } = await chatWith(
      'hosted',
      { toolChoice: 'none' },
      { tool_choice: 'auto' },
    );
    expect([sent, calls]).toEqual(['auto', 1]);
    expect(exchange).toMatchObject({ toolChoice: { choice: 'auto' }, overridden: ['tool_choice'] });
  });

  test('is not sent without tools', async () => {
    const { sent, exchange } = await chatWith('hosted', { toolChoice: 'required', tools: [] });
    expect([sent, exchange.toolChoice]).toEqual([undefined, undefined]);
  });

  test('has no field in the local protocol: it is dropped, and forbids nothing', async () => {
    const { sent, exchange, calls } = await chatWith('local', { toolChoice: 'none' });
    expect([sent, exchange.toolChoice, calls]).toEqual([undefined, undefined, 1]);
    expect(exchange.dropped).toEqual(['toolChoice']);
  });

  test('is read from a given body', async () => {
    const body = JSON.stringify({ messages: HELLO, tools: [], tool_choice: 'none' });
    const { exchange, calls } = await chatWith('hosted', { body, toolChoice: 'required' });
    expect([exchange.toolChoice?.choice, calls]).toEqual(['none', 0]);
  });

  test.each([
    ['often', 'toolChoice'],
    [{ tool: 1 }, 'toolChoice.tool'],
    [{ tool: 'gone' }, 'toolChoice.tool'],
    [null, 'toolChoice.tool'],
  ])('%o is refused by its name', async (toolChoice, field) => {
    await expect(chatWith('hosted', { toolChoice: toolChoice as never })).rejects.toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining(`${field} `) as unknown,
    });
  });
});
