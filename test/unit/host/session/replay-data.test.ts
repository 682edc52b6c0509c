// Where the data goes that a service wants back with a reply: into the store and into requests to the same connection, and
// nowhere else. An export has it only in the bytes of requests and responses, which it shows as they went.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DemoServer } from '../../../../src/demo';
import { startDemoServer } from '../../../../src/demo';
import { toHtml, toJson, toMarkdown } from '../../../../src/inspect';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { ReadRun } from '../../../../src/session';
import { exportedRun, parseDocument, playgroundOfRun, readRun, storedRuns } from '../../../../src/session';
import { QUESTION, TestHost } from '../../../support/vscode/host-session';
import { settings } from '../../../support/vscode/vscode-stub';

const KEY = 'canary-0123456789';
const INFO = { madeBy: 'Provider Playground', madeAt: '2026-01-01T00:00:00.000Z' };
const host = new TestHost();
let demo: DemoServer;

beforeAll(async () => {
  demo = await startDemoServer({ apiKey: KEY });
});
afterEach(() => host.reset());
afterAll(async () => {
  await host.close();
  await demo.close();
});

/** What makes a demo model reason, and the name of what goes back in a request. */
const PROTOCOLS = [
  ['messages-api', { thinking: { type: 'enabled', budget_tokens: 1024 } }, 'signature'],
  ['responses-api', { reasoning: { effort: 'low', summary: 'auto' } }, 'encrypted_content'],
] as const;

/** An agent run of two steps, stored on disk, by a connection with a key. */
async function run(provider: string, raw: object) {
  settings.user = { connections: { own: { provider, host: demo.localHost, model: 'uses-result' } } };
  const target = await host.connections.keyTarget(host.connections.find('own'));
  if (target) await host.keys.set(target.id, target.binding, KEY);
  const { store, contents } = host.openFileStore();
  const one = await host.open({ lane: { connection: 'own', model: 'uses-result', raw }, store });
  await one.start('agent', QUESTION);
  await one.settled();
  const seen = JSON.stringify([one.events, one.runs(), one.progress]);
  await one.session.dispose();
  const stored = storedRuns(await store.read(one.session.id));
  const journal = await store.open(one.session.id);
  const read = await Promise.all(stored.map(({ runId }) => readRun(journal, runId)));
  await journal.close();
  const runs = read
    .filter((found) => found !== undefined)
    .toSorted((a, b) => a.record.startedAt - b.record.startedAt);
  return { seen, contents: contents(), text: one.backing.text, runs };
}

/** The first text of some length under a name. */
function findValue(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found =
      key === name && typeof child === 'string' && child.length > 8 ? child : findValue(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const lastBodyOf = ({ wire }: ReadRun): string => wire?.requests.at(-1)?.body ?? '';

describe.each(PROTOCOLS)('replay data of %s', (provider, raw, name) => {
  test('is stored and sent back; no view, file or export of a reply has it, and nothing has the key', async () => {
    const { seen, contents, text, runs } = await run(provider, raw);
    expect(runs).toHaveLength(2);
    const [first, second] = runs as [ReadRun, ReadRun];
    const value = findValue(JSON.parse(lastBodyOf(second)), name) ?? '';
    expect(value).not.toBe('');
    expect(contents).toContain(value);
    expect(seen).not.toContain(value);
    expect(text).not.toContain(value);

    const exported = [first, second].map((one) => exportedRun('Run', one));
    const replies = exported.map((one) => ({ ...one, request: undefined, attempts: [] }));
    for (const printed of [toJson(replies, INFO), toMarkdown(replies, INFO), toHtml(replies, INFO, 'en')])
      expect(printed).not.toContain(value);
    expect(toJson(exported, INFO)).toContain(value);
    expect([seen, contents, text, toJson(exported, INFO)].join('')).not.toContain(KEY);
  });

  test('is left out of the playground that is made of a run, which says so and runs by itself', async () => {
    const { runs } = await run(provider, raw);
    const { text, leftOut } = playgroundOfRun(runs[1] as ReadRun, PROVIDER_CATALOG);
    expect(leftOut).toEqual(['the reasoning in earlier replies']);
    expect(text).not.toMatch(/replay|signature|encrypted_content": "/);
    const { document } = parseDocument(text);
    expect(document?.lanes).toMatchObject([{ connection: 'own', model: 'uses-result', raw }]);
    expect(document?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(text).not.toContain(KEY);
  });
});
