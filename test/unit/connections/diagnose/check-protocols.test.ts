// What a diagnosis says of the protocols of a server: one that does Messages and chat completions right, and Responses in some
// other way each time.
import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import type { DiagnosisLine } from '../../../../src/connections/diagnose/diagnosis';
import { closeConnections } from '../../../../src/library';
import { diagnose, lineOf } from '../../../support/diagnosis/diagnose';
import type { SeenRequest, TestServer } from '../../../support/servers/http-server';
import { sendJson, startServer } from '../../../support/servers/http-server';

afterAll(closeConnections);

const PARIS = '{"city":"Paris"}';
const RESPONSES = 'Responses API (OpenAI protocol)';
const MESSAGES = 'Messages API (Anthropic protocol)';
const HOSTED = 'Hosted chat-completion API (OpenAI protocol)';

function sendEvents(response: ServerResponse, events: readonly object[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end);
}

const hostedReply = (response: ServerResponse): void => {
  const call = { index: 0, id: 'c', function: { name: 'get_weather', arguments: PARIS } };
  const delta = { role: 'assistant', content: 'ready', tool_calls: [call] };
  sendEvents(response, [{ choices: [{ index: 0, delta, finish_reason: 'stop' }] }], 'data: [DONE]\n\n');
};

const messagesReply = (response: ServerResponse): void =>
  sendEvents(response, [
    {
      type: 'message_start',
      message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: 'get_weather', input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: PARIS } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]);

const responsesReply = (response: ServerResponse, output: readonly object[], isCut = false): void => {
  const items = output.map((item, index) => ({
    type: 'response.output_item.done',
    output_index: index,
    item,
  }));
  const end = { type: 'response.completed', response: { id: 'r', status: 'completed', output, error: null } };
  sendEvents(response, isCut ? items : [...items, end]);
};
const callItem = (json: string): object => ({
  type: 'function_call',
  id: 'f',
  call_id: 'c',
  name: 'get_weather',
  arguments: json,
});
const textItem = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

type Answer = (response: ServerResponse) => void;

function start(responses: Answer, seen: SeenRequest[] = [], chat: Answer = hostedReply): Promise<TestServer> {
  const paths: Record<string, Answer> = {
    '/v1/models': (response) => sendJson(response, 200, { data: [{ id: 'm' }] }),
    '/v1/chat/completions': chat,
    '/v1/messages': messagesReply,
    '/v1/responses': responses,
  };
  return startServer((request, response) => {
    seen.push(request);
    const answer = paths[request.url];
    if (!answer) return sendJson(response, 404, { error: { message: 'no such path' } });
    // What every server does with a request that names no model.
    if (request.body === '{}' && request.url !== '/v1/responses')
      return sendJson(response, 400, { error: { message: 'model is required' } });
    return answer(response);
  });
}

async function linesOf(responses: Answer, seen?: SeenRequest[]): Promise<DiagnosisLine[]> {
  await using server = await start(responses, seen);
  return await diagnose({ provider: 'hosted-api', auth: 'none', host: `${server.url}/v1`, model: 'm' });
}

