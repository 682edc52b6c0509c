// A new protocol needs one provider file, one wire file and one line in the catalog. Shown with a made-up one, in the panel,
// both kinds of diagnosis, copies and replays.
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createConnectionSource } from '../../src/connections/connection-source';
import { copyAs } from '../../src/inspect';
import type * as Catalog from '../../src/library/providers/catalog';
import { PROVIDER_CATALOG } from '../../src/library';
import {
  parseDocument,
  playgroundOfRun,
  readRun,
  replayRun,
  RequestGate,
  storedRuns,
  SYSTEM_CLOCK,
} from '../../src/session';
import { diagnose } from '../support/diagnosis/diagnose';
import type { HostSession } from '../support/vscode/host-session';
import { QUESTION, TestHost, WEATHER_TOOL } from '../support/vscode/host-session';
import type { TestServer } from '../support/servers/http-server';
import { sendJson, startServer } from '../support/servers/http-server';
import { settings } from '../support/vscode/vscode-stub';

vi.mock('../../src/library/providers/catalog', async (importOriginal) => {
  const original = await importOriginal<typeof Catalog>();
  const { MADE_UP } = await import('../support/made-up/made-up-provider');
  return { ...original, PROVIDER_CATALOG: [...original.PROVIDER_CATALOG, MADE_UP] }; // the line
});

const KEY = 'canary-0123456789';
const CALL = { ref: 'c1', fn: 'get_weather', with: { city: 'Oslo' } };
const host = new TestHost();
let server: TestServer;

beforeEach(async () => {
  await host.reset();
  server ??= await startServer(({ url, headers, body }, response) => {
    if (headers['x-talk-key'] !== KEY) return sendJson(response, 401, { error: { message: 'no key' } });
    if (url === '/talks/kinds')
      return sendJson(response, 200, { kinds: [{ kind: 'small' }, { kind: 'big' }] });
    const { turns, pick } = JSON.parse(body) as { turns: { by: string }[]; pick?: string };
    const isAnswered = turns?.at(-1)?.by === 'result' || pick === 'must';
    const text =
      pick === 'never'
        ? `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>`
        : 'Snow.';
    const parts =
      isAnswered || pick === 'never' ? [{ said: text }, { end: 'stop' }] : [{ end: 'stop', wants: [CALL] }];
    response.end(parts.map((part) => `${JSON.stringify(part)}\n`).join(''));
  });
});
afterAll(async () => {
  await host.close();
  await server[Symbol.asyncDispose]();
});

const setting = () => ({ provider: 'made-up', host: `${server.url}/talks`, model: 'small' });
const bodies = (): Record<string, unknown>[] =>
  server.requests.map(({ body }) => JSON.parse(body || '{}') as Record<string, unknown>);

/** Runs the question with the connection `own`. */
async function run(
  kind: 'chat' | 'agent',
  lane: object,
): Promise<HostSession & { sessionId: string; stored: ReturnType<TestHost['openFileStore']> }> {
  settings.user = { connections: { own: setting() } };
  const target = await host.connections.keyTarget(host.connections.find('own'));
  if (!target) throw new Error('It needs no key.');
  await host.keys.set(target.id, target.binding, KEY);
  server.requests.length = 0;
  const stored = host.openFileStore();
  const lanes = { lane: { connection: 'own', model: 'small', ...lane }, store: stored.store };
  const one = await host.open(lanes);
  await one.start(kind, QUESTION);
  await one.settled();
  return { ...one, stored, sessionId: one.session.id };
}

