import {
  promises as disk,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Scratches } from '../../../../../src/host/playground/scratches/scratches';
import { NEW_PLAYGROUND_TEXT } from '../../../../../src/session';
import { EditableDocument } from '../../../../../src/session/editing/editable-document';
import { FakeClock } from '../../../../support/fake-clock';

let parent: string;
let folder: string;
let problems: string[];
let scratches: Scratches;

const openScratches = (path: string): Scratches =>
  new Scratches(path, (problem) => void problems.push(problem));
const put = (text: string) => [{ offset: 0, length: 0, text }];
const names = (path = folder): string[] => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'scratches-'));
  folder = join(parent, 'scratches');
  problems = [];
  scratches = openScratches(folder);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(parent, { recursive: true, force: true });
});

describe('Scratches', () => {
  test('leave nothing on disk if they were never changed', async () => {
    const backing = scratches.create();
    expect(backing.read()).toBe('');
    await backing.flush();
    await (await scratches.open('known-id')).flush();
    expect(names()).toEqual([]);
    expect(await scratches.list()).toEqual([]);
  });

  test('are written again after an undo and a redo', async () => {
    const backing = scratches.create();
    const editable = new EditableDocument({
      backing,
      clock: new FakeClock(),
      onChange: () => undefined,
      tools: {
        resolve: () => Promise.resolve('There is no such tool.'),
        invoke: () => Promise.reject(new Error('No.')),
        onDidChange: () => () => undefined,
      },
    });
    await editable.edit([{ path: ['system'], value: 'Be brief.' }]);
    await backing.flush();
    const [written] = await scratches.list();
    expect(written?.text).toContain('Be brief.');
    await editable.undoOrRedo('undo');
    await backing.flush();
    expect(await scratches.list()).toMatchObject([{ text: NEW_PLAYGROUND_TEXT }]);
    await editable.undoOrRedo('redo');
    await backing.flush();
    expect(await scratches.list()).toMatchObject([{ text: written?.text }]);
    editable.dispose();
  });

  test('are found again if they were kept, even without a change', async () => {
    const backing = scratches.create();
    await backing.keep();
    expect(await scratches.list()).toEqual([expect.objectContaining({ id: backing.scratchId, text: '' })]);
    const again = await openScratches(folder).openLatest(new Set());
    expect(again.scratchId).toBe(backing.scratchId);
  });

  test('open the latest kept one that is not shown, otherwise a new one', async () => {
    const [first, second] = [scratches.create(), scratches.create()];
    await first.keep();
    await second.keep();
    const path = (id: string) => join(folder, `${id}.playground.json`);
    utimesSync(path(second.scratchId), 1, 1);
    expect((await scratches.openLatest(new Set())).scratchId).toBe(first.scratchId);
    utimesSync(path(first.scratchId), 0, 0);
    expect((await scratches.openLatest(new Set())).scratchId).toBe(second.scratchId);
    expect((await scratches.openLatest(new Set([second.scratchId]))).scratchId).toBe(first.scratchId);
    const shown = new Set([first.scratchId, second.scratchId]);
    expect(shown).not.toContain((await scratches.openLatest(shown)).scratchId);
  });

  test('are available in another window with the same id', async () => {
    const backing = scratches.create();
    await backing.apply(put('{ "system": "Be short." }'));
    await backing.flush();
    const again = await openScratches(folder).open(backing.scratchId);
    expect(again.read()).toBe('{ "system": "Be short." }');
    expect([again.id, again.scratchId]).toEqual([backing.id, backing.scratchId]);
  });

  test('are written shortly after their last change', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const backing = scratches.create('one');
    await backing.apply([{ offset: 3, length: 0, text: ' two' }]);
    expect(names()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    await backing.flush();
    expect(readFileSync(join(folder, `${backing.scratchId}.playground.json`), 'utf8')).toBe('one two');
  });

  test('apply edits with offsets in the previous text', async () => {
    const backing = scratches.create('abcdef');
    await backing.apply([
      { offset: 0, length: 1, text: 'A' },
      { offset: 3, length: 2, text: '' },
      { offset: 6, length: 0, text: '!' },
    ]);
    expect(backing.read()).toBe('Abcf!');
  });

  test('notify listeners of each change until they unsubscribe', async () => {
    const backing = scratches.create();
    const seen: string[] = [];
    const stop = backing.onDidChange(() => seen.push(backing.read()));
    await backing.apply(put('b'));
    await backing.apply(put('a'));
    stop();
    await backing.apply(put('-'));
    expect(seen).toEqual(['b', 'ab']);
  });

  test('are written atomically, without temporary files left behind', async () => {
    const backing = scratches.create('x'.repeat(1_000_000));
    const writing = backing.flush();
    await backing.apply([{ offset: 0, length: 1_000_000, text: 'short' }]);
    await Promise.all([writing, backing.flush()]);
    expect(names()).toEqual([`${backing.scratchId}.playground.json`]);
    expect(readFileSync(join(folder, names()[0] ?? ''), 'utf8')).toBe('short');
  });

  test('keep the previous file when it cannot be replaced', async () => {
    const backing = scratches.create('before');
    await backing.flush();
    const { rename } = disk;
    // Only in this folder: scratches of earlier tests may still be written.
    vi.spyOn(disk, 'rename').mockImplementation((from, to) =>
      String(to).startsWith(folder) ? Promise.reject(new Error('busy')) : rename(from, to),
    );
    await backing.apply(put('not '));
    await backing.flush();
    expect(readFileSync(join(folder, `${backing.scratchId}.playground.json`), 'utf8')).toBe('before');
    expect(names()).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  test('keep the text for the lifetime of the window when the folder is not writable, and report that', async () => {
    writeFileSync(folder, 'a file where the folder would be');
    const backing = scratches.create('kept');
    await backing.flush();
    expect(problems[0]).toContain('could not be written');
    expect(problems[0]).not.toContain(folder);
    expect(backing.read()).toBe('kept');
    expect((await scratches.open(backing.scratchId)).read()).toBe('kept');
    backing.dispose();
    backing.dispose();
    await scratches.flush();
    expect((await scratches.open(backing.scratchId)).read()).toBe('kept');
    expect(await scratches.list()).toEqual([]);
  });

  test('return the same instance, with unwritten changes, when opened again', async () => {
    const backing = scratches.create('first');
    const [one, other] = await Promise.all([
      scratches.open(backing.scratchId),
      scratches.open(backing.scratchId),
    ]);
    expect(one.read()).toBe('first');
    expect(other).toBe(one);
  });

  test.each(['', '.', '..', '../outside', 'a/b', 'a\\b', '/etc/passwd', 'a\0b', 'a.b', 'x'.repeat(65), 'ä'])(
    'open a new one for an invalid id, and remove nothing: %j',
    async (id) => {
      mkdirSync(folder);
      const outside = join(parent, 'outside.playground.json');
      writeFileSync(outside, 'mine');
      writeFileSync(join(folder, '.playground.json'), 'mine');
      const backing = await scratches.open(id);
      expect(backing.read()).toBe('');
      expect(backing.scratchId).toMatch(/^[\w-]{36}$/);
      await scratches.remove(id);
      expect(readFileSync(outside, 'utf8')).toBe('mine');
      expect(names()).toEqual(['.playground.json']);
    },
  );

  test('list changed ones, latest first, and no other files', async () => {
    const first = scratches.create('one');
    const second = scratches.create('two');
    scratches.create();
    await Promise.all([first.flush(), second.flush()]);
    utimesSync(join(folder, `${first.scratchId}.playground.json`), 2_000, 2_000);
    utimesSync(join(folder, `${second.scratchId}.playground.json`), 1_000, 1_000);
    writeFileSync(join(folder, 'half.playground.json.new'), '{');
    writeFileSync(join(folder, 'a b.playground.json'), '{}');
    mkdirSync(join(folder, 'folder.playground.json'));
    expect(await scratches.list()).toEqual([
      { id: first.scratchId, text: 'one', modifiedAt: 2_000_000 },
      { id: second.scratchId, text: 'two', modifiedAt: 1_000_000 },
    ]);
  });

  test('remove temporary files of windows that crashed, but none that may still be written', async () => {
    const backing = scratches.create('one');
    await backing.flush();
    const [kept = ''] = names();
    const [old, recent, foreign] = [`${kept}.1-2.new`, `${kept}.3-4.new`, 'notes.new'];
    for (const name of [old, recent, foreign]) writeFileSync(join(folder, name), '{');
    for (const name of [kept, old, foreign]) utimesSync(join(folder, name), 1_000, 1_000);
    expect(await scratches.list()).toHaveLength(1);
    await expect.poll(() => names().toSorted()).toEqual([kept, recent, foreign].toSorted());
  });

  test('do not come back after removal, even with unwritten changes', async () => {
    const backing = scratches.create('text');
    const writing = backing.flush();
    await backing.apply(put('more '));
    await scratches.remove(backing.scratchId);
    await backing.apply(put('late '));
    await Promise.all([writing, backing.flush()]);
    expect(names()).toEqual([]);
    expect((await scratches.open(backing.scratchId)).read()).toBe('');
    await scratches.remove(backing.scratchId);
  });

  test('are written by flush() even if they were closed right after a change', async () => {
    const backing = scratches.create('typed last');
    backing.dispose();
    await scratches.flush();
    expect(readFileSync(join(folder, `${backing.scratchId}.playground.json`), 'utf8')).toBe('typed last');
  });

  test('are read from disk again once no view uses them', async () => {
    const backing = scratches.create('text');
    backing.dispose();
    await scratches.flush();
    const again = await scratches.open(backing.scratchId);
    expect(again).not.toBe(backing);
    expect(again.read()).toBe('text');
  });

  test('stay the same instance when opened again while closing', async () => {
    const backing = scratches.create('text');
    expect(await scratches.open(backing.scratchId)).toBe(backing);
    backing.dispose();
    await scratches.flush();
    expect(await scratches.open(backing.scratchId)).toBe(backing);
  });

  describe('in two windows with the same folder', () => {
    let other: Scratches;
    beforeEach(() => void (other = openScratches(folder)));

    test('list what the other window has changed, created and removed', async () => {
      const mine = scratches.create('mine');
      await mine.flush();
      const listed = async (): Promise<string[]> => (await other.list()).map(({ text }) => text).toSorted();
      expect(await listed()).toEqual(['mine']);
      const theirs = other.create('theirs');
      await mine.apply(put('still '));
      await Promise.all([mine.flush(), theirs.flush()]);
      expect(await listed()).toEqual(['still mine', 'theirs']);
      expect((await scratches.list()).map(({ id }) => id)).toContain(theirs.scratchId);
      await scratches.remove(mine.scratchId);
      expect(await listed()).toEqual(['theirs']);
    });

    test('can be written by both at the same moment, one after the other', async () => {
      const mine = scratches.create('one');
      await mine.flush();
      const theirs = await other.open(mine.scratchId);
      for (let round = 0; round < 50; round++) {
        await Promise.all([mine.apply(put('a')), theirs.apply(put('b'))]);
        await Promise.all([mine.flush(), theirs.flush()]);
      }
      expect(problems).toEqual([]);
      expect(names()).toHaveLength(1);
    });

    test('are updated in both windows when one of them writes', async () => {
      const mine = scratches.create('one');
      await mine.flush();
      const theirs = await other.open(mine.scratchId);
      const reported: string[] = [];
      theirs.onDidChange(() => reported.push(theirs.read()));
      await mine.apply(put('number '));
      await mine.flush();
      await expect.poll(() => theirs.read(), { timeout: 10_000 }).toBe('number one');
      expect(reported).toEqual(['number one']);
      await theirs.apply(put('the '));
      await theirs.flush();
      await expect.poll(() => mine.read(), { timeout: 10_000 }).toBe('the number one');
      expect(theirs.isWritten && mine.isWritten).toBe(true);
      mine.dispose();
      theirs.dispose();
    });

    test('do not lose unwritten changes to the other window', async () => {
      const backing = scratches.create('mine');
      await backing.apply(put('still '));
      backing.follow('theirs');
      expect(backing.read()).toBe('still mine');
      await backing.flush();
      backing.follow('theirs');
      expect(backing.read()).toBe('theirs');
    });
  });
});