describe('the protocols of a server', () => {
  test('are named, with the address for a connection, those that it does right', async () => {
    const seen: SeenRequest[] = [];
    const lines = await linesOf((response) => responsesReply(response, [callItem(PARIS)]), seen);
    const right = 'Right: a stream with the call, `get_weather({"city":"Paris"})`.';
    expect(lineOf(lines, HOSTED)).toMatchObject({ level: 'ok', text: right });
    const messages = lineOf(lines, MESSAGES);
    expect(messages.level).toBe('ok');
    expect(messages.text).toMatch(
      /^Right: .* A connection to it: `messages-api` \(`http:\/\/127\.0\.0\.1:\d+`\)\.$/,
    );
    expect(lineOf(lines, RESPONSES).text).toMatch(
      /^Right: .*`responses-api` \(`http:\/\/127\.0\.0\.1:\d+\/v1`\)\.$/,
    );
    expect(lineOf(lines, 'Local model server (Ollama protocol)')).toMatchObject({
      level: 'left out',
      text: 'The server does not speak it (404).',
    });
    // Each is asked with a body that costs nothing, and then with one small one that demands the call.
    const bodies = seen
      .filter(({ url }) => url === '/v1/messages')
      .map(({ body }) => JSON.parse(body) as object);
    expect(bodies).toMatchObject([
      {},
      { model: 'm', max_tokens: 300, stream: true, tool_choice: { type: 'tool', name: 'get_weather' } },
    ]);
  });

  test.each<[string, Answer, Partial<DiagnosisLine>]>([
    [
      'no such path',
      (response) => sendJson(response, 404, {}),
      { level: 'left out', text: 'The server does not speak it (404).' },
    ],
    [
      'not implemented',
      (response) => sendJson(response, 501, {}),
      { level: 'left out', text: 'The server does not speak it (501).' },
    ],
    [
      'text in the place of a stream',
      (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('All is well.'),
      { level: 'warning', text: expect.stringMatching(/All is well/) as string },
    ],
    [
      'a stream without an end',
      (response) => responsesReply(response, [textItem('half')], true),
      { level: 'warning', text: expect.stringMatching(/broke off|ended|before/) as string },
    ],
    [
      'an ignored tool choice',
      (response) => responsesReply(response, [textItem('It is sunny.')]),
      {
        level: 'warning',
        text: expect.stringMatching(/^It answers, but ignores the tool choice: /) as string,
      },
    ],
    [
      'arguments that became an empty object',
      (response) => responsesReply(response, [callItem('{}')]),
      {
        level: 'warning',
        text: expect.stringMatching(/^The arguments of the call came as `\{\}`/) as string,
      },
    ],
  ])('are told from those that it does wrong: %s', async (_, responses, expected) => {
    const lines = await linesOf(responses);
    expect(lineOf(lines, RESPONSES)).toMatchObject(expected);
    if (expected.level === 'warning')
      expect(lineOf(lines, RESPONSES).next).toMatch(/^Nothing as long as you do not use/);
    for (const name of [HOSTED, MESSAGES]) expect(lineOf(lines, name).level).toBe('ok');
  });

  test('are the advice where the server does not speak that of the connection', async () => {
    await using server = await start((response) => sendJson(response, 404, {}));
    const setting = { provider: 'responses-api', auth: 'none', host: `${server.url}/v1`, model: 'm' };
    const lines = await diagnose(setting);
    expect(lineOf(lines, RESPONSES)).toMatchObject({
      level: 'failed',
      next: `Set \`provider\` and \`host\` to what it speaks: \`hosted-api\` (\`${server.url}/v1\`), \`messages-api\` (\`${server.url}\`).`,
    });
  });

  test('are tried with no made-up model where none is known', async () => {
    const models: string[] = [];
    await using server = await startServer(({ url, body }, response) => {
      models.push(/"model":"([^"]*)"/.exec(body)?.[1] ?? '');
      if (url === '/v1/models') return sendJson(response, 200, { data: [] });
      return body === '{}' ? sendJson(response, 400, {}) : hostedReply(response);
    });
    const setting = { provider: 'hosted-api', auth: 'none', host: `${server.url}/v1` };
    const lines = await diagnose(setting);
    expect(models).not.toContain('-');
    expect(lineOf(lines, HOSTED).text).toMatch(/^Right: /);
    expect(lineOf(lines, MESSAGES).text).toMatch(/^The server speaks it; no model is known to try it with\./);
  });

  test('get the key of the connection at its own origin, in the header of each', async () => {
    const seen: SeenRequest[] = [];
    await using server = await start((response) => responsesReply(response, [callItem(PARIS)]), seen);
    await diagnose({ provider: 'hosted-api', host: `${server.url}/v1`, model: 'm' }, { key: 'k-1234567' });
    const keys = seen.flatMap(({ url, headers }) => (url === '/v1/messages' ? [headers['x-api-key']] : []));
    expect(keys).toEqual(['k-1234567', 'k-1234567']);
  });

  test.each(['demo', 'demo-hosted', 'demo-messages', 'demo-responses'])(
    'are all spoken by what is built in, without an address: %s',
    async (id) => {
      const lines = await diagnose(id, { model: 'native-call' });
      for (const name of [HOSTED, MESSAGES, RESPONSES])
        expect(lineOf(lines, name)).toMatchObject({
          level: 'ok',
          text: expect.stringMatching(/^Right: [^:]*:"Paris"\}\)`\.$/),
        });
      expect(lineOf(lines, 'Local model server (Ollama protocol)').level).toBe('ok');
    },
  );
});
