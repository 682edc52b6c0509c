import { describe, expect, test } from 'vitest';
import {
  deleteRuns,
  exportedRun,
  facetsOf,
  isFiltering,
  isMatch,
  MemoryRunStore,
  nameRun,
  NO_FILTER,
  pinRun,
  readRun,
  storedRuns,
} from '../../../../src/session';
import type { Journal, RunFilter, StoredRun } from '../../../../src/session';
import { calling, inTurn, openSession } from '../../../support/session/scripted-session';

const run = (id: string, at = 1, more: object = {}) => [
  { kind: 'run', id, at, lane: 'a', connectionId: 'c', model: 'm', ...more },
];
const keys = (...ids: string[]): Set<string> => new Set(ids.map((id) => `run:${id}`));

describe('storedRuns', () => {
  test('returns question, outcome and called tools of each run, latest first', () => {
    const lines = [
      { kind: 'message', lane: 'a', message: { role: 'user', content: 'Weather in Oslo?' } },
      { kind: 'message', lane: 'b', message: { role: 'user', content: 'Another lane' } },
      ...run('1'),
      { kind: 'ended', id: '1', verdict: { kind: 'rescued', detail: '1 call' }, durationMs: 5, model: 'M' },
      { kind: 'summary', id: '1', tools: ['get_weather', 7], text: 'It rains' },
      ...run('2', 2, { step: { agentRunId: 'x', number: 3 } }),
      { kind: 'mark', id: '1', isPinned: true },
      { kind: 'mark', id: '1', name: 'mine' },
      { kind: 'replay', id: '3', at: 3, connectionId: 'c', model: 'm', replayOf: '1', question: 'asked' },
    ];
    const base = { connection: 'c', durationMs: 0, tools: [], reply: '', isPinned: false };
    const interrupted = { kind: 'interrupted', detail: '' };
    expect(storedRuns({ lines, keys: keys('1', '2', '3') })).toEqual([
      { ...base, runId: '3', at: 3, model: 'm', verdict: interrupted, question: 'asked', replayOf: '1' },
      {
        ...base,
        runId: '2',
        at: 2,
        model: 'm',
        verdict: interrupted,
        question: 'Weather in Oslo?',
        step: 3,
        agentRunId: 'x',
      },
      {
        ...base,
        runId: '1',
        at: 1,
        model: 'M',
        verdict: { kind: 'rescued', detail: '1 call' },
        durationMs: 5,
        tools: ['get_weather'],
        question: 'Weather in Oslo?',
        reply: 'It rains',
        name: 'mine',
        isPinned: true,
      },
    ]);
  });

  test('leaves out runs that are not kept, and ignores invalid lines', () => {
    const lines = [...run('1'), ...run('2'), { kind: 7 }, { kind: 'ended', id: 'x' }, { kind: 'mark' }, {}];
    expect(storedRuns({ lines, keys: keys('2') }).map(({ runId }) => runId)).toEqual(['2']);
    const odd = [
      { kind: 'run', id: '1', at: 'x', model: {} },
      { kind: 'ended', id: '1', verdict: 3 },
    ];
    expect(storedRuns({ lines: odd, keys: keys('1') })).toMatchObject([{ at: 0, model: '', question: '' }]);
  });

  test('truncates long texts', () => {
    const content = `${'x'.repeat(999)}😀`;
    const lines = [{ kind: 'message', lane: 'a', message: { role: 'user', content } }, ...run('1')];
    expect(storedRuns({ lines, keys: keys('1') })[0]?.question).toBe('x'.repeat(999));
  });
});

const FOUND: StoredRun = {
  runId: '1',
  at: 1,
  model: 'qwen3',
  connection: 'Ollama',
  verdict: { kind: 'rescued', detail: '1 call, hermes' },
  durationMs: 1,
  tools: ['get_weather', 'get_time'],
  question: 'Weather in Oslo?',
  reply: 'It rains',
  name: 'Mine',
  isPinned: false,
};

describe('a filter of runs', () => {
  test.each<[filter: Partial<RunFilter>, expected: boolean]>([
    [{}, true],
    [{ models: ['qwen3', 'x'] }, true],
    [{ models: ['x'] }, false],
    [{ verdicts: ['rescued'] }, true],
    [{ verdicts: ['native'] }, false],
    [{ tools: ['get_time'] }, true],
    [{ tools: ['get'] }, false],
    [{ models: ['qwen3'], tools: ['other'] }, false],
    ...['mine', 'OSLO', 'rains', 'qwen', 'ollama', 'hermes'].map((text): [Partial<RunFilter>, boolean] => [
      { text },
      true,
    ]),
    [{ text: 'bergen' }, false],
  ])('matches the run for %j: %s', (filter, expected) => {
    expect(isMatch(FOUND, { ...NO_FILTER, ...filter })).toBe(expected);
    expect(isFiltering({ ...NO_FILTER, ...filter })).toBe(Object.keys(filter).length > 0);
  });

  test('offers the existing values, most frequent first', () => {
    const other = { ...FOUND, model: 'llama', tools: ['get_time'], verdict: { kind: 'native', detail: '' } };
    expect(facetsOf([FOUND, { ...other, model: '' } as StoredRun, other as StoredRun, FOUND])).toEqual({
      models: [
        ['qwen3', 2],
        ['llama', 1],
      ],
      verdicts: [
        ['rescued', 2],
        ['native', 2],
      ],
      tools: [
        ['get_time', 4],
        ['get_weather', 2],
      ],
    });
  });
});

describe('a run of a playground', () => {
  async function asked(): Promise<{ store: MemoryRunStore; journal: Journal; id: string }> {
    const store = new MemoryRunStore();
    const opened = await openSession({ store, script: inTurn(calling('get_weather')) });
    await opened.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'Weather in Oslo?' });
    await opened.settled();
    await opened.session.dispose();
    return { store, journal: await store.open(opened.session.id), id: opened.session.id };
  }

  test('is found by its question and tool, can be pinned, named and deleted', async () => {
    const { store, journal, id } = await asked();
    const read = async (): Promise<StoredRun | undefined> => storedRuns(await store.read(id))[0];
    const { runId = '' } = (await read()) ?? {};
    expect(await read()).toMatchObject({
      question: 'Weather in Oslo?',
      tools: ['get_weather'],
      isPinned: false,
    });
    pinRun(journal, runId, true);
    nameRun(journal, runId, `  ${'n'.repeat(300)}`);
    expect(await read()).toMatchObject({ isPinned: true, name: 'n'.repeat(200) });
    nameRun(journal, runId, `${'n'.repeat(199)}🌦`);
    expect(await read()).toMatchObject({ name: 'n'.repeat(199) });
    nameRun(journal, runId, ' ');
    pinRun(journal, runId, false);
    const plain = await read();
    expect(plain).toMatchObject({ isPinned: false });
    expect(plain?.name).toBeUndefined();
    const whole = await readRun(journal, runId);
    expect(whole && exportedRun('Run', whole)).toMatchObject({
      title: 'Run',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' }],
    });
    deleteRuns(journal, [runId]);
    expect(await read()).toBeUndefined();
    expect(await readRun(journal, runId)).toBeUndefined();
  });
});
