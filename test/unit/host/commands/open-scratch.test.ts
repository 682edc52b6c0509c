import { beforeEach, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { openScratch } from '../../../../src/host/commands/open-scratch';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

beforeEach(resetPerson);

/** The text of a scratch that asks for the weather. */
const textWith = (...models: string[]): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
    lanes: models.map((model, index) => ({ id: `l${index}`, connection: 'demo', model })),
  });

test('openScratch tells scratches with the same title apart, the latest first, and opens the chosen one', async () => {
  const now = Date.now();
  const scratches = [
    { id: 'one', text: textWith('first-look'), modifiedAt: now - 1 },
    { id: 'two', text: textWith('first-look', 'native-call'), modifiedAt: now },
  ];
  const opened: unknown[] = [];
  person.replies.push((items: unknown[]) => items[1]);
  await openScratch({
    scratches: { list: () => Promise.resolve(scratches), open: (id: string) => Promise.resolve(id) },
    pool: { store: () => Promise.resolve({ list: () => Promise.resolve([]) }) },
    panels: { openScratch: (backing: unknown) => opened.push(backing) },
  } as unknown as CommandServices);
  const [[items] = []] = person.messages as { label: string; description: string }[][][];
  expect(items?.map(({ label }) => label)).toEqual(Array(2).fill('What is the weather in Oslo?'));
  expect(items?.map(({ description }) => description.split(' · ')[1])).toEqual([
    'first-look, native-call',
    'first-look',
  ]);
  expect(opened).toEqual(['one']);
});
