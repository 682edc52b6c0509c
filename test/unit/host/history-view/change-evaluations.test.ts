// Stored evaluations in the history view: how they are listed, and what its commands do with them.
import { beforeEach, expect, test, vi } from 'vitest';
import type { HistoryNode } from '../../../../src/host/history-view/history-tree';
import { HistoryServices } from '../../../../src/host/history-view/history-services';
import { WantedPlace } from '../../../../src/host/playground/wanted-place';
import type { Session } from '../../../../src/session';
import { MemoryRunStore, storedEvaluations } from '../../../../src/session';
import { FakeClock } from '../../../support/fake-clock';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

const NOW = new Date(2026, 4, 10, 12).getTime();
const FILE = 'file:file:///projects/weather.playground.json';
const SCRATCH = 'scratch:one';
const HEAD = {
  durationMs: 5,
  isEnded: true,
  more: {},
  passed: 306,
  failed: 54,
  planned: 360,
  notRun: 0,
  lanes: ['flaky', 'native-call', 'hermes-text'],
  rows: 12,
  repeats: 10,
};

let store: MemoryRunStore;
let view: { selection: HistoryNode[]; message: string; reveal: (node: HistoryNode) => Promise<void> };
let panels: string[];
let wanted: WantedPlace;
let services: HistoryServices;
/** The evaluations of the open playground; undefined when it is closed. */
let evaluation: Pick<Session['evaluation'], 'mark' | 'remove'> | undefined;

beforeEach(() => {
  resetPerson();
  store = new MemoryRunStore();
  panels = [];
  view = { selection: [], message: '', reveal: () => Promise.resolve() };
  wanted = new WantedPlace();
  evaluation = undefined;
  const clock = new FakeClock();
  vi.spyOn(clock, 'now').mockReturnValue(NOW);
  services = new HistoryServices(
    {
      pool: {
        store: () => Promise.resolve(store),
        find: () => (evaluation ? Promise.resolve({ evaluation } as Session) : undefined),
        stepServices: () => Promise.reject(new Error('not here')),
        wanted,
      },
      scratches: {
        list: () => Promise.resolve([]),
        open: (id) => Promise.resolve(id as never),
        create: (text) => text as never,
      },
      panels: { openScratch: (backing) => void panels.push(backing as never) },
      wire: { services: () => Promise.reject(new Error('not here')) },
      recordings: {
        show: () => Promise.reject(new Error('not here')),
        remove: () => Promise.reject(new Error('not here')),
      },
      clock,
      explain: (error) =>
        Promise.resolve({ code: 'x', title: 'Failed', what: String(error), why: '', next: 'Look.' }),
    },
    () => undefined,
    view,
  );
});

/** The lines of the tree, fully expanded. */
async function treeLines(node?: HistoryNode, depth = 0): Promise<string[]> {
  const lines = (await services.tree.children(node)).map(async (child) => {
    const { label, description } = (await services.tree.item(child)) as Record<string, string>;
    const line = `${'  '.repeat(depth)}${label} | ${description?.replace(/ · [^·]*$/, '')}`;
    return [line, ...(await treeLines(child, depth + 1))];
  });
  return (await Promise.all(lines)).flat();
}

const messages = (): unknown[] => person.messages.map(([text]) => text);

async function keepEvaluations(sessionId: string, ...heads: object[]): Promise<void> {
  const journal = await store.open(sessionId);
  for (const [index, change] of heads.entries()) {
    const own = { id: `e${index + 1}`, startedAt: NOW + index };
    journal.append({ kind: 'evaluation', head: { ...HEAD, ...own, ...change } });
  }
  await journal.close();
}

const evaluations = async (): Promise<HistoryNode[]> => {
  const [playground] = await services.tree.children();
  const [group] = await services.tree.children(playground);
  return services.tree.children(group);
};
const stored = async () => storedEvaluations((await store.read(FILE)).lines);

