// A recording between a program and a server, all three real: what arrives on both sides, and what is refused.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Records, startRecording } from '../../../src/recording';
import { ask, echo, pathOf, record } from '../../support/servers/recorded-server';

describe('startRecording', () => {
  it('passes method, path, fields and bodies on unchanged, and the response back', async () => {
    const bytes = randomBytes(300_000);
    const packed = gzipSync(bytes);
    const { server, recording } = await record((_, response) => {
      response.writeHead(207, {
        'content-encoding': 'gzip',
        'x-name': 'h\xe9',
        'set-cookie': ['a=1', 'b=2'],
      });
      response.end(packed);
    });
    const body = JSON.stringify({ text: 'é'.repeat(100_000) });
    const headers = {
      'content-type': 'application/json',
      'X-Trace': 'abc',
      te: 'trailers',
      'x-private': '1',
    };
    const received = await ask(
      recording.address,
      {
        path: `${pathOf(recording.address)}//a%2fb/../c?q=%20x&q=1`,
        method: 'PATCH',
        headers: { ...headers, connection: 'close, x-private' },
      },
      body,
    );
    expect(received).toMatchObject({ status: 207, body: packed });
    expect(received.headers).toMatchObject({ 'x-name': 'h\xe9', 'set-cookie': ['a=1', 'b=2'] });
    const [seen] = server.requests;
    expect(seen).toMatchObject({ method: 'PATCH', url: '/v1//a%2fb/../c?q=%20x&q=1', body });
    expect(seen?.headers).toMatchObject({ 'content-type': 'application/json', 'x-trace': 'abc' });
    expect(seen?.headers).not.toHaveProperty('te');
    expect(seen?.headers).not.toHaveProperty('x-private');
    expect(seen?.headers.host).toBe(new URL(server.url).host);
  });

  it('passes each part of a body on when it arrives, in both directions', async () => {
    const arrived: string[] = [];
    const upstream = http.createServer((request, response) => {
      request.setEncoding('utf8').on('data', (data: string) => {
        arrived.push(data);
        response.write(`got ${data}`);
      });
      request.on('end', () => response.end('over'));
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    const recording = await startRecording({ target: `http://127.0.0.1:${port}` });
    onTestFinished(async () => {
      await recording.close();
      upstream.close();
    });
    const request = http.request(recording.address, { method: 'POST' });
    request.write('one');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.setEncoding('utf8');
    expect(await once(response, 'data')).toEqual(['got one']);
    request.write('two');
    expect(await once(response, 'data')).toEqual(['got two']);
    request.end();
    expect(await once(response, 'data')).toEqual(['over']);
    expect(arrived).toEqual(['one', 'two']);
  });

  it('sends header fields on before there is a body', async () => {
    let finish = (): void => undefined;
    const { recording } = await record((_, response) => {
      response.flushHeaders();
      finish = () => void response.end('late');
    });
    const request = http.get(recording.address);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    finish();
    response.resume();
    await once(response, 'end');
  });

  it('records what was sent and received, with the times and without keys', async () => {
    const { recording, ended } = await record((_, response) =>
      response.end('{"echo":"sk-program-12345678"}'),
    );
    await ask(
      `${recording.address}/chat/completions?key=query-secret-1`,
      { method: 'POST', headers: { authorization: 'Bearer sk-program-12345678', 'user-agent': 'agent/1.2' } },
      '{"model":"m"}',
    );
    await expect.poll(() => ended.length).toBe(1);
    const [passage] = ended;
    expect(passage).toMatchObject({
      number: 1,
      method: 'POST',
      userAgent: 'agent/1.2',
      status: 200,
      endedBy: 'server',
    });
    expect(passage?.protocol?.chatPath).toBe('/chat/completions');
    expect(passage?.endMs).toBeGreaterThanOrEqual(passage?.firstByteMs ?? Infinity);
    const evidence = passage?.evidence();
    expect(evidence?.request.body).toBe('{"model":"m"}');
    expect(evidence?.response).toMatchObject({ status: 200, isComplete: true });
    expect(JSON.stringify(evidence)).not.toMatch(/sk-program|query-secret/);
  });

  it('keeps the first 8 MiB of a body, and passes all of it on', async () => {
    const { recording, ended, server } = await record(echo);
    const body = Buffer.alloc(9 * 1024 * 1024, 'x');
    const received = await ask(recording.address, { method: 'POST' }, body);
    expect(received.body.equals(body)).toBe(true);
    expect(server.requests[0]?.body.length).toBe(body.length);
    await expect.poll(() => ended.length).toBe(1);
    const evidence = ended[0]?.evidence();
    expect(evidence?.request).toMatchObject({ omittedBytes: 1024 * 1024 });
    expect(evidence?.response).toMatchObject({ omittedBytes: 1024 * 1024 });
  });

  it('keeps a request that is no text', async () => {
    const { recording, ended } = await record(echo);
    const body = Buffer.from([0xff, 0xd8, 0, 1]);
    await ask(recording.address, { method: 'POST' }, body);
    await expect.poll(() => ended.length).toBe(1);
    expect(ended[0]?.evidence()?.request).toMatchObject({ body: body.toString('base64'), isBase64: true });
  });

  it('stops the server when the program leaves, and the program when the server breaks off', async () => {
    let closed = 0;
    const { recording, ended } = await record(({ url }, response) => {
      response.on('close', () => (closed += 1));
      response.write('begun');
      if (url.endsWith('/cut')) setImmediate(() => response.destroy());
    });
    const request = http.get(recording.address);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    request.destroy();
    await expect.poll(() => closed).toBe(1);
    await expect.poll(() => ended.map(({ endedBy }) => endedBy)).toEqual(['program']);
    await expect(ask(`${recording.address}/cut`)).rejects.toThrow('aborted');
    await expect.poll(() => ended.map(({ endedBy }) => endedBy)).toEqual(['program', 'network']);
    expect(ended[1]?.error).toBeInstanceOf(Error);
  });

  it('gives the program all that arrived of a reply that breaks off, also what a repair held back', async () => {
    const deltas = ['Let me see. ', '<tool_call>\n{"name": "get_weather", "argu'];
    const { recording, ended } = await record(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const content of deltas)
          response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
        setTimeout(() => response.destroy(), 20);
      },
      { isRepairing: () => true },
    );
    const tools = [{ type: 'function', function: { name: 'get_weather' } }];
    const request = http.request(`${recording.address}/chat/completions`, { method: 'POST' });
    request.end(
      JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], tools }),
    );
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let received = '';
    response.setEncoding('utf8').on('data', (data: string) => (received += data));
    await once(response, 'error');
    const texts = [...received.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']) => JSON.parse(text) as string,
    );
    expect(texts.join('')).toBe(deltas.join(''));
    expect(ended.map(({ endedBy }) => endedBy)).toEqual(['network']);
  });

  it('measures how long a call was held back', async () => {
    const send = (response: http.ServerResponse, content: string, reason: string | null = null): boolean =>
      response.write(
        `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: reason }] })}\n\n`,
      );
    const { recording, ended } = await record(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        send(response, 'Let me see. ');
        send(response, '<tool_call>\n{"name": "get_weather", ');
        setTimeout(() => {
          send(response, '"arguments": {}}\n</tool_call>');
          send(response, '', 'stop');
          response.end('data: [DONE]\n\n');
        }, 80);
      },
      { isRepairing: () => true },
    );
    const tools = [{ type: 'function', function: { name: 'get_weather' } }];
    const asked = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], tools };
    const options = { path: `${pathOf(recording.address)}/chat/completions`, method: 'POST' };
    const { body } = await ask(recording.address, options, JSON.stringify(asked));
    expect(body.toString()).toContain('"tool_calls"');
    const [passage] = ended;
    const heldMs = passage?.repaired()?.heldMs ?? 0;
    expect(heldMs).toBeGreaterThan(60);
    expect(heldMs).toBeLessThanOrEqual(passage?.endMs ?? 0);
  });

  it.each([
    ['searched', {}, {}],
    ['compressed', {}, { 'content-encoding': 'br' }],
    ['request-unread', { text: 'x'.repeat(9 * 1024 * 1024) }, {}],
    [undefined, { tool_choice: 'none' }, { 'content-encoding': 'br' }],
  ] as const)('knows whether calls were looked for: %s', async (repairing, more, fields) => {
    const reply = JSON.stringify({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] });
    const { recording, ended } = await record(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...fields });
        response.end(reply);
      },
      { isRepairing: () => true },
    );
    const tools = [{ type: 'function', function: { name: 'get_weather' } }];
    const asked = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools, ...more };
    const options = { path: `${pathOf(recording.address)}/chat/completions`, method: 'POST' };
    const { body } = await ask(recording.address, options, JSON.stringify(asked));
    expect(body.toString()).toBe(reply);
    expect(ended.map((passage) => passage.repairing())).toEqual([repairing]);
    const [passage] = ended;
    expect(passage && new Records().toRecord(passage)?.repairing).toBe(repairing);
  });

  it('stops reading from the server while the program does not read', async () => {
    let written = 0;
    const { recording } = await record((_, response) => {
      const block = Buffer.alloc(64 * 1024);
      const write = (): void => {
        while (written < 256 * 1024 * 1024) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', write);
        }
      };
      write();
    });
    const request = http.get(recording.address);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = written === before;
          before = written;
          return isStill;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    request.destroy();
  });

  it('takes all of a request that the server answers before it is whole, and then the next one', async () => {
    const upstream = http.createServer(({ method }, response) => {
      response.statusCode = method === 'POST' ? 413 : 200;
      response.end('answer');
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    const recording = await startRecording({ target: `http://127.0.0.1:${port}` });
    onTestFinished(async () => {
      await recording.close();
      upstream.closeAllConnections();
      upstream.close();
    });
    const { hostname, port: at, pathname } = new URL(recording.address);
    const socket = net.connect(Number(at), hostname);
    let received = '';
    socket.setEncoding('latin1').on('data', (data: string) => (received += data));
    // More than both sides of a connection hold.
    const size = 64 * 1024 * 1024;
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${size}\r\n\r\n`);
    const sent = new Promise<void>((resolve) => void socket.write(Buffer.alloc(size), () => resolve()));
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 [^]*answer$/);
    await sent;
    received = '';
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 [^]*answer$/);
    socket.destroy();
  });

  // Of a name with several addresses, the error has no words of its own.
  it.each(['127.0.0.1', 'localhost'])('says in words that nothing answers at %s', async (host) => {
    const { server } = await record(echo);
    const { port } = new URL(server.url);
    await server[Symbol.asyncDispose]();
    const { recording, ended } = await record(echo, { target: `http://${host}:${port}` });
    const { status, body } = await ask(recording.address, { method: 'POST' }, '{}');
    expect(status).toBe(502);
    expect(body.toString()).toMatch(
      /got no answer from http:[^ ]+ .*: Nothing listens at that address\. \(ECONNREFUSED\) Start the server/,
    );
    await expect.poll(() => ended.length).toBe(1);
    const [passage] = ended;
    expect(passage && new Records().toRecord(passage)).toMatchObject({
      endedBy: 'network',
      problem: 'Nothing listens at that address. (ECONNREFUSED)',
      errorCode: 'ECONNREFUSED',
    });
  });

  it('sends a request again when the server has closed the kept connection', async () => {
    const { recording, server } = await record(echo);
    const agent = new http.Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const first = await ask(recording.address, { method: 'POST', agent }, 'one');
    expect(first.body.toString()).toBe('one');
    server.closeIdle();
    const second = await ask(recording.address, { method: 'POST', agent }, 'two');
    expect(second.body.toString()).toBe('two');
  });

  it('ends everything when it is closed', async () => {
    const { recording, ended } = await record((_, response) => void response.write('begun'));
    const request = http.get(recording.address);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const broken = new Promise((resolve) => response.on('error', resolve).resume());
    await Promise.all([broken, recording.close(), recording.close()]);
    expect(ended.map(({ endedBy }) => endedBy)).toEqual(['recording']);
    await expect(ask(recording.address)).rejects.toThrow('ECONNREFUSED');
  });

  it('refuses a target that is no address, or has a password or a query', async () => {
    await expect(startRecording({ target: 'file:///etc/passwd' })).rejects.toThrow(TypeError);
    await expect(startRecording({ target: 'http://me:secret@host' })).rejects.toThrow(
      'user name, a password or a query',
    );
    await expect(startRecording({ target: 'http://host/v1?api_key=secret' })).rejects.toThrow(TypeError);
  });
});

