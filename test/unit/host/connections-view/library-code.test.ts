// Runs the copied code to check that it creates the provider of the connection.
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import type { ConnectionSetting } from '../../../../src/connections/connection';
import { catalogEntry } from '../../../../src/connections/catalog-connection';
import { toLibraryCode } from '../../../../src/host/connections-view/library-code';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../../src/library';
import type { Providers } from '../../../../src/library';
import { sendJson, startServer } from '../../../support/servers/http-server';

afterAll(closeConnections);

/** Runs the code as the text of a module. */
function run(code: string, env: Record<string, string> = {}): Providers {
  const [importLine = '', ...body] = code.split('\n');
  expect(importLine).toMatch(/^import \{ (Local|Hosted)\w+Provider \} from '\.\/src\/library';$/);
  const { code: script } = transformSync(body.join('\n'), { loader: 'ts' });
  const scope = { LocalHostProvider, HostedApiProvider, process: { env } };
  return runInNewContext(`${script}; provider`, scope) as Providers;
}

describe('toLibraryCode', () => {
  test('creates a provider that sends the same requests, with the key from the environment', async () => {
    await using server = await startServer((_, response) =>
      sendJson(response, 200, { choices: [{ message: { content: 'hi' } }] }),
    );
    const setting: ConnectionSetting = {
      label: "O'Neil",
      provider: 'hosted-api',
      host: `${server.url}/v1`,
      model: 'it\'s "m"\n',
      sampling: { temperature: 0, stop: ['a', '\'"\\'] },
      headers: { 'x-title': 'T', odd: '${x}' },
      raw: { 'a b': { c: [1, null] }, __proto__: undefined },
      retry: { maxAttempts: 2, timeoutMs: 5_000 },
      tokenLimitKey: 'max_completion_tokens',
      costPer1kTokens: { input: 0.1, output: 0.2 },
    };
    const code = toLibraryCode('my groq-2', setting, catalogEntry({ setting }));
    const provider = run(code, { MY_GROQ_2_API_KEY: 'the-key-0123' });
    await provider.chat({ messages: [{ role: 'user', content: 'x' }], sampling: { maxTokens: 5 } });
    const [request] = server.requests;
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer the-key-0123',
      'x-title': 'T',
      odd: '${x}',
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      model: 'it\'s "m"\n',
      temperature: 0,
      stop: ['a', '\'"\\'],
      max_completion_tokens: 5,
      'a b': { c: [1, null] },
    });
  });

  test('is formatted like handwritten code', () => {
    const host = 'http://127.0.0.1:11434';
    const setting = { label: 'Ollama', provider: 'local-host', host, model: 'qwen3:8b' };
    expect(toLibraryCode('ollama', setting, catalogEntry({ setting }))).toBe(
      `import { LocalHostProvider } from './src/library';

const provider = new LocalHostProvider({
  host: 'http://127.0.0.1:11434',
  model: 'qwen3:8b',
});
`,
    );
  });

  test('contains auth: none with an empty key for a server that needs no key, and the defaults', () => {
    const setting = { provider: 'hosted-api', auth: 'none' } as const;
    const code = toLibraryCode('x', setting, catalogEntry({ setting }));
    expect(code).toContain(
      "  host: 'https://api.openai.com/v1',\n  model: 'gpt-4o-mini',\n  auth: 'none',\n  apiKey: '',",
    );
  });
});
