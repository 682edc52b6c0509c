// The typical cases of a diagnosis, each over real sockets: a healthy server, one that is down, at another address or of
// another kind, a wrong key, a missing model.
import { afterAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DiagnosisLine } from '../../../../src/connections/diagnose/diagnosis';
import { closeConnections } from '../../../../src/library';
import { diagnose, HERE, lineOf, outline } from '../../../support/diagnosis/diagnose';
import type { TestServer } from '../../../support/servers/http-server';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { readRecorded } from '../../../support/messages/recorded';

afterAll(closeConnections);

const OLLAMA: Record<string, string> = {
  '/api/tags': 'ollama-tags',
  '/api/ps': 'ollama-ps',
  '/api/version': 'ollama-version',
  '/api/show': 'ollama-show',
  '/api/embed': 'ollama-embed',
};

/** Starts a server with the recorded answers of a real Ollama, whose model calls the tool of the diagnosis. */
function startOllama(): Promise<TestServer> {
  return startServer(({ url, body }, response) => {
    const asked = (body === '' ? {} : JSON.parse(body)) as { model?: string; tools?: unknown[] };
    const isMissing = asked.model?.startsWith('nope') === true;
    const chat = isMissing ? 'ollama-chat-404' : asked.tools ? 'ollama-chat-tools' : 'ollama-chat';
    const name = url === '/api/chat' ? chat : (OLLAMA[url] ?? 'ollama-path-404');
    const { status, body: text } = readRecorded(name).response;
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
}

/** Nothing listens at this address. */
const NOWHERE = 'http://127.0.0.1:9';

const nexts = (lines: readonly DiagnosisLine[]): string => lines.map(({ next }) => next ?? '').join('\n');

describe('diagnoseConnection', () => {
  test('of a healthy Ollama has a line for each step, with the result', async () => {
    await using server = await startOllama();
    const lines = await diagnose({ provider: 'local-host', host: server.url, model: 'tiny' });
    expect(outline(lines)).toEqual([
      'ok Settings',
      'ok Key',
      'ok Requests leave from',
      'ok Proxy',
      'ok Name',
      'ok Connection',
      'ok HTTP',
      'ok Kind',
      'ok Models',
      'ok Model',
      'warning Context length',
      'ok Tools',
      'ok Chat',
      'ok Tool call',
      'warning Tool call as text',
      'ok Embedding',
      'left out Hosted chat-completion API (OpenAI protocol)',
      'left out Messages API (Anthropic protocol)',
      'left out Responses API (OpenAI protocol)',
      'ok Local model server (Ollama protocol)',
    ]);
    expect(lineOf(lines, 'Kind').text).toBe('`ollama` `0.0.0`.');
    expect(lineOf(lines, 'Models').text).toMatch(/^4: `tiny:latest`, /);
    expect(lineOf(lines, 'Model').text).toBe('`tiny`, `523K`, in memory.');
    expect(lineOf(lines, 'Context length')).toMatchObject({
      text: 'The model accepts at most 4096 tokens, it is loaded with 2048.',
      next: expect.stringContaining('sampling.numCtx') as string,
    });
    expect(lineOf(lines, 'Chat').text).toBe(
      '`tiny` answers with `Hello from the tiny model.`, 12 tokens in, 6 out.',
    );
    expect(lineOf(lines, 'Tool call').text).toBe('Native: `get_weather({"city":"Paris"})`.');
    expect(lineOf(lines, 'Embedding').text).toMatch(/^256 numbers, unit length\.$/);
    expect(lineOf(lines, 'Proxy').text).toMatch(/^None: the server runs on the machine/);
  });

  test('of a server that is down says where nothing listens, and leaves out the rest', async () => {
    const lines = await diagnose({ provider: 'local-host', host: NOWHERE, model: 'm' });
    expect(lineOf(lines, 'Connection')).toMatchObject({
      level: 'failed',
      text: '`127.0.0.1:9` refuses the connection: nothing listens there (ECONNREFUSED).',
    });
    expect(lineOf(lines, 'Connection').next).toMatch(/ollama serve|answers at/);
    expect(outline(lines).slice(-4)).toEqual([
      'left out Chat',
      'left out Tool call',
      'left out Tool call as text',
      'left out Embedding',
    ]);
  });

  test('of a server that listens on another address of this machine names that address', async () => {
    await using server = await startOllama();
    const { port } = new URL(server.url);
    const lines = await diagnose({ provider: 'local-host', host: `http://[::1]:${port}`, model: 'tiny' });
    expect(lineOf(lines, 'Connection')).toMatchObject({
      level: 'failed',
      next:
        `A server of \`ollama\` answers at \`${server.url}\`: set \`host\` to \`${server.url}\`, ` +
        'or let it listen on every address (Ollama: `OLLAMA_HOST=0.0.0.0`).',
    });
  });

  test('of a name that answers on one of its addresses uses that address', async () => {
    await using server = await startOllama();
    const { port } = new URL(server.url);
    const lines = await diagnose({ provider: 'local-host', host: `http://localhost:${port}`, model: 'tiny' });
    const levels = lines.filter(({ name }) => name === 'Connection').map(({ level }) => level);
    expect(levels).toContain('ok');
    expect(levels).not.toContain('failed');
    expect(lineOf(lines, 'Chat').level).toBe('ok');
  });

  test('of a name that does not exist says so', async () => {
    const lines = await diagnose({ provider: 'local-host', host: 'http://nobody.invalid', model: 'm' });
    expect(lineOf(lines, 'Name')).toMatchObject({ level: 'failed' });
    expect(lineOf(lines, 'Name').next).toContain('`host`');
    expect(lineOf(lines, 'Chat').level).toBe('left out');
  });

  test('of a local connection with /v1 suggests the right address, and checks the network nevertheless', async () => {
    await using server = await startOllama();
    const lines = await diagnose({ provider: 'local-host', host: `${server.url}/v1`, model: 'tiny' });
    const failed = lines.filter(({ level }) => level === 'failed');
    expect(failed).toMatchObject([{ name: 'Settings' }]);
    expect(failed[0]?.text).toContain('must not end in /v1');
    expect(failed[0]?.next).toContain(`Set \`host\` to \`${server.url}\`, or \`provider\` to \`hosted-api\``);
    expect(lineOf(lines, 'Connection').level).toBe('ok');
    expect(lineOf(lines, 'Chat').level).toBe('left out');
  });

  test('of a missing model lists or suggests models of the server', async () => {
    await using server = await startOllama();
    const lines = await diagnose({ provider: 'local-host', host: server.url, model: 'nope:7b' });
    expect(lineOf(lines, 'Model')).toMatchObject({ level: 'failed', text: '`nope:7b` is not in the list.' });
    expect(lineOf(lines, 'Model').next).toContain('`ollama pull nope:7b`');
    expect(lineOf(lines, 'Chat')).toMatchObject({ level: 'failed' });
    expect(outline(lines)).toContain('left out Tool call');
    const alike = await diagnose({ provider: 'local-host', host: server.url, model: 'tiny:8b' });
    expect(lineOf(alike, 'Model').next).toContain('Did you mean `tiny:latest`?');
  });

  test('of a connection without a model uses one of the list, and says so', async () => {
    await using server = await startOllama();
    const lines = await diagnose({ provider: 'local-host', host: server.url });
    expect(lines.filter(({ name }) => name === 'Model')).toMatchObject([
      { level: 'warning', next: expect.stringContaining('Set `model`') as string },
      { level: 'ok' },
    ]);
    expect(lineOf(lines, 'Chat').level).toBe('ok');
  });

  test('of a selected model uses that model', async () => {
    await using server = await startOllama();
    await diagnose(
      { provider: 'local-host', host: server.url, model: 'tiny' },
      { model: 'tiny-plain:latest' },
    );
    // But for the request without a model, which asks for the protocol.
    const chats = server.requests.filter(({ url, body }) => url === '/api/chat' && body !== '{}');
    expect(chats.map(({ body }) => (JSON.parse(body) as { model: string }).model)).toEqual(
      Array.from({ length: 4 }, () => 'tiny-plain:latest'),
    );
  });

  test('of invalid settings reports them without a request', async () => {
    const lines = await diagnose({ provider: 'local-host', sampling: { temperature: 'hot' } });
    expect(outline(lines)).toEqual(['failed Settings']);
    expect(lines[0]?.text).toContain('sampling.temperature');
  });

  test('of a server in a container explains what localhost is there', async () => {
    const place = { ...HERE, isContainer: true };
    const lines = await diagnose({ provider: 'local-host', host: NOWHERE, model: 'm' }, { place });
    expect(lineOf(lines, 'Requests leave from').text).toBe(
      'This computer, inside a container. Inside a container `localhost` is the container itself: the machine around it ' +
        'is often `host.docker.internal`.',
    );
  });

  test('of the demo asks its model, without checking the network', async () => {
    const lines = await diagnose('demo', { model: 'hermes-text' });
    expect(outline(lines)).not.toContain('ok Connection');
    // A scripted model has no parameters, so no number of them is shown.
    expect(lineOf(lines, 'Model').text).toMatch(/^`hermes-text`, (not )?in memory/);
    expect(lineOf(lines, 'Tool call')).toMatchObject({
      level: 'warning',
      text: 'Written as text, in the format `hermes-json`, and read from it.',
    });
  });
});

describe('diagnoseConnection of a hosted API', () => {
  const KEY = 'canary-key-0123456789';

  test('without a key names the server it is for, and checks the network nevertheless', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    const lines = await diagnose({ provider: 'hosted-api', host: `${server.url}/v1`, model: 'm' });
    expect(lineOf(lines, 'Key')).toMatchObject({
      level: 'failed',
      text: `There is none for \`${server.url}\`.`,
      next: 'Use Set API Key.',
    });
    expect(lineOf(lines, 'Connection').level).toBe('ok');
    expect(server.requests).toEqual([]);
  });

  test('with a wrong key says so, and sends it only once', async () => {
    const server = await startDemoServer({ apiKey: 'another-key-0123456789' });
    try {
      const lines = await diagnose(
        { provider: 'hosted-api', host: server.hostedHost, model: 'm' },
        { key: KEY },
      );
      expect(lineOf(lines, 'HTTP')).toMatchObject({
        level: 'failed',
        text: expect.stringMatching(/answered with 401, .* The server refused the key/) as string,
        next: 'Set another one.',
      });
      expect(lineOf(lines, 'Chat')).toMatchObject({ level: 'left out' });
    } finally {
      await server.close();
    }
  });

  test('with an address without /v1 suggests the right one, and does not send the key to other addresses', async () => {
    await using server = await startServer(({ url }, response) => {
      if (url === '/v1/models') sendJson(response, 200, { data: [{ id: 'm' }] });
      else sendJson(response, url.startsWith('/v1/') ? 400 : 404, { error: { message: 'no' } });
    });
    const lines = await diagnose({ provider: 'hosted-api', host: server.url, model: 'm' }, { key: KEY });
    expect(lineOf(lines, 'HTTP').next).toBe(
      `The server answers at \`${server.url}/v1\`: set \`host\` to \`${server.url}/v1\`.`,
    );
    const withKey = server.requests.filter(({ headers }) => JSON.stringify(headers).includes(KEY));
    expect(withKey.map(({ url }) => url)).toEqual(['/models']);
  });

  test('that speaks another protocol suggests that one, although the lists of models are the same', async () => {
    await using server = await startServer(({ url }, response) => {
      if (url.startsWith('/v1/models')) sendJson(response, 200, { data: [{ id: 'm' }] });
      else sendJson(response, url === '/v1/messages' ? 400 : 404, { error: { message: 'no' } });
    });
    const setting = { provider: 'hosted-api', auth: 'none', host: server.url, model: 'm' };
    expect(lineOf(await diagnose(setting), 'HTTP').next).toBe(
      `The server answers at \`${server.url}\`: set \`host\` to \`${server.url}\` and \`provider\` to \`messages-api\`.`,
    );
  });

  test('that is actually an Ollama suggests both ways to use it', async () => {
    await using server = await startOllama();
    const setting = { provider: 'hosted-api', auth: 'none', host: server.url, model: 'tiny' };
    const lines = await diagnose(setting);
    expect(lineOf(lines, 'HTTP').next).toContain(
      `set \`host\` to \`${server.url}\` and \`provider\` to \`local-host\``,
    );
  });

  test('that repeats the key in its error leaves no key in the lines', async () => {
    await using server = await startServer(({ headers }, response) =>
      sendJson(response, 401, { error: { message: `bad key ${headers.authorization}` } }),
    );
    const lines = await diagnose(
      { provider: 'hosted-api', host: `${server.url}/v1`, model: 'm' },
      { key: KEY },
    );
    expect(lineOf(lines, 'HTTP').text).toContain('bad key');
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  test('without a list of models still tries a chat', async () => {
    await using server = await startServer(({ url }, response) => {
      const reply = { choices: [{ message: { content: '' }, finish_reason: 'length' }] };
      if (url === '/v1/chat/completions') sendJson(response, 200, reply);
      else sendJson(response, 404, { error: { message: 'not found' } });
    });
    const setting = { provider: 'hosted-api', auth: 'none', host: `${server.url}/v1`, model: 'm' };
    const lines = await diagnose(setting);
    expect(lineOf(lines, 'HTTP').level).toBe('failed');
    expect(lineOf(lines, 'Chat')).toMatchObject({
      level: 'warning',
      next: expect.stringContaining('reasoning models') as string,
    });
    expect(lineOf(lines, 'Embedding')).toMatchObject({
      level: 'warning',
      next: 'To use this connection for embeddings, set `embedModel`.',
    });
  });
});

test('an aborted diagnosis ends at once and closes its socket', async () => {
  const stop = new AbortController();
  await using server = await startServer(() => stop.abort(new Error('enough')));
  const host = server.url;
  const diagnosing = diagnose({ provider: 'local-host', host, model: 'm' }, { signal: stop.signal });
  await expect(diagnosing).rejects.toThrow('enough');
  await expect.poll(() => server.openConnections()).toBe(0);
});

test('the report shows no markup from names that a server sends', async () => {
  await using server = await startServer(({ url }, response) =>
    sendJson(
      response,
      200,
      url === '/api/tags' ? { models: [{ name: '`![x](https://evil.example/x.png)\n# <b>' }] } : {},
    ),
  );
  const lines = await diagnose({ provider: 'local-host', host: server.url, model: 'm' });
  const { text } = lineOf(lines, 'Models');
  expect(text).toBe("1: `'![x] (https://evil.example/x.png)\\u{a}# <b>`.");
  expect(nexts(lines)).not.toContain('\n#');
});