describe('the key of the connection', () => {
  const findKey = { findKey: () => Promise.resolve('sk-stored-12345678') };

  it.each<[string, http.OutgoingHttpHeaders, string, Record<string, string>]>([
    ['nothing', {}, '/v1/models', { authorization: 'Bearer sk-stored-12345678' }],
    ['nothing, in another protocol', {}, '/v1/messages', { 'x-api-key': 'sk-stored-12345678' }],
    [
      'something in its place',
      { 'X-Api-Key': 'unused' },
      '/v1/chat/completions',
      { 'x-api-key': 'sk-stored-12345678' },
    ],
    [
      'something in both places',
      { authorization: 'Bearer unused', 'X-Api-Key': 'unused' },
      '/v1/messages',
      { 'x-api-key': 'sk-stored-12345678' },
    ],
    [
      'a key of its own',
      { authorization: 'bearer sk-own-12345678' },
      '/v1/messages',
      { authorization: 'bearer sk-own-12345678' },
    ],
  ])('is added for a program that sends %s', async (_, headers, path, expected) => {
    const { recording, server, ended } = await record(echo, findKey);
    await ask(`${recording.root}${path}`, { method: 'POST', headers }, 'sk-stored-12345678');
    expect(server.requests[0]?.headers).toMatchObject(expected);
    const keys = Object.keys(server.requests[0]?.headers ?? {}).filter((name) => /api-key|auth/.test(name));
    expect(keys).toHaveLength(1);
    await expect.poll(() => ended.length).toBe(1);
    expect(JSON.stringify(ended[0]?.evidence()?.request.headers)).not.toContain('12345678');
  });

  it('is not added beside one of the program, wherever that sends something else', async () => {
    const { recording, server, ended } = await record(echo, findKey);
    const headers = { authorization: 'Bearer unused', 'x-api-key': 'sk-own-12345678' };
    await ask(`${recording.root}/v1/messages`, { method: 'POST', headers }, '{}');
    expect(server.requests[0]?.headers).toMatchObject(headers);
    await expect.poll(() => ended.length).toBe(1);
    expect(ended[0]?.isKeyAdded).toBe(false);
  });

  it('is asked for once, and the program goes on without it when there is none', async () => {
    let asked = 0;
    const none = (): Promise<undefined> => {
      asked += 1;
      return Promise.reject(new Error('locked'));
    };
    const { recording, server } = await record(echo, { findKey: none });
    await Promise.all([ask(recording.address), ask(recording.address)]);
    expect(server.requests).toHaveLength(2);
    expect(asked).toBe(1);
  });
});
