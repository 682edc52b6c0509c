import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createConnectionSource } from '../../../../src/connections/connection-source';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { ReadRun, StepServices } from '../../../../src/session';
import { MemoryRunStore, readRun, RequestGate, SYSTEM_CLOCK } from '../../../../src/session';
import { restoreLanes } from '../../../../src/session/journal/restore';
import { findRequests, keepReply, openedText, openRequest } from '../../../../src/session/open-request';
import { startServer } from '../../../support/servers/http-server';
import { TestHost } from '../../../support/vscode/host-session';
import { settings } from '../../../support/vscode/vscode-stub';

const host = new TestHost();
afterAll(() => host.close());

function services(): StepServices {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return {
    knownConnections: () => [],
    connections: createConnectionSource(host.connections, () => () => undefined),
    gate: new RequestGate(() => 4),
    clock: SYSTEM_CLOCK,
    log,
  };
}

interface Kept {
  items: { kind: string; content?: string }[];
  run: ReadRun;
}

/** Opens the text and keeps its reply. */
async function keep(source: string): Promise<Kept> {
  const [found] = findRequests(source);
  if (!found) throw new Error('Nothing was found.');
  const opened = openRequest(found, PROVIDER_CATALOG);
  const store = new MemoryRunStore();
  const journal = await store.open('scratch:x');
  const record = await keepReply(journal, services(), opened, openedText(opened, 'demo'));
  const run = record && (await readRun(journal, record.runId));
  if (!run) throw new Error('Nothing was kept.');
  const items = (restoreLanes((await store.read('scratch:x')).lines).lanes.get('a') ?? []).map((item) =>
    item.kind === 'message' ? { kind: item.kind, content: item.message.content } : { kind: item.kind },
  );
  return { items, run };
}

const fixture = (name: string): string => readFileSync(`test/fixtures/requests/${name}.txt`, 'utf8');

const exchange = (response: unknown, status = 200): string =>
  JSON.stringify({
    url: 'https://api.groq.com/openai/v1/chat/completions',
    status,
    request: {
      model: 'm',
      messages: [{ role: 'user', content: 'Weather in Oslo?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
          },
        },
      ],
    },
    response,
  });

const saying = (content: string): object => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 4 },
});

describe('keepReply', () => {
  test('makes the conversation with a run of the reply', async () => {
    const { items, run } = await keep(fixture('browser-har'));
    expect(items).toEqual([{ kind: 'message', content: 'hi' }, { kind: 'run' }]);
    expect(run.record.turn?.assistant.content).toBe('Hello');
    expect(run.record).toMatchObject({
      connectionId: 'demo',
      connectionLabel: 'chat.example',
      startedAt: Date.parse('2025-02-01T10:00:01.500Z'),
      durationMs: 813,
    });
    expect(run.record.rates).toBeUndefined();
  });

  test('keeps request and response as they were found', async () => {
    const { run } = await keep(fixture('browser-har'));
    const [request] = run.wire?.requests ?? [];
    expect(request).toMatchObject({ method: 'POST', url: 'https://chat.example/v1/chat/completions' });
    expect(request?.body).toBe(
      '{"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": true}',
    );
    expect(run.wire?.attempts[0]?.response).toMatchObject({ status: 200 });
    expect(run.wire?.attempts[0]?.response?.body).toContain('data: [DONE]');
  });

  test('rescues calls from the reply', async () => {
    const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
    const { run } = await keep(exchange(saying(call)));
    expect(run.record.verdict.kind).toBe('rescued');
    expect(run.record.turn?.toolCalls).toMatchObject([{ name: 'get_weather', arguments: { city: 'Oslo' } }]);
  });

  test('explains a reply without a call', async () => {
    const { run } = await keep(fixture('raw-http-with-reply'));
    expect(run.record.turn?.raw.finishReason).toBe('length');
    expect(run.record.findings.length).toBeGreaterThan(0);
  });

  test('explains the error that a server answered, and asks nobody again', async () => {
    const { run } = await keep(exchange({ error: { message: 'Rate limit reached for model m' } }, 429));
    expect(run.record.verdict).toMatchObject({ kind: 'failed' });
    expect(run.record.ledger).toHaveLength(1);
    expect(JSON.stringify(run.record.error)).toContain('Rate limit reached');
  });

  test('sends nothing, not even to the server of the request', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    settings.user = {
      connections: { own: { provider: 'hosted-api', host: `${server.url}/v1`, auth: 'none' } },
    };
    const [found] = findRequests(
      exchange(saying('hi')).replace('https://api.groq.com/openai/v1', `${server.url}/v1`),
    );
    if (!found) throw new Error('Nothing was found.');
    const opened = openRequest(found, PROVIDER_CATALOG);
    const journal = await new MemoryRunStore().open('scratch:x');
    await keepReply(journal, services(), opened, openedText(opened, 'own'));
    expect(server.requests).toEqual([]);
  });

  test('keeps no key that the source has', async () => {
    const key = 'canary-key-0123456789';
    const source = JSON.stringify({
      headers: { authorization: `Bearer ${key}` },
      ...(JSON.parse(exchange(saying(`Your key is ${key}.`))) as object),
    });
    expect(JSON.stringify(await keep(source))).not.toContain('canary');
  });

  test.each([
    ['issue-curl-and-stream', 'f', '{"name": "f"'],
    ['issue-two-fences', 'get_current_weather', '<|tool_call|>'],
    ['litellm-log', 'get_weather', '<function=get_weather>'],
  ])('reads the call in the reply of a bug report: %s', async (name, called, text) => {
    const { run } = await keep(fixture(name));
    expect(run.record.turn?.raw.content).toContain(text);
    expect(run.record.turn?.rescue?.calls.map((call) => call.name)).toEqual([called]);
  });

  test('reads a stream of objects, and a refusal with its status', async () => {
    const request = '{"model":"m","options":{},"messages":[{"role":"user","content":"hi"}]}';
    const line = (content: string, done: boolean): string =>
      JSON.stringify({
        model: 'm',
        message: { role: 'assistant', content },
        done,
        ...(done && { done_reason: 'stop' }),
      });
    const { run } = await keep(
      `curl localhost:11434/api/chat -d '${request}'\n${line('Hel', false)}\n${line('lo', true)}`,
    );
    expect(run.record.turn?.assistant.content).toBe('Hello');
    const refused = `curl localhost:8000/v1/chat/completions -d '${request}'\nHTTP/1.1 429 Too Many\n\n{"error":{"message":"Slow down."}}`;
    const { run: failed } = await keep(refused);
    expect(failed.record.error).toMatchObject({ status: 429 });
  });
});
