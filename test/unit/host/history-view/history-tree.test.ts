import { beforeEach, expect, test } from 'vitest';
import type { HistoryNode } from '../../../../src/host/history-view/history-tree';
import { HistoryTree } from '../../../../src/host/history-view/history-tree';
import { PlaygroundTitles } from '../../../../src/host/history-view/playground-titles';
import { RunHistory } from '../../../../src/host/history-view/run-history';
import { MemoryRunStore, NO_FILTER } from '../../../../src/session';
import { resetPerson } from '../../../support/vscode/vscode-views';

beforeEach(resetPerson);

const text = (...models: string[]): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
    lanes: models.map((model, index) => ({ id: `l${index}`, model })),
  });

test('HistoryTree tells scratches with the same title apart, by their time and the models of their lanes', async () => {
  const now = new Date(2026, 4, 10, 12).getTime();
  const store = Object.assign(new MemoryRunStore(), {
    list: () =>
      Promise.resolve([
        { sessionId: 'scratch:one', bytes: 1, modifiedAt: now },
        { sessionId: 'scratch:two', bytes: 1, modifiedAt: now - 3_600_000 },
      ]),
  });
  const scratches = [
    { id: 'one', text: text('first-look'), modifiedAt: 0 },
    { id: 'two', text: text('first-look', 'native-call'), modifiedAt: 0 },
  ];
  const tree = new HistoryTree({
    history: new RunHistory(() => Promise.resolve(store)),
    titles: new PlaygroundTitles({ list: () => Promise.resolve(scratches) }),
    filter: () => NO_FILTER,
    now: () => now,
  });
  const items = await Promise.all((await tree.children()).map((node) => tree.item(node)));
  expect(items.map(({ label }) => label)).toEqual(Array(2).fill('What is the weather in Oslo?'));
  expect(items.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^12:00(\sPM)? · first-look$/),
    expect.stringMatching(/^11:00(\sAM)? · first-look, native-call$/),
  ]);
});

test('HistoryTree groups the steps of an agent run under the outcome of the last one', async () => {
  const now = new Date(2026, 4, 10, 12).getTime();
  const shared = { redact: (value: unknown) => Promise.resolve(value), onProblem: () => undefined };
  const store = new MemoryRunStore(shared);
  const journal = await store.open('scratch:one');
  journal.append({ kind: 'message', lane: 'a', id: 'm', message: { role: 'user', content: 'Plan it' } });
  for (const number of [0, 1, 2]) {
    const id = number === 0 ? 'alone' : `agent/${number}`;
    const step = number === 0 ? {} : { step: { agentRunId: 'agent', number } };
    journal.append({ kind: 'run', lane: 'a', id, at: now + number, connectionId: 'c', model: 'm', ...step });
    const verdict = { kind: number === 1 ? 'native' : 'answer', detail: '' };
    const body = { key: `run:${id}`, value: {} };
    journal.append({ kind: 'ended', id, verdict, durationMs: 5, model: 'm' }, body);
  }
  await journal.close();
  const tree = new HistoryTree({
    history: new RunHistory(() => Promise.resolve(store)),
    titles: new PlaygroundTitles({ list: () => Promise.resolve([]) }),
    filter: () => NO_FILTER,
    now: () => now,
  });
  const [playground] = await tree.children();
  const [day] = await tree.children(playground);
  const [steps, alone] = await tree.children(day);
  const lineOf = async (node: HistoryNode): Promise<string> => {
    const { label, description } = (await tree.item(node)) as Record<string, string>;
    return `${label} | ${description?.replace(/ · [^·]*$/, '')}`;
  };
  const lines = [steps, ...(await tree.children(steps)), alone].map((node) => lineOf(node as HistoryNode));
  expect(await Promise.all(lines)).toEqual([
    'answer · m | 2 steps · Plan it',
    'answer · m | step 2',
    'native call · m | step 1',
    'answer · m | Plan it',
  ]);
  expect(await tree.storedIn(steps as HistoryNode)).toMatchObject([{ kind: 'run' }, { kind: 'run' }]);
});
