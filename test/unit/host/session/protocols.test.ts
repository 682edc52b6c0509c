// The protocols of the demo in a session: each runs the same loop of tools, and a lane goes from any to any other.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import { wireFile } from '../../../../src/host/wire/wire-text';
import type { HostSession } from '../../../support/vscode/host-session';
import { QUESTION, TestHost, WEATHER_RESULT } from '../../../support/vscode/host-session';

const host = new TestHost();
const MOCK = JSON.stringify(WEATHER_RESULT);
const PROTOCOLS = new DemoSource().list().map(({ id }) => id);

/** What makes a demo model reason; only these two protocols return data to send back. */
const REASONING: Readonly<Record<string, object>> = {
  'demo-messages': { thinking: { type: 'enabled', budget_tokens: 1024 } },
  'demo-responses': { reasoning: { effort: 'low', summary: 'auto' } },
};

const pairs = PROTOCOLS.flatMap((from) =>
  PROTOCOLS.filter((to) => to !== from).map((to): [string, string] => [from, to]),
);

afterEach(() => host.reset());
afterAll(() => host.close());

const laneOn = (connection: string): { connection: string; raw?: object | undefined } => ({
  connection,
  raw: REASONING[connection],
});

async function open(connection: string): Promise<HostSession> {
  const one = await host.open({ lane: { ...laneOn(connection), model: 'uses-result' } });
  await one.start('agent', QUESTION);
  await one.settled();
  return one;
}

/** What the last run sent, as text. */
async function lastBody(one: HostSession): Promise<string> {
  const record = await one.session.past.wire(one.runs().at(-1)?.id ?? '');
  const last = record?.attempts.at(-1);
  if (!record || !last) throw new Error('Nothing was kept.');
  return new TextDecoder().decode(wireFile(record, last, 'request.json'));
}

describe.each(PROTOCOLS)('%s', (connection) => {
  test('calls a tool, sends its result, and answers from it, with the reasoning sent back', async () => {
    const one = await open(connection);
    const [first, second] = one.runs();
    expect(first).toMatchObject({
      outcome: { verdict: { kind: 'native', detail: '1 call' } },
      results: { 0: { content: MOCK, source: 'mock' } },
    });
    expect(second).toMatchObject({
      outcome: { verdict: { kind: 'answer' }, reply: { raw: { content: expect.stringContaining('snow') } } },
      ending: { stopReason: 'answer', steps: 2, answered: 1, errors: 0 },
    });
    const sent = await lastBody(one);
    expect(sent).toContain('snow');
    const { raw } = first?.outcome?.reply ?? {};
    expect(raw?.replay !== undefined).toBe(connection in REASONING);
    if (connection === 'demo-messages') expect(sent).toMatch(/"signature": ?"[^"]+"/);
    if (connection === 'demo-responses') expect(sent).toMatch(/"encrypted_content": ?"[^"]+"/);
    expect(second?.outcome?.findings.filter(({ cause }) => cause === 'history-replaced')).toEqual([]);
  });
});

describe('a lane that is switched', () => {
  test.each(pairs)('from %s to %s sends its calls and results in the other form', async (from, to) => {
    const one = await open(from);
    const { raw } = laneOn(to);
    await one.ask('document/edit', {
      edits: [
        { path: ['lanes', 0, 'connection'], value: to },
        { path: ['lanes', 0, 'raw'], value: raw },
      ],
    });
    await one.start('agent', 'And what is the weather in Bergen?');
    await one.settled();
    const [, , third, fourth] = one.runs();
    expect(third).toMatchObject({ outcome: { verdict: { kind: 'native' } } });
    expect(fourth).toMatchObject({
      outcome: { verdict: { kind: 'answer' } },
      ending: { stopReason: 'answer', errors: 0 },
    });
    const sent = await lastBody(one);
    expect(sent.match(/snow/g)?.length).toBeGreaterThanOrEqual(2);
    expect(sent).toContain('Oslo');
    const left = third?.outcome?.findings.filter(({ cause }) => cause === 'history-replaced') ?? [];
    expect(left.map(({ what }) => what)).toEqual(
      from in REASONING ? [expect.stringContaining('Not sent back: the reasoning with')] : [],
    );
  });
});
