// Runs the copied code of the official clients: each way to send a key, queries, keys of the environment that must stay out, and
// what a conversation carries from earlier replies.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CopyForm } from '../../../../src/inspect';
import { copyAs, copyForms } from '../../../../src/inspect';
import type { Message, Providers } from '../../../../src/library';
import {
  closeConnections,
  MessagesApiProvider,
  PROVIDER_CATALOG,
  ResponsesApiProvider,
} from '../../../../src/library';
import type { SeenRequest } from '../../../support/servers/http-server';
import type { CopyBench } from '../../../support/texts/copy-bench';
import { canRun, KEY, openCopyBench } from '../../../support/texts/copy-bench';

let bench: CopyBench;

beforeAll(async () => {
  bench = await openCopyBench();
  for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY'])
    vi.stubEnv(name, 'other');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bench?.[Symbol.asyncDispose]();
  await closeConnections();
});

type Options = Partial<ConstructorParameters<typeof MessagesApiProvider>[0]> & { query?: string };

const KINDS: Readonly<Record<string, (more: Options) => Providers>> = {
  messages: ({ query = '', ...more }) =>
    new MessagesApiProvider({
      host: `${bench.server.url}/anthropic${query}`,
      model: 'm',
      apiKey: KEY,
      ...more,
    }),
  responses: ({ query = '', auth, ...more }) =>
    new ResponsesApiProvider({
      host: `${bench.server.url}/v1${query}`,
      model: 'm',
      apiKey: KEY,
      ...(auth !== undefined && { auth }),
      ...more,
    }),
};

const WAYS: readonly (readonly [string, Options])[] = [
  ['the key in the header api-key', { auth: 'api-key' }],
  ['the key as a bearer', { auth: 'bearer' }],
  ['no key', { auth: 'none', apiKey: '' }],
  ['a query', { query: '?beta=true&x=%26é+1' }],
  ['a query with a key', { auth: 'none', apiKey: '', query: `?key=${KEY}&alt=sse` }],
  ['another version', { headers: { 'anthropic-version': '2099-01-01' } }],
  ['another authorization scheme', { auth: 'none', apiKey: '', headers: { authorization: `Basic ${KEY}` } }],
  ['a limit that the client finds too long for one reply', { raw: { max_tokens: 128_000 } }],
];

const HISTORY: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Time?' },
];
const HEADERS = ['authorization', 'api-key', 'x-api-key', 'anthropic-version', 'content-type'];

interface Case {
  provider: Providers;
  messages: Message[];
}

/** The code of these requests, run in one program, sends each of them again. */
async function expectEqual(cases: readonly Case[], runsPython = false): Promise<void> {
  const texts = new Map<CopyForm, string[]>();
  const sentBefore: SeenRequest[] = [];
  for (const { provider, messages } of cases) {
    const sampling = { temperature: 0.5, topP: 0.9, topK: 3, stop: ['x'] };
    const { request, sent, seen } = await bench.record(provider, { messages, sampling });
    sentBefore.push(seen);
    for (const form of copyForms(request, PROVIDER_CATALOG).slice(PLAIN_COUNT)) {
      const { text = '' } =
        copyAs(form, request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG }) ?? {};
      expect(text).not.toContain(KEY);
      texts.set(form, [...(texts.get(form) ?? []), text]);
    }
  }
  expect(texts.size).toBe(3);
  for (const [form, copied] of texts) {
    if (form.endsWith('-python') !== runsPython) continue;
    const again = await bench.pasteAll(form, copied);
    for (const [index, seen] of sentBefore.entries()) expectSame(again[index], seen, form);
  }
}

const PLAIN_COUNT = 4;

function expectSame(again: SeenRequest | undefined, seen: SeenRequest, form: CopyForm): void {
  const [one, other] = [again, seen].map((request) => new URL(request?.url ?? '', bench.server.url));
  expect([form, one?.pathname]).toEqual([form, other?.pathname]);
  expect([...(one?.searchParams ?? [])]).toEqual([...(other?.searchParams ?? [])]);
  expect(JSON.parse(again?.body ?? '')).toEqual(JSON.parse(seen.body));
  for (const name of HEADERS)
    expect([form, name, again?.headers[name]]).toEqual([form, name, seen.headers[name]]);
}

describe.each(Object.entries(KINDS))('copied code of a request of %s', (_, make) => {
  test.each(WAYS)('with %s sends an equal request', async (_way, options) => {
    await expectEqual([{ provider: make(options), messages: HISTORY }]);
  });

  test.runIf(canRun('python'))('sends an equal request in Python, whatever it has', async () => {
    await expectEqual(
      WAYS.map(([, options]) => ({ provider: make(options), messages: HISTORY })),
      true,
    );
  });
});

describe('copied code of a conversation', () => {
  test('of the Messages API has the thinking with its signature', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'eHg=' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 't1', name: 'clock', input: {} },
    ];
    const replay = { provider: 'messages', model: 'm', data: { content } };
    await expectEqual([
      { provider: KINDS['messages']?.({}) as Providers, messages: toHistory('Let me see.', replay) },
    ]);
    expect(bench.server.requests.at(-1)?.body).toContain('"signature":"c2ln"');
  });

  test('of the Responses API has the encrypted reasoning', async () => {
    const items = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAEC' },
      { type: 'function_call', id: 'fc_1', call_id: 't1', name: 'clock', arguments: '{}' },
    ];
    const replay = { provider: 'responses', model: 'm', data: { output: items } };
    await expectEqual([{ provider: KINDS['responses']?.({}) as Providers, messages: toHistory('', replay) }]);
    expect(bench.server.requests.at(-1)?.body).toContain('"encrypted_content":"AAEC"');
  });
});

const toHistory = (content: string, replay: NonNullable<Message['replay']>): Message[] => [
  ...HISTORY,
  {
    role: 'assistant',
    content,
    toolCalls: [{ id: 't1', name: 'clock', arguments: {}, source: 'native' }],
    replay,
  },
  { role: 'tool', toolCallId: 't1', toolName: 'clock', content: '12:00' },
];
