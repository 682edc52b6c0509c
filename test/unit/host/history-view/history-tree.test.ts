import { beforeEach, expect, test } from 'vitest';
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
