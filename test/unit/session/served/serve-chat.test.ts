// A chat that another program asks for: its prose arrives while it streams, without calls and secrets, and it is stored as a run.
import { describe, expect, it } from 'vitest';
import { repairArguments } from '../../../../src/recording';
import { exportedRun, MemoryRunStore, readRun, serveChat, storedRuns } from '../../../../src/session';
import type { ServedChat } from '../../../../src/session';
import type { Message } from '../../../../src/types';
import type { Script, SessionSetup } from '../../../support/session/scripted-session';
import { scriptedServices } from '../../../support/session/scripted-session';

const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  offered: true,
  mocks: [],
};
const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const QUESTION: Message[] = [{ role: 'user', content: 'What is the weather in Oslo?' }];

async function serve(
  script: Script,
  { setup = {}, ...chat }: Partial<ServedChat> & { setup?: SessionSetup } = {},
) {
  const { services, asked } = scriptedServices({ ...setup, script });
  const store = new MemoryRunStore();
  const journal = await store.open('chat');
  const texts: string[] = [];
  const thoughts: string[] = [];
  const lane = { connection: 'demo', sampling: {}, rescueToolCalls: true, limits: {} };
  const { record, delivered } = await serveChat(
    journal,
    { ...services, knownConnections: () => [] },
    {
      asked: { lane, system: 'Be brief.', tools: [TOOL], idleTools: [], messages: QUESTION },
      askedBy: 'acme.agent',
      receiver: 'VS Code',
      repair: repairArguments,
      signal: new AbortController().signal,
      onText: (text) => texts.push(text),
      onReasoning: (text) => thoughts.push(text),
      ...chat,
    },
  );
  return { record, delivered, texts, thoughts, asked, journal, store };
}

const streaming =
  (content: string, size: number): Script =>
  ({ emit }) => {
    for (let from = 0; from < content.length; from += size)
      emit({ content: content.slice(from, from + size) });
    return { content };
  };

describe('serveChat', () => {
  it('passes the prose on in pieces, and keeps a call that came as text out of it', async () => {
    for (const size of [1, 7, 4096]) {
      const { record, texts } = await serve(streaming(`I look that up.\n${CALL}`, size));
      expect(texts.join('').trim()).toBe('I look that up.');
      expect(record.turn?.toolCalls).toMatchObject([
        { name: 'get_weather', arguments: { city: 'Oslo' }, source: 'rescued' },
      ]);
    }
  });

  it('passes reasoning on apart, and the whole reply of a provider that does not stream', async () => {
    const { texts, thoughts } = await serve(({ emit }) => {
      emit({ reasoning: 'Hm.' });
      emit({ content: 'Cold.' });
      return { content: 'Cold.' };
    });
    expect([texts.join(''), thoughts.join('')]).toEqual(['Cold.', 'Hm.']);
    expect((await serve(() => ({ content: 'Cold.' }))).texts.join('')).toBe('Cold.');
  });

  it('passes no secret of the connection on, also where it comes in pieces', async () => {
    const secret = 'canary-key-0123456789';
    for (const size of [1, 2, 3, 7, 4096]) {
      const { texts, record } = await serve(streaming(`The key is ${secret}, use it.`, size), {
        setup: { secrets: [secret] },
      });
      expect(texts.join('')).toBe(`The key is ${'*'.repeat(secret.length)}, use it.`);
      expect(JSON.stringify(record)).not.toContain(secret);
    }
  });

  it('is stored as a run that names who asked, with its setup', async () => {
    const { journal, store, record, asked } = await serve(() => ({ content: 'Cold.' }));
    expect(asked[0]?.messages).toEqual([{ role: 'system', content: 'Be brief.' }, ...QUESTION]);
    const [run] = storedRuns(await store.read('chat'));
    expect(run).toMatchObject({
      runId: record.runId,
      askedBy: 'acme.agent',
      question: 'What is the weather in Oslo?',
      reply: 'Cold.',
    });
    const read = await readRun(journal, record.runId);
    expect(read?.setup).toMatchObject({ system: 'Be brief.', messages: QUESTION, tools: [TOOL] });
    expect(read && exportedRun('Run', read)).toMatchObject({ askedBy: 'acme.agent' });
  });

  it('says what was known of the request, also when it failed', async () => {
    const findings = [{ severity: 'info' as const, what: 'The option `format` was not sent.' }];
    for (const script of [() => ({ content: 'Cold.' }), () => Promise.reject(new Error('cut off'))]) {
      const { record, journal } = await serve(script, { findings });
      expect(record.findings).toContainEqual(findings[0]);
      expect((await readRun(journal, record.runId))?.record?.findings).toContainEqual(findings[0]);
    }
  });

  it('stores a failure as well, and keeps what was passed on', async () => {
    const { record, texts, store } = await serve(({ emit }) => {
      emit({ content: 'It is' });
      throw new Error('cut off');
    });
    expect(texts.join('')).toBe('It is');
    expect(record).toMatchObject({ verdict: { kind: 'failed' }, error: { code: 'test' } });
    expect(storedRuns(await store.read('chat'))).toHaveLength(1);
  });

  it('ends when it is cancelled, and is stored as stopped', async () => {
    const controller = new AbortController();
    const { record } = await serve(
      ({ signal, emit }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          emit({ content: 'It' });
          controller.abort();
        }),
      { signal: controller.signal },
    );
    expect(record.verdict.kind).toBe('stopped');
  });

  const native =
    (text: string): Script =>
    () => ({ toolCalls: [{ id: 'c1', name: 'get_weather', arguments: text, source: 'native' }] });

  it('says in the findings what arrived in place of what the model wrote', async () => {
    const findings = async (script: Script) =>
      (await serve(script)).record.findings.map(({ severity, what }) => `${severity}: ${what}`);
    expect(await findings(() => ({ content: CALL }))).toEqual([
      'info: The call came as text. VS Code received it as a native call.',
    ]);
    expect(await findings(native('{"city": "Oslo",}'))).toContain(
      'info: The arguments of `get_weather` were no valid JSON. VS Code received them repaired: `trailing-comma`.',
    );
    const { record } = await serve(native('{"city": "Oslo",}'));
    expect(record.verdict.detail).toMatch(/; repaired for VS Code$/);
    expect(await findings(native('{"city": "Os'))).toContain(
      'info: VS Code received an error in place of the calls: the arguments of `get_weather` cannot be read exactly.',
    );
    expect((await findings(native('{"city": "Oslo"}'))).join()).not.toContain('VS Code');
  });
});
