// Runs the copied text as a person would paste it; it must send the original request again, to a server that records each
// request.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CopyForm } from '../../../../src/inspect';
import { copyAs, copyForms } from '../../../../src/inspect';
import type { ChatOptions, ExchangeRequest, Message, ObservedAttempt } from '../../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  PROVIDER_CATALOG,
} from '../../../../src/library';
import { sendJson, startServer } from '../../../support/servers/http-server';
import type { SeenRequest, TestServer } from '../../../support/servers/http-server';
import { passByWindowsPowerShell, readPowerShell } from '../../../support/texts/powershell-words';

const KEY = 'sk-canary-0123456789';
const HOSTILE =
  'it\'s "so" $(touch copied) `id` ${HOME} $HOME %PATH% !! \\ \\\' ‘a’ ‚b‛ “c” „d” # @x <tag> \u2028 🌦️ é\nnext\ttab\r\n' +
  "'@\nEOF\n";
const run = promisify(execFile);

let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copied-'));
  writeFileSync(join(folder, 'httpx.py'), HTTPX);
  server = await startServer((_, response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { content: 'hi' }, finish_reason: 'stop' }],
      message: { content: 'hi' },
      done: true,
    }),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.[Symbol.asyncDispose]();
  await closeConnections();
});

/** Replaces the Python package httpx, which may not be installed: the part that copied code uses. */
const HTTPX = `
import json as _json
import urllib.request
class _Response:
    def __init__(self, answer):
        self.status_code = answer.status
        self.text = answer.read().decode()
def request(method, url, headers, timeout, json=None, content=None):
    data = content if json is None else _json.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
    return _Response(urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers, method=method)))
`;

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The request that the server receives when the text is pasted and run. */
async function paste(form: CopyForm, text: string): Promise<SeenRequest> {
  const before = server.requests.length;
  const env = { ...process.env, MY_KEY: KEY, X_TOKEN: 'token-9876543210', PYTHONPATH: folder };
  await RUNNERS[form](text, env);
  expect(server.requests).toHaveLength(before + 1);
  const seen = server.requests.at(-1);
  if (!seen) throw new Error('Nothing was sent.');
  return seen;
}

const RUNNERS: Record<CopyForm, (text: string, env: NodeJS.ProcessEnv) => Promise<unknown>> = {
  bash: async (text, env) => {
    const file = join(folder, 'copied.sh');
    writeFileSync(file, text);
    // With history expansion, as in an interactive shell.
    return run('bash', ['-H', file], { env, cwd: folder });
  },
  powershell: async (text, env) => {
    const files = { body: join(folder, 'body'), headers: join(folder, 'headers') };
    const keys = { 'env:MY_KEY': env['MY_KEY'] ?? '', 'env:X_TOKEN': env['X_TOKEN'] ?? '' };
    const statements = readPowerShell(text, { ...files, ...keys });
    for (const [call = '', written = ''] of statements) {
      const [, name] = /^\[System\.IO\.File\]::WriteAllText\(\$(\w+),$/.exec(call) ?? [];
      if (name === 'body' || name === 'headers') writeFileSync(files[name], written.replace(/\)$/, ''));
    }
    const command = statements.find(([first]) => first === 'curl.exe');
    return run('curl', passByWindowsPowerShell(command?.slice(1) ?? []), { env });
  },
  fetch: (text, env) => run(process.execPath, ['--input-type=module', '--eval', text], { env }),
  python: async (text, env) => {
    const file = join(folder, 'copied.py');
    writeFileSync(file, text);
    return run('python3', [file], { env });
  },
  openai: (text, env) => runModule(text, env),
  ollama: (text, env) => runModule(text, env),
  provider: (text, env) => runModule(text, env),
};

/** Runs the text as a module, with its imports replaced by globals. */
async function runModule(text: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { code } = transformSync(text, { loader: 'ts' });
  const body = code.replaceAll(/^import .*$/gm, '');
  const scope = {
    HostedApiProvider,
    LocalHostProvider,
    OpenAI,
    Ollama,
    process: { env, stdout: { write: () => true } },
    console: { log: () => undefined },
    JSON,
  };
  await runInNewContext(`(async () => {${body}})()`, scope);
}

/** Sends a request and records it as a run does. */
async function record(
  provider: HostedApiProvider | LocalHostProvider,
  options: ChatOptions,
): Promise<{ request: ExchangeRequest; sent: Record<string, string>; seen: SeenRequest }> {
  const attempts: ObservedAttempt[] = [];
  const turn = await provider
    .chat({ ...options, onAttempt: (attempt) => void attempts.push(attempt) })
    .catch((error: { exchange: { sent: Record<string, string> } }) => error);
  const seen = server.requests.at(-1);
  const request = attempts.at(-1)?.evidence().request;
  if (!seen || !request) throw new Error('Nothing was sent.');
  return { request, sent: turn.exchange.sent, seen };
}

