// A playground that is open in two windows, with a run under way in the first one.
import { describe, expect, test } from 'vitest';
import type { Opened } from '../../../support/session/scripted-session';
import { MemoryBacking } from '../../../support/session/scripted-session';
import { StoreFolder } from '../store/store-folder';
import { open, QUESTION, send } from '../weather';

const outcomeOf = (one: Opened) => one.runs()[0]?.outcome;
const verdictOf = (one: Opened) => outcomeOf(one)?.verdict;

async function openTwo() {
  const folder = new StoreFolder();
  const backing = new MemoryBacking('{}');
  let answer: ((reply: object) => void) | undefined;
  const first = await open({
    store: folder.store(),
    backing,
    script: ({ emit }) => {
      emit({ content: 'It was a dark' });
      return new Promise((resolve) => (answer = resolve));
    },
  });
  await send(first, QUESTION);
  await first.until(() => answer !== undefined);
  await first.session.flush();
  const again = (): Promise<Opened> => open({ store: folder.store(), backing });
  return { folder, first, second: await again(), again, answer: (content: string) => answer?.({ content }) };
}

describe('a run that is under way in another window', () => {
  test('is not stored as interrupted, and shows its result once it has ended there', async () => {
    const { folder, first, second, answer } = await openTwo();
    expect(outcomeOf(second)).toMatchObject({
      verdict: { kind: 'interrupted', detail: 'or under way in another window' },
      error: { code: 'elsewhere' },
      partial: { content: 'It was a dark' },
    });
    await second.session.flush();
    expect(folder.contents()).not.toContain('"ended"');
    answer('and stormy night');
    await first.settled();
    await first.session.flush();
    await second.until(() => verdictOf(second)?.kind === 'answer');
    expect(outcomeOf(second)?.reply?.raw.content).toBe('and stormy night');
  });

  test('is stored as interrupted once that window is gone', async () => {
    const { folder, first, second, again } = await openTwo();
    await first.session.dispose();
    await second.until(() => verdictOf(second)?.detail === 'its playground was closed');
    await second.session.dispose();
    expect(folder.contents().match(/"ended"/g)).toHaveLength(1);
    expect(verdictOf(await again())).toMatchObject({ kind: 'interrupted' });
  });
});