test('evaluations are listed below their playground, beginning with their outcome', async () => {
  await keepEvaluations(
    FILE,
    { passed: 5, planned: 9 },
    { passed: 2, failed: 1, planned: 30, notRun: 27, lanes: ['a'], rows: 1, repeats: 30 },
    { failed: undefined },
    {},
  );
  expect(await treeLines()).toEqual([
    'weather | /projects/weather.playground.json',
    '  Evaluations | 4 evaluations',
    expect.stringMatching(/^ {4}85 % passed · 3 lanes × 12 rows × 10 \| /),
    expect.stringMatching(/^ {4}nothing expected · 3 lanes × 12 rows × 10 \| /),
    '    2 of 3 passed · 1 lane × 1 row × 30 | 27 not run',
    // Its rows had different numbers of repeats.
    expect.stringMatching(/^ {4}8 % passed · 3 lanes × 12 rows \| /),
  ]);
  const [item] = await Promise.all((await evaluations()).map((node) => services.tree.item(node)));
  expect(item?.tooltip).toContain('306 passed, 54 failed, 0 without a verdict, 0 not run');
  expect(item?.tooltip).toContain('flaky, native-call, hermes-text');
});

test('evaluations keep a playground in the tree that has no run', async () => {
  await keepEvaluations(FILE, {});
  await treeLines();
  await services.refresh();
  expect(await treeLines()).toHaveLength(3);
});

test('evaluations open in their playground; of two, the later one is judged against the earlier one', async () => {
  await keepEvaluations(SCRATCH, {}, {});
  const [later, earlier] = await evaluations();
  await services.actions.openEvaluation(earlier);
  expect(wanted.take(SCRATCH)).toEqual({ kind: 'evaluation', shown: { id: 'e1' } });
  view.selection = [later, earlier] as HistoryNode[];
  await services.actions.compareEvaluations(later);
  const shown = { id: 'e2', baselineId: 'e1' };
  expect(wanted.take(SCRATCH)).toEqual({ kind: 'evaluation', shown });
  expect(panels).toEqual(['one', 'one']);
});

test('an evaluation is compared with another one that is chosen', async () => {
  await keepEvaluations(SCRATCH, {}, { passed: 200, failed: 160 });
  const [, earlier] = await evaluations();
  let offered: unknown;
  person.replies.push((items: object[]) => {
    offered = items;
    return items[0];
  });
  await services.actions.compareEvaluations(earlier);
  expect(offered).toMatchObject([{ label: '56 % passed · 3 lanes × 12 rows × 10' }]);
  expect(wanted.take(SCRATCH)).toMatchObject({ shown: { id: 'e1', baselineId: 'e2' } });
});

test('evaluations say why they cannot be compared', async () => {
  await keepEvaluations(SCRATCH, {});
  const [only] = await evaluations();
  await services.actions.compareEvaluations(only);
  await keepEvaluations(FILE, {});
  await services.refresh();
  view.selection = [...(await evaluations()), only as HistoryNode];
  await services.actions.compareEvaluations(only);
  expect(messages()).toEqual([
    expect.stringMatching(/^No other evaluation of this playground is stored\./),
    expect.stringMatching(/^Only evaluations of the same playground/),
  ]);
  expect(panels).toEqual([]);
});

test('evaluations are pinned, named and deleted with their samples, as runs are', async () => {
  await keepEvaluations(FILE, {}, {});
  const samples = await store.open('part:samples:e1');
  samples.append({ kind: 'sample' });
  await samples.close();
  await services.actions.pinRun((await evaluations())[1]);
  person.replies.push('short prompt');
  await services.actions.nameRun((await evaluations())[0]);
  expect(await stored()).toMatchObject([{ id: 'e2' }, { id: 'e1', isPinned: true, name: 'short prompt' }]);
  const [pinned] = await evaluations();
  expect(await services.tree.item(pinned as HistoryNode)).toMatchObject({
    contextValue: 'evaluation-pinned',
    description: expect.stringMatching(/^pinned · short prompt · /),
  });
  person.replies.push('Delete');
  await services.actions.deleteRuns(pinned);
  expect(messages()).toContain('Delete “short prompt” from the history?');
  expect(await stored()).toMatchObject([{ id: 'e2' }]);
  expect((await store.read('part:samples:e1')).lines).toEqual([]);
});

test('evaluations of an open playground are changed where its view sees it', async () => {
  await keepEvaluations(FILE, {});
  const calls: unknown[] = [];
  evaluation = {
    mark: async (...change) => void calls.push(change),
    remove: async (ids) => void calls.push(ids),
  };
  await services.actions.pinRun((await evaluations())[0]);
  person.replies.push('Delete');
  await services.actions.deleteRuns((await evaluations())[0]);
  expect(calls).toEqual([['e1', { isPinned: true }], ['e1']]);
  expect(await stored()).toHaveLength(1);
});