const MESSAGES: Message[] = [
  { role: 'system', content: HOSTILE },
  { role: 'user', content: 'Weather?' },
  {
    role: 'assistant',
    content: '',
    reasoning: 'Hm.',
    toolCalls: [
      {
        id: 'c1',
        name: 'get_weather',
        arguments: { city: "O'Slo", days: 9007199254740991 },
        source: 'native',
      },
      { id: 'c2', name: 'get_weather', arguments: '{"city" : "Bergen"}', source: 'native' },
    ],
  },
  { role: 'tool', toolCallId: 'c1', toolName: 'get_weather', content: '{"temp": true, "none": null}' },
  { role: 'tool', toolCallId: 'c2', toolName: 'get_weather', content: 'no', isError: true },
];
const TOOLS = [
  {
    name: 'get_weather',
    description: HOSTILE,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

const hosted = (more = {}): HostedApiProvider =>
  new HostedApiProvider({
    host: `${server.url}/v1`,
    apiKey: KEY,
    model: "m'1",
    headers: { 'x-token': 'token-9876543210', 'x-title': 'It\'s "me" $(x)' },
    raw: { top_k: 40, nested: { a: [], b: {}, __proto__x: null } },
    ...more,
  });
const local = (): LocalHostProvider =>
  new LocalHostProvider({
    host: server.url,
    model: 'm',
    raw: { options: { num_batch: 64 }, keep_alive: '5m' },
  });
const SAMPLING = { temperature: 0, stop: ['a', HOSTILE], seed: -1, maxTokens: 12 };
const followed = { onDelta: () => undefined };

const FORMS: CopyForm[] = ['bash', 'powershell', 'fetch', 'python', 'openai', 'ollama', 'provider'];
const CASES = FORMS.flatMap((form) =>
  (['hosted', 'hosted streamed', 'local', 'local streamed'] as const).map((side) => ({ form, side })),
).filter(
  ({ form, side }) =>
    !(form === 'openai' && side.startsWith('local')) && !(form === 'ollama' && side.startsWith('hosted')),
);
const canRun = (form: CopyForm): boolean =>
  form === 'python' ? hasProgram('python3') : !['bash', 'powershell'].includes(form) || hasProgram('curl');

describe('a copied request', () => {
  test.each(CASES.filter(({ form }) => canRun(form)))(
    'as $form, $side, sends an equal request',
    async ({ form, side }) => {
      const provider = side.startsWith('hosted') ? hosted() : local();
      const options = { messages: MESSAGES, tools: TOOLS, sampling: SAMPLING };
      const { request, sent, seen } = await record(provider, {
        ...options,
        ...(side.endsWith('streamed') && followed),
      });
      const copied = copyAs(form, request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
      expect(copied?.text).not.toContain(KEY);
      expect(copied?.variables.includes('MY_KEY')).toBe(side.startsWith('hosted'));
      const again = await paste(form, copied?.text ?? '');
      expect(again.url).toBe(seen.url);
      expect(again.method).toBe('POST');
      expect(JSON.parse(again.body)).toEqual(JSON.parse(seen.body));
      for (const name of ['authorization', 'x-token', 'x-title']) {
        expect(again.headers[name]).toBe(seen.headers[name]);
      }
    },
  );

  test.each([
    [
      'a query, and the key in the header api-key',
      { auth: 'api-key', query: '?api-version=2024-10+21&x=%26é&y' },
    ],
    ['a query that contains a key', { auth: 'none', query: `?key=${KEY}&alt=json` }],
    ['no key', { auth: 'none', query: '' }],
    ['another token limit', { auth: 'bearer', query: '', tokenLimitKey: 'max_completion_tokens' }],
    [
      'a key with another authorization scheme',
      { auth: 'none', query: '', headers: { authorization: `Basic ${KEY}` } },
    ],
    ['two keys', { auth: 'bearer', query: '', headers: { 'api-key': KEY } }],
  ] as const)(
    'with %s sends an equal request as openai and as provider',
    async (_, { auth, query, ...more }) => {
      const provider = hosted({
        host: `${server.url}/v1${query}`,
        apiKey: auth === 'none' ? '' : KEY,
        auth,
        headers: {},
        ...more,
      });
      const { request, sent, seen } = await record(provider, { messages: MESSAGES, sampling: SAMPLING });
      for (const form of ['openai', 'provider'] as const) {
        const copied = copyAs(form, request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
        expect(copied?.text).not.toContain(KEY);
        const again = await paste(form, copied?.text ?? '');
        expect([...new URL(again.url, server.url).searchParams]).toEqual([
          ...new URL(seen.url, server.url).searchParams,
        ]);
        expect(new URL(again.url, server.url).pathname).toBe('/v1/chat/completions');
        expect(JSON.parse(again.body)).toEqual(JSON.parse(seen.body));
        for (const name of ['authorization', 'api-key']) expect(again.headers[name]).toBe(seen.headers[name]);
      }
    },
  );

  test('of the local protocol with a query and an authorization is not offered as ollama, and keeps both as provider', async () => {
    const provider = new LocalHostProvider({
      host: `${server.url}?key=${KEY}`,
      model: 'm',
      headers: { authorization: `Bearer ${KEY}` },
    });
    const { request, sent, seen } = await record(provider, { messages: MESSAGES });
    expect(copyForms(request, PROVIDER_CATALOG)).not.toContain('ollama');
    const copied = copyAs('provider', request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
    const again = await paste('provider', copied?.text ?? '');
    expect([again.url, again.headers.authorization]).toEqual([seen.url, seen.headers.authorization]);
  });

  test.each(['bash', 'powershell', 'fetch', 'python'] as const)(
    'as %s sends a body that is not compact JSON byte for byte',
    async (form) => {
      if (!canRun(form)) return;
      const body = `{ "a": 1.50, "a": "it's\\u00e9", "b": "‘x’ “y” $(touch copied) 🌦️" }\n\tnot JSON 'EOF'`;
      const request = {
        method: 'PUT',
        url: `${server.url}/talk?key=***&x=[1]{2}'`,
        headers: { 'content-type': 'text/plain' },
        body,
      };
      expect(copyForms(request, PROVIDER_CATALOG)).toEqual(['bash', 'powershell', 'fetch', 'python']);
      const copied = copyAs(form, request, { variable: 'MY_KEY', sent: {}, catalog: PROVIDER_CATALOG });
      const again = await paste(form, copied?.text ?? '');
      expect(again.body).toBe(body);
      expect(again.method).toBe('PUT');
      expect(decodeURIComponent(again.url)).toBe(`/talk?key=${KEY}&x=[1]{2}'`);
      expect(again.headers['content-type']).toBe('text/plain');
    },
  );

  test.each(['bash', 'powershell'] as const)(
    'as %s has the headers that were sent, and adds no content type',
    async (form) => {
      if (!canRun(form)) return;
      const request = {
        method: 'POST',
        url: `${server.url}/talk`,
        headers: { 'x-empty': '', 'x-a': 'b', 'x-path': 'C:\\a b\\', 'x-said': '"a" "b c" \\"d\\\\' },
        body: 'a=b',
      };
      const { headers } = await paste(
        form,
        copyAs(form, request, { variable: 'MY_KEY', sent: {}, catalog: PROVIDER_CATALOG })?.text ?? '',
      );
      expect(headers).toMatchObject(request.headers);
      expect(headers).not.toHaveProperty('content-type');
    },
  );

  test.each([
    ['bash', 'x'.repeat(300_000)],
    ['bash', '長'.repeat(60_000)],
    ['powershell', 'x'.repeat(300_000)],
  ] as const)('as %s may have any length: %#', async (form, text) => {
    if (!canRun(form)) return;
    const body = JSON.stringify({ messages: [{ role: 'user', content: `${HOSTILE}${text}` }] });
    const request = { method: 'POST', url: `${server.url}/v1/chat/completions`, headers: {}, body };
    const copied = copyAs(form, request, { variable: 'MY_KEY', sent: {}, catalog: PROVIDER_CATALOG });
    expect((await paste(form, copied?.text ?? '')).body).toBe(body);
  });

  test('executes nothing that it quotes', () => {
    expect(() => readFileSync(join(folder, 'copied'))).toThrow();
  });

  test('mentions that a secret in its body was masked', () => {
    const request: ExchangeRequest = {
      method: 'POST',
      url: 'http://h/api/chat',
      headers: {},
      body: '{"model":"m","messages":[],"note":"********"}',
      isBodyMasked: true,
    };
    for (const form of copyForms(request, PROVIDER_CATALOG)) {
      expect(copyAs(form, request, { variable: 'K', sent: {}, catalog: PROVIDER_CATALOG })?.text).toMatch(
        /secret in the body was masked/,
      );
    }
  });

  test('keeps messages and tools with shapes that neutral input lacks', async () => {
    const raw = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      tools: [{ type: 'web_search' }],
      stream_options: { include_usage: false },
    };
    const { request, sent, seen } = await record(hosted({ raw }), { messages: MESSAGES, ...followed });
    const copied = copyAs('provider', request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
    expect(JSON.parse((await paste('provider', copied?.text ?? '')).body)).toEqual(JSON.parse(seen.body));
  });
});
