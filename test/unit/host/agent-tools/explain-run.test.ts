// The tool that explains a stored run to an agent: which run it finds, and what it tells of it.
import { beforeAll, describe, expect, it } from 'vitest';
import { createExplainRun } from '../../../../src/host/agent-tools/explain-run';
import { MemoryRunStore, serveChat } from '../../../../src/session';
import type { RunRecord } from '../../../../src/session';
import { scriptedServices } from '../../../support/session/scripted-session';
import { Uri } from '../../../support/vscode/vscode-files';

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: {} },
  offered: true,
  mocks: [],
};
const LIMITS = { signal: new AbortController().signal, most: 24_000 };

const records: RunRecord[] = [];
const store = new MemoryRunStore();
let clock = 1_000;

async function chat(sessionId: string, question: string, content: string): Promise<void> {
  const { services } = scriptedServices({ script: () => ({ content }) });
  const journal = await store.open(sessionId);
  const lane = { connection: 'demo', sampling: {}, rescueToolCalls: true, limits: {} };
  const { record } = await serveChat(
    journal,
    {
      ...services,
      clock: { now: () => clock++, elapsed: () => 1, after: () => () => undefined },
      knownConnections: () => [],
    },
    {
      asked: {
        lane,
        system: 'Be brief.',
        tools: [TOOL],
        idleTools: [],
        messages: [{ role: 'user', content: question }],
      },
      askedBy: 'acme.agent',
      receiver: 'VS Code',
      repair: () => undefined,
      signal: LIMITS.signal,
      onText: () => undefined,
      onReasoning: () => undefined,
    },
  );
  records.push(record);
}

const tool = createExplainRun({
  store: () => Promise.resolve(store),
});
const explain = (input: Record<string, unknown> = {}, most = LIMITS.most) =>
  tool.invoke(input, { ...LIMITS, most });

beforeAll(async () => {
  await chat('chat', 'Oslo?', `I look.\n${CALL}`);
  await chat('chat', 'Rome?', '<tool_call>{"name": "get_weather", "arguments": {"city": }</tool_call>');
  await chat('file:///w.playground.json', 'Last one?', 'It is **cold**.');
});

describe('the tool that explains a run', () => {
  it('explains the last one, whichever playground it is of, and lists the others with their ids', async () => {
    const told = await explain();
    expect(told).toMatch(new RegExp(`^Run ${records[2]?.runId}\\.`));
    expect(told).toContain('Last one?');
    for (const { runId } of records) expect(told).toContain(`- ${runId} · 1970-`);
    expect(told).toContain('asked by acme.agent');
  });

  it('explains the last one without a usable call, with what rescue left as text and why', async () => {
    const told = await explain({ run: 'last-failed' });
    expect(told).toContain('Rome?');
    expect(told).toContain('What rescue read');
    expect(told).toContain('left as text');
  });

  it('finds a run by its id and by the address of its files', async () => {
    const { runId = '' } = records[0] ?? {};
    expect(await explain({ run: runId })).toContain('Oslo?');
    const address = Uri.from({ scheme: 'playground-run', path: `/${runId}/tiny.md`, query: 'chat' });
    expect(await explain({ run: address.toString() })).toContain('rescued');
    const elsewhere = Uri.from({ scheme: 'playground-run', path: `/${runId}/tiny.md`, query: 'other' });
    await expect(explain({ run: elsewhere.toString() })).rejects.toThrow(/no stored run/);
  });

  it('says which runs there are when it does not find one', async () => {
    await expect(explain({ run: 'nonsense' })).rejects.toThrow(`The latest are ${records[2]?.runId}`);
    const empty = createExplainRun({ store: () => Promise.resolve(new MemoryRunStore()) });
    await expect(empty.invoke({}, LIMITS)).rejects.toThrow(/history\.enabled/);
  });

  it('stays within the limit of the chat', async () => {
    expect((await explain({}, 2_500)).length).toBeLessThan(3_500);
  });

  it('tells a person that the run goes to the model of the chat', async () => {
    expect((await tool.prepare({})).message).toMatch(
      /last run .* goes to the model of the chat.* Keys are masked/,
    );
    expect((await tool.prepare({ run: 'abc' })).message).toContain('the run abc');
    await expect(tool.prepare({ run: 7 })).rejects.toThrow('run must be a string.');
  });
});
