// The command `proxy`, in this process, between a program and the demo: what it prints and what it writes.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { readExchange, readRecordLines } from '../../../../src/recording';
import { fakeTerminal } from '../../../support/cli/fake-terminal';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const KEY = 'sk-stored-12345678';
const QUESTION = 'What is the weather in Oslo?';
let folder = '';
let demo: DemoServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-proxy-'));
  demo = await startDemoServer({ apiKey: KEY });
});
afterAll(async () => {
  await demo.close();
  await rm(folder, { recursive: true });
});

async function startProxy(...words: string[]) {
  const { origin } = new URL(demo.hostedHost);
  return startWith({ [origin]: KEY }, ...words);
}

async function startWith(keys: Record<string, string> | undefined, ...words: string[]) {
  const environment = keys && { PROVIDER_PLAYGROUND_KEYS: JSON.stringify(keys) };
  const terminal = fakeTerminal({ folder, ...(environment && { environment }) });
  const ended = runCommandLine(['proxy', ...words], terminal);
  await expect.poll(() => terminal.written.talk).toContain('Ctrl+C');
  const [, address = ''] = /^ {2}(http:\S+)$/m.exec(terminal.written.talk) ?? [];
  return { terminal, ended, address };
}

/** Asks the same in each protocol of the demo, whole and streamed. */
async function askEach(root: string, model: string): Promise<void> {
  const declared = { name: 'get_weather', parameters };
  const messages = [{ role: 'user', content: QUESTION }];
  const tools = [{ type: 'function', function: declared }];
  const bodies = {
    '/v1/chat/completions': { messages, tools },
    '/api/chat': { messages, tools },
    '/v1/messages': {
      messages,
      max_tokens: 1000,
      tools: [{ name: 'get_weather', input_schema: parameters }],
    },
    '/v1/responses': { input: messages, tools: [{ type: 'function', ...declared }] },
  };
  for (const [path, body] of Object.entries(bodies))
    for (const stream of [true, false]) {
      const sent = JSON.stringify({ model, stream, ...body });
      const headers = {
        'anthropic-version': '2023-06-01',
        authorization: 'Bearer unused',
        'content-type': 'application/json',
        'user-agent': 'agent/1.0 (test)',
      };
      const response = await fetch(root + path, { method: 'POST', body: sent, headers });
      expect([path, response.status]).toEqual([path, 200]);
      await response.text();
    }
}

