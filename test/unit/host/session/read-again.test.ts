// Reading a stored reply with other options; the server counts requests to prove that nothing is sent.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { ReadingOptions, ReadingPair } from '../../../../src/protocol';
import { QUESTION, TestHost, WEATHER_TOOL } from '../../../support/vscode/host-session';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { settings } from '../../../support/vscode/vscode-stub';

const host = new TestHost();
afterEach(() => host.reset());
afterAll(() => host.close());

const TEXT =
  'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n[search_flights(to="Rome")]';

/** A run whose reply is this text, from a server that counts requests. */
async function reply(content: string, rescueToolCalls = true) {
  const server = await startServer((_, response) =>
    sendJson(response, 200, { choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }),
  );
  settings.user = {
    connections: { local: { provider: 'hosted-api', host: server.url, model: 'm', auth: 'none' } },
  };
  const one = await host.open({ lane: { connection: 'local', model: 'm', rescueToolCalls } });
  await one.start('chat', QUESTION);
  await one.settled();
  const runId = one.runs()[0]?.id ?? '';
  const read = (options: Partial<ReadingOptions> = {}): Promise<ReadingPair> =>
    one.ask('reading/make', { laneId: 'a', runId, rescueToolCalls: true, tools: 'offered', ...options });
  return { one, runId, read, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const names = (pair: ReadingPair): [string[], string[]] => [
  pair.before.calls.map(({ name }) => name),
  pair.after.calls.map(({ name }) => name),
];

describe('reading a reply again', () => {
  test('with rescue switched returns both readings, and sends nothing', async () => {
    await using on = await reply(TEXT);
    const off = await on.read({ rescueToolCalls: false });
    expect(names(off)).toEqual([['get_weather'], []]);
    expect(off.after).toMatchObject({ content: TEXT, length: TEXT.length });
    expect(off.isSame).toBe(false);
    const same = await on.read();
    expect(names(same)).toEqual([['get_weather'], ['get_weather']]);
    expect(same.isSame).toBe(true);
    expect(same.before.calls[0]).toEqual({
      name: 'get_weather',
      arguments: { city: 'Oslo' },
      format: 'hermes-json',
    });
    expect(on.server.requests).toHaveLength(1);
  });

  test('of a run without rescue returns the calls that it would find', async () => {
    await using off = await reply(TEXT, false);
    expect(names(await off.read())).toEqual([[], ['get_weather']]);
    expect(off.server.requests).toHaveLength(1);
  });

  test('with one format returns the calls of that format', async () => {
    await using one = await reply(TEXT);
    const { formats } = await one.read();
    expect(formats.length).toBeGreaterThan(60);
    expect(formats.map(({ id }) => id)).toContain('hermes-json');
    expect(names(await one.read({ format: 'json-fence' }))[1]).toEqual([]);
    expect(names(await one.read({ format: 'hermes-json' }))[1]).toEqual(['get_weather']);
  });

  test('with other tools uses none, or those that the playground offers now', async () => {
    await using one = await reply(TEXT);
    expect(names(await one.read({ tools: 'none' }))[1]).toEqual([]);
    const flights = { name: 'search_flights', parameters: { type: 'object' } };
    await one.one.ask('document/edit', { edits: [{ path: ['tools'], value: [WEATHER_TOOL, flights] }] });
    await one.one.session.editable.resolved();
    expect(names(await one.read({ tools: 'current' }))[1]).toEqual(['get_weather', 'search_flights']);
    expect(names(await one.read())[1]).toEqual(['get_weather']);
    expect(one.server.requests).toHaveLength(1);
  });

  test('results in two texts that differ where the readings do', async () => {
    await using one = await reply(TEXT);
    const place = { laneId: 'a', runId: one.runId };
    const { left, right } = await one.one.session.past.readingTexts(place, {
      rescueToolCalls: false,
      tools: 'offered',
    });
    expect(left.text).toContain('get_weather (rescued, hermes-json)\n{\n  "city": "Oslo"\n}');
    expect(right.text).toContain(`## Content\n\n${TEXT}\n`);
    expect(right.text).toContain('## Tool calls\n\n(none)');
  });

  test('is refused for a run without a reply, with the next step', async () => {
    const one = await host.open({ lane: { model: 'unavailable' } });
    await one.start('chat', QUESTION);
    await one.settled();
    const runId = one.runs()[0]?.id ?? '';
    await expect(
      one.ask('reading/make', { laneId: 'a', runId, rescueToolCalls: true, tools: 'offered' }),
    ).rejects.toMatchObject({ info: { what: 'The run has no reply.' } });
  });
});