describe('a made-up provider', () => {
  test('runs an agent in the panel, with its own key header, tool choice and form of a result', async () => {
    const one = await run('agent', { toolChoice: 'auto', sampling: { temperature: 0, topK: 4 } });
    expect(one.runs().map(({ outcome }) => outcome?.error)).toEqual([undefined, undefined]);
    expect(bodies()).toMatchObject([
      { model: 'small', pick: 'free', heat: 0, live: true, functions: [{ fn: 'get_weather' }] },
      { turns: [{ by: 'person', said: QUESTION }, { wants: [CALL] }, { by: 'result', ref: 'c1' }] },
    ]);
    const shown = await one.ask('wire/read', { laneId: 'a', runId: one.runs().at(-1)?.id ?? '' });
    expect(shown.copyForms).toEqual(['bash', 'powershell', 'fetch', 'python', 'provider']);
    expect(shown.parameters?.map(({ key, way }) => [key, way])).toEqual(
      expect.arrayContaining([
        ['temperature', 'sent'],
        ['topK', 'dropped'],
      ]),
    );
    expect(one.stored.contents()).not.toContain(KEY);
  });

  test('is diagnosed: a call in the text under a tool choice that forbids it', async () => {
    const one = await run('chat', { toolChoice: 'none' });
    const [outcome] = one.runs().map((entry) => entry.outcome);
    expect(bodies()[0]?.['pick']).toBe('never');
    expect(JSON.stringify(outcome?.findings)).toContain('the tool choice is `none`');
  });

  test('is diagnosed: no call, although its tool choice demands one', async () => {
    const one = await run('chat', { toolChoice: 'required' });
    const { findings = [] } = one.runs()[0]?.outcome ?? {};
    expect(findings.map(({ cause }) => cause)).toContain('choice-ignored');
    expect(JSON.stringify(findings)).toContain('"place":"request, `/pick`","quote":"must"');
  });

  test('is copied as code that sends the same, opened as a playground, and replayed byte for byte', async () => {
    const one = await run('chat', { toolChoice: { tool: 'get_weather' }, raw: { pace: 2 } });
    const [sent] = server.requests;
    await one.session.dispose();
    const journal = await one.stored.store.open(one.sessionId);
    const [stored] = storedRuns(await one.stored.store.read(one.sessionId));
    const read = stored && (await readRun(journal, stored.runId));
    const request = read?.wire?.requests[0];
    if (!read?.wire || !request) throw new Error('Nothing was kept.');

    const options = { variable: 'OWN_KEY', sent: read.wire.sampling.sent, catalog: PROVIDER_CATALOG };
    const { text = '' } = copyAs('provider', request, options) ?? {};
    expect(text).toContain('new MadeUpProvider({');
    expect(text).toContain(`host: '${server.url}/talks'`);
    expect(text).toContain("apiKey: process.env['OWN_KEY'] ?? ''");
    expect(text).toMatch(/raw: \{\s+pace: 2,\s+\}/);
    expect(text).toMatch(/toolChoice: \{\s+tool: 'get_weather',\s+\}/);
    expect(text).not.toContain('x-talk-key');

    const { text: playground, leftOut } = playgroundOfRun(read, PROVIDER_CATALOG);
    expect(leftOut).toEqual([]);
    expect(parseDocument(playground).document).toMatchObject({
      messages: [{ role: 'user', content: QUESTION }],
      tools: [{ name: WEATHER_TOOL.name, parameters: WEATHER_TOOL.parameters }],
      lanes: [{ connection: 'own', toolChoice: { tool: 'get_weather' }, raw: { pace: 2 } }],
    });

    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const services = {
      knownConnections: () => [],
      connections: createConnectionSource(host.connections, () => () => undefined),
      gate: new RequestGate(() => 4),
      clock: SYSTEM_CLOCK,
      log,
    };
    const { signal } = new AbortController();
    const replayed = await replayRun(journal, services, read, {
      question: QUESTION,
      signal,
      catalog: PROVIDER_CATALOG,
    });
    await journal.close();
    expect(server.requests.at(-1)?.body).toBe(sent?.body);
    expect(replayed.turn?.toolCalls).toMatchObject([{ name: 'get_weather', arguments: { city: 'Oslo' } }]);
  });

  test('is diagnosed as a connection', async () => {
    const lines = await diagnose(setting(), { key: KEY });
    expect(lines.filter(({ level }) => level === 'failed')).toEqual([]);
    expect(JSON.stringify(lines)).toContain('small');
  });
});