describe('runProxy', () => {
  it('shows how the replies in every protocol came out, and writes both sides down', async () => {
    const { terminal, ended, address } = await startProxy(
      '--target',
      demo.hostedHost,
      '--record',
      'one.jsonl',
    );
    const root = address.replace(/\/v1$/, '');
    await askEach(root, 'hermes-text');
    await askEach(root, 'native-call');
    await fetch(`${root}/v1/models`);
    await expect.poll(() => terminal.written.output.split('\n').length).toBe(18);
    terminal.interrupt();
    expect(await ended).toBe(EXIT.done);
    expect(terminal.isListening()).toBe(false);
    const lines = terminal.written.output.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d {2}agent\/1\.0 {2}POST \/v1\/chat\/completions {2}hermes-text {2}conversation 1, 1 message, 1 tool {2}200 {2}.* {2}with calls as text: 1 call, hermes-json$/,
    );
    expect(lines.filter((line) => line.includes('with calls as text: 1 call'))).toHaveLength(8);
    expect(lines.filter((line) => line.endsWith('native: 1 call'))).toHaveLength(8);
    expect(terminal.written.talk).toMatch(
      /17 requests: 8 with calls as text, 8 native, 1 other → one\.jsonl\nOpen Recording… in VS Code shows the file\.\n$/,
    );
    const text = await readFile(join(folder, 'one.jsonl'), 'utf8');
    expect(text + terminal.written.output + terminal.written.talk).not.toContain(KEY);
    const { recordings, unread } = readRecordLines(text);
    expect(unread).toEqual([]);
    expect(recordings).toMatchObject([{ head: { target: demo.hostedHost } }]);
    const exchanges = recordings[0]?.exchanges ?? [];
    expect(exchanges).toHaveLength(17);
    expect(new Set(exchanges.map(({ session }) => session))).toEqual(new Set([1, 2, 3, 4, undefined]));
    expect(new Set(exchanges.map(({ protocol }) => protocol)).size).toBe(5);
    const [first, second] = exchanges;
    expect(first).toMatchObject({
      program: 'agent/1.0',
      isKeyAdded: true,
      endedBy: 'server',
      model: 'hermes-text',
    });
    expect(second && readExchange(second)).toMatchObject({ usage: { promptTokens: expect.any(Number) } });
  });

  it.each([
    ['http://127.0.0.1:9/v1', '/v1', '', ''],
    ['http://127.0.0.1:9/', '/v1', '', ''],
    ['http://127.0.0.1:9/api/v1', '/api/v1', '/api', ''],
  ])('gives the clients of %s the address that each needs', async (target, openai, anthropic, ollama) => {
    const { terminal, ended } = await startWith(undefined, '--target', target);
    const [, root = ''] = /(http:\S+\/r\/[^/\s]+)/.exec(terminal.written.talk) ?? [];
    const lines = terminal.written.talk.split('\n');
    expect(lines).toContain(`  OPENAI_BASE_URL=${root}${openai}`);
    expect(lines).toContain(`  ANTHROPIC_BASE_URL=${root}${anthropic}`);
    expect(lines).toContain(`  OLLAMA_HOST=${root}${ollama}`);
    terminal.interrupt();
    await ended;
  });

  it.each([
    [undefined, /^The program sends its own key, if the server needs one\.$/m],
    [
      { 'https://other.example': KEY },
      /^PROVIDER_PLAYGROUND_KEYS has no key for http:\/\/127.0.0.1:9: the program/m,
    ],
    [
      { 'http://127.0.0.1:9/v1': KEY },
      /^A program that sends no key, .* gets the one for http:\/\/127.0.0.1:9\.$/m,
    ],
  ])('says whose key is sent, with %o', async (keys, words) => {
    const { terminal, ended } = await startWith(keys, '--target', 'http://127.0.0.1:9/v1');
    expect(terminal.written.talk).toMatch(words);
    expect(terminal.written.talk).not.toContain(KEY);
    terminal.interrupt();
    await ended;
  });

  it('names the path as the program wrote it, without its query', async () => {
    const { terminal, ended, address } = await startProxy('--target', 'http://127.0.0.1:9');
    const request = http.request(new URL(address), {
      path: `${new URL(address).pathname}//a/../b?key=secret-12345678`,
    });
    request.end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    await expect.poll(() => terminal.written.output).toContain('GET //a/../b  ');
    terminal.interrupt();
    await ended;
    expect(terminal.written.output).not.toContain('secret');
  });

  it('says why a request failed', async () => {
    const { terminal, ended, address } = await startProxy('--target', 'http://127.0.0.1:9/v1');
    const { status } = await fetch(`${address}/chat/completions`, { method: 'POST', body: '{}' });
    expect(status).toBe(502);
    await expect
      .poll(() => terminal.written.output)
      .toMatch(/–.*failed: Nothing listens at that address\. \(ECONNREFUSED\)/);
    terminal.interrupt();
    expect(await ended).toBe(EXIT.done);
    expect(terminal.written.talk).toMatch(/1 request: 1 failed\n$/);
  });

  it('adds to a file that is there, and leaves it as it was when the port is taken', async () => {
    const path = join(folder, 'twice.jsonl');
    const words = ['--target', demo.hostedHost, '--record', 'twice.jsonl'];
    for (let time = 0; time < 2; time++) {
      const { terminal, ended } = await startProxy(...words);
      terminal.interrupt();
      await ended;
    }
    const before = await readFile(path, 'utf8');
    expect(readRecordLines(before).recordings).toHaveLength(2);
    const terminal = fakeTerminal({ folder });
    const port = new URL(demo.hostedHost).port;
    expect(await runCommandLine(['proxy', ...words, '--port', port], terminal)).toBe(EXIT.unusable);
    expect(terminal.written.talk).toMatch(
      /cannot be opened on port .*\n {2}Another program uses it\.\n {2}→ Choose another/,
    );
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('says at once when the file cannot be written, and goes on', async () => {
    const { terminal, ended, address } = await startProxy(
      '--target',
      demo.hostedHost,
      '--record',
      '/dev/full',
    );
    expect(terminal.written.talk).toMatch(/the disk is full\. The rest is only shown here\./);
    expect((await fetch(`${address}/models`)).status).toBe(200);
    terminal.interrupt();
    expect(await ended).toBe(EXIT.done);
    expect(terminal.written.talk.match(/disk is full/g)).toHaveLength(1);
  });

  it.each([
    [[], /not said which server/],
    [['--target', 'ftp://x'], /no http or https address/],
    [
      ['--target', 'localhost:8080/v1'],
      /no http or https address\.\n {2}→ Write all of it, beginning with http/,
    ],
    [['--target', 'me:secret@host'], /no http or https address/],
    [['--target', 'http://me:secret@host'], /has a user name, a password or a query/],
    [['--target', 'http://host/v1?api_key=secret'], /has a user name, a password or a query/],
    [['--target', 'http://host', '--port', 'x'], /--port is no port/],
    [
      ['--target', 'http://host', '--record', 'missing/one.jsonl'],
      /cannot be written: its folder does not exist\.\n {2}→ Create the folder, or name another one\./,
    ],
  ])('refuses %j', async (words, problem) => {
    const terminal = fakeTerminal({ folder });
    expect(await runCommandLine(['proxy', ...words], terminal)).toBe(EXIT.unusable);
    expect(terminal.written.talk).toMatch(problem);
    expect(terminal.written.talk).not.toContain('secret');
  });
});
