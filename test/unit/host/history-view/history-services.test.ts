// The history view with a store: what it shows, what it reads, and what its commands do.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HistoryServices } from '../../../../src/host/history-view/history-services';
import { WantedPlace } from '../../../../src/host/playground/wanted-place';
import type { HistoryNode } from '../../../../src/host/history-view/history-tree';
import type { NamedRun } from '../../../../src/host/wire/wire-uri';
import { toRunDocumentUri } from '../../../../src/host/wire/wire-uri';
import type { ExportedRun } from '../../../../src/inspect';
import { MemoryRunStore } from '../../../../src/session';
import type { HistoryStore, TextPair } from '../../../../src/session';
import { FakeClock } from '../../../support/fake-clock';
import { person, resetPerson, settings } from '../../../support/vscode/vscode-views';

const DAY = 86_400_000;
const NOW = new Date(2026, 4, 10, 12).getTime();
const FILE = 'file:file:///projects/weather.playground.json';
const SCRATCH = 'scratch:one';

let store: MemoryRunStore;
let reads: string[];
let view: { selection: HistoryNode[]; message: string; reveal: () => Promise<void> };
let changes: number;
let opened: string[];
let compared: TextPair[];
let exported: { runs: readonly ExportedRun[]; form: string }[];
let panels: string[];
let wanted: WantedPlace;
let clock: FakeClock;
let services: HistoryServices;

beforeEach(() => {
  resetPerson();
  store = new MemoryRunStore();
  [reads, opened, compared, exported, panels, changes] = [[], [], [], [], [], 0];
  view = { selection: [], message: '', reveal: () => Promise.resolve() };
  wanted = new WantedPlace();
  clock = new FakeClock();
  vi.spyOn(clock, 'now').mockReturnValue(NOW);
  const counted = {
    open: (id: string) => store.open(id),
    list: () => store.list(),
    read: (id: string) => {
      reads.push(id);
      return store.read(id);
    },
  } as HistoryStore;
  services = new HistoryServices(
    {
      pool: {
        store: () => Promise.resolve(counted),
        find: () => undefined,
        stepServices: () => Promise.reject(new Error('not here')),
        wanted,
      },
      scratches: {
        list: () =>
          Promise.resolve([
            { id: 'one', text: '{"messages":[{"role":"user","content":"Hi"}]}', modifiedAt: 0 },
          ]),
        open: (id) => Promise.resolve(id as never),
        create: (text) => text as never,
      },
      panels: { openScratch: (backing) => void panels.push(backing as never) },
      wire: {
        services: () =>
          Promise.resolve({
            openRun: async (id: string, { runId }: NamedRun) => void opened.push(`${id} ${runId}`),
            compare: async (pair: TextPair) => void compared.push(pair),
            export: async (runs: readonly ExportedRun[], form: string) => void exported.push({ runs, form }),
          } as never),
      },
      recordings: {} as never,
      clock,
      explain: (error) =>
        Promise.resolve({ code: 'x', title: 'Failed', what: String(error), why: '', next: 'Look.' }),
    },
    () => changes++,
    view,
  );
});

interface Kept {
  at?: number;
  model?: string;
  question?: string;
  kind?: string;
  tools?: string[];
}

async function keep(sessionId: string, ...runs: Kept[]): Promise<void> {
  const journal = await store.open(sessionId);
  for (const { at = NOW, model = 'm', question = 'Hello?', kind = 'answer', tools = [] } of runs) {
    const id = crypto.randomUUID();
    const verdict = { kind, detail: 'so' };
    const call = (name: string) => ({ id: name, name, arguments: {}, source: 'native' });
    const turn = {
      assistant: { role: 'assistant', content: '' },
      raw: { content: 'the reply', toolCalls: [], usage: {}, attempts: 1 },
      toolCalls: tools.map(call),
      usage: {},
      attempts: 1,
      exchange: { toolCalls: [] },
    };
    journal.append({
      kind: 'message',
      lane: 'a',
      id: `${id}m`,
      message: { role: 'user', content: question },
    });
    journal.append({ kind: 'run', lane: 'a', id, at, connectionId: 'c', model });
    const record = {
      runId: id,
      connectionId: 'c',
      connectionLabel: 'C',
      model,
      startedAt: at,
      durationMs: 5,
      verdict,
      turn,
      ledger: [],
      findings: [],
    };
    journal.append({ kind: 'ended', id, verdict, durationMs: 5, model }, { key: `run:${id}`, value: record });
    journal.append({ kind: 'summary', about: `run:${id}`, id, tools, text: 'the reply' });
  }
  await journal.close();
}

/** The lines of the tree, fully expanded. */
async function treeLines(node?: HistoryNode, depth = 0): Promise<string[]> {
  const lines = await Promise.all(
    (await services.tree.children(node)).map(async (child) => {
      const { label, description } = (await services.tree.item(child)) as {
        label: string;
        description: string;
      };
      const line = `${'  '.repeat(depth)}${label} | ${description.replace(/ · [^·]*$/, '')}`;
      return [line, ...(await treeLines(child, depth + 1))];
    }),
  );
  return lines.flat();
}

/** @param title Label of a group, or what follows the outcome of a run. */
async function find(title: string, node?: HistoryNode): Promise<HistoryNode> {
  for (const child of await services.tree.children(node)) {
    const { label, description } = (await services.tree.item(child)) as Record<string, string>;
    if (label === title || description?.startsWith(`${title} · `)) return child;
    const found = await find(title, child).catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`there is no ${title}`);
}

const messages = (): unknown[] => person.messages.map(([text]) => text);

describe('the tree', () => {
  test('lists playgrounds, days and runs, latest first', async () => {
    await keep(SCRATCH, { question: 'Old one', at: NOW - 40 * DAY }, { question: 'Before', at: NOW - DAY });
    await keep(FILE, { question: 'Hello   there\n', kind: 'rescued', model: 'qwen' }, { at: NOW - 1000 });
    expect(await treeLines()).toEqual([
      'weather | /projects/weather.playground.json',
      '  Today | 2 runs',
      '    rescued call · qwen | Hello there',
      '    answer · m | Hello?',
      expect.stringMatching(/^Hi \| /),
      '  Yesterday | 1 run',
      '    answer · m | Before',
      expect.stringMatching(/^ {2}\S.*2026 \| 1 run$/),
      '    answer · m | Old one',
    ]);
  });

  test('reads a playground only when it is expanded, once, and again after a change', async () => {
    for (let index = 0; index < 50; index++) await keep(`scratch:${index}`, {});
    const [first] = await services.tree.children();
    expect(reads).toEqual([]);
    expect(await services.tree.children()).toHaveLength(50);
    await services.tree.children(first);
    await services.tree.children(first);
    expect(reads).toEqual(['scratch:49']);
    await keep('scratch:49', {});
    await services.refresh();
    await services.tree.children(first);
    expect(reads).toEqual(['scratch:49', 'scratch:49']);
  });

  test('shows a long day in pages', async () => {
    await keep(SCRATCH, ...Array.from({ length: 450 }, () => ({})));
    const day = await find('Today');
    const shown = async (): Promise<number> => (await services.tree.children(day)).length;
    expect(await shown()).toBe(201);
    await services.actions.openRun(await find('Show 200 more', day));
    expect(await shown()).toBe(401);
    await services.actions.openRun(await find('Show 50 more', day));
    expect(await shown()).toBe(450);
    expect(changes).toBe(2);
    expect(opened).toEqual([]);
  });

  test('is not read while it is hidden; runs that end meanwhile appear when it is shown again', async () => {
    await keep(SCRATCH, {});
    services.setVisible(true);
    await treeLines();
    services.setVisible(false);
    reads.length = 0;
    await keep(SCRATCH, {});
    services.runsChanged();
    clock.advance(10_000);
    expect([changes, reads]).toEqual([0, []]);
    services.setVisible(true);
    expect(changes).toBe(1);
    expect(await treeLines()).toContain('  Today | 2 runs');
  });

  test('is redrawn once for several runs that end, and not while a dialog is open', async () => {
    services.setVisible(true);
    for (let index = 0; index < 5; index++) services.runsChanged();
    clock.advance(1_000);
    expect(changes).toBe(1);
    await keep(SCRATCH, {});
    let refreshesMeanwhile = 0;
    person.replies.push(() => {
      services.runsChanged();
      clock.advance(1_000);
      refreshesMeanwhile = changes;
    });
    await services.actions.filterHistory(undefined);
    expect(refreshesMeanwhile).toBe(1);
    clock.advance(1_000);
    expect(changes).toBe(2);
  });

  test('shows a model’s texts literally', async () => {
    await keep(SCRATCH, { question: '$(trash) \u202Eevil\u0000', model: '[x](command:y)', kind: 'odd' });
    const item = await services.tree.item(await find('$ (trash) \\u{202e}evil\\u{0}'));
    expect(item).toMatchObject({ label: 'odd · [x] (command:y)' });
  });
});

describe('the filter', () => {
  const choose = (labels: string[]) => (items: { label: string; item?: unknown }[]) =>
    items.filter(({ label }) => labels.includes(label));

  test('keeps matching runs, is described above the tree, and can be cleared', async () => {
    await keep(SCRATCH, { tools: ['get_weather'], question: 'Oslo' }, { question: 'Bergen' });
    await keep(FILE, { question: 'Elsewhere' });
    person.replies.push(choose(['get_weather']), ' osl ');
    await services.actions.filterHistory(undefined);
    expect(view.message).toBe('Filter: tool get_weather · text “osl”. 1 of 3 runs.');
    expect(await treeLines()).toEqual([
      expect.stringMatching(/^Hi/),
      '  Today | 1 run',
      '    answer · m | Oslo',
    ]);
    expect(person.commands).toContainEqual(['setContext', 'providerPlayground.historyFiltered', true]);
    // The runs are still being counted when the filter is cleared.
    const counted = services.refresh();
    await services.actions.clearHistoryFilter(undefined);
    await counted;
    expect(view.message).toBe('');
    expect(await treeLines()).toHaveLength(7);
    expect(person.commands).toContainEqual(['setContext', 'providerPlayground.historyFiltered', false]);
  });

  test('offers the existing values with the chosen ones checked; cancelling changes nothing', async () => {
    await keep(SCRATCH, { model: 'a', kind: 'native', tools: ['t'] }, { model: 'b' }, { model: 'b' });
    person.replies.push(choose(['a', 'native call']), '');
    await services.actions.filterHistory(undefined);
    let offered: unknown;
    person.replies.push((items: unknown) => void (offered = items));
    await services.actions.filterHistory(undefined);
    expect(offered).toMatchObject([
      { label: 'Model' },
      { label: 'b', description: '2 runs', picked: false },
      { label: 'a', description: '1 run', picked: true },
      { label: 'Outcome' },
      { label: 'answer', description: '2 runs', picked: false },
      { label: 'native call', description: '1 run', picked: true },
      { label: 'Called tool' },
      { label: 't', description: '1 run', picked: false },
    ]);
    expect(view.message).toBe('Filter: model a · outcome native call. 1 of 3 runs.');
  });
});

describe('the commands', () => {
  test('open a run in an editor, and its playground', async () => {
    await keep(SCRATCH, {});
    const run = (await find('Hello?')) as HistoryNode & { kind: 'run' };
    expect(await services.tree.item(run)).toMatchObject({
      contextValue: 'run',
      command: {
        command: 'vscode.open',
        arguments: [toRunDocumentUri(SCRATCH, run.run)],
      },
    });
    await services.actions.openRun(run);
    expect(opened).toEqual([`${SCRATCH} ${run.run.runId}`]);
    await services.actions.openRunPlayground(run);
    await services.actions.openRunInNewPlayground(run);
    expect(panels[0]).toBe('one');
    const place = { kind: 'run', runId: run.run.runId };
    expect([wanted.take('file:other'), wanted.take(SCRATCH)]).toEqual([undefined, place]);
    expect(JSON.parse(panels[1] ?? '')).toMatchObject({ lanes: [{ connection: 'c', model: 'm' }] });
  });

  test('report a missing playground file, but open the run', async () => {
    await keep(FILE, {});
    const run = await find('Hello?');
    await services.actions.openRunPlayground(run);
    expect(messages()).toEqual([expect.stringMatching(/^The file of this playground is gone/)]);
    await services.actions.openRun(run);
    expect(opened).toHaveLength(1);
    expect(person.commands).toEqual([]);
  });

  test('pin, name and unpin runs', async () => {
    await keep(SCRATCH, { question: 'One' }, { question: 'Two', at: NOW - 1 });
    await services.actions.pinRun(await find('Two'));
    person.replies.push('Mine');
    await services.actions.nameRun(await find('Two'));
    expect(await treeLines()).toEqual([
      expect.stringMatching(/^Hi/),
      '  Pinned | 1 run',
      '    answer · m | Mine',
      '  Today | 1 run',
      '    answer · m | One',
    ]);
    await services.actions.unpinRun(await find('Mine'));
    expect(await treeLines()).toContain('  Today | 2 runs');
  });

  test('pin at most half of the runs that are kept', async () => {
    settings.user = { 'history.maxRuns': 4 };
    await keep(SCRATCH, { question: '1' }, { question: '2' }, { question: '3' });
    await keep(FILE, { question: '4' });
    view.selection = [await find('1'), await find('2')];
    await services.actions.pinRun(view.selection[1]);
    expect(await treeLines()).toContain('  Pinned | 2 runs');
    view.selection = [await find('4'), await find('3')];
    await services.actions.pinRun(view.selection[0]);
    expect(messages()).toEqual([expect.stringMatching(/^At most 2 runs can be pinned/)]);
    expect(await treeLines()).toEqual(expect.arrayContaining(['  Pinned | 2 runs', '  Pinned | 1 run']));
  });

  test('delete the selection or a whole playground after confirmation', async () => {
    await keep(SCRATCH, { question: '1' }, { question: '2' }, { question: '3', at: NOW - DAY });
    person.replies.push(undefined, 'Delete', 'Delete');
    await services.actions.deleteRuns(await find('1'));
    expect(await treeLines()).toHaveLength(6);
    await services.actions.deleteRuns(await find('1'));
    expect(messages()).toEqual(['Delete “1” from the history?', 'Delete “1” from the history?']);
    expect(await treeLines()).toEqual([
      expect.stringMatching(/^Hi/),
      '  Today | 1 run',
      '    answer · m | 2',
      '  Yesterday | 1 run',
      '    answer · m | 3',
    ]);
    const [playground] = await services.tree.children();
    await services.actions.deleteRuns(playground);
    expect(await treeLines()).toEqual([]);
    expect((await store.read(SCRATCH)).keys.size).toBe(0);
  });

  test('compare exactly two runs, the earlier one on the left', async () => {
    await keep(SCRATCH, { question: '1' }, { question: '2', at: NOW - 1 }, { question: '3' });
    view.selection = [await find('1'), await find('2')];
    person.replies.push((items: { label: string }[]) => items[0]);
    await services.actions.compareRuns(undefined);
    expect(compared).toMatchObject([
      {
        left: { name: 'earlier-reply.txt', text: expect.stringContaining('the reply') as unknown },
        right: { name: 'later-reply.txt' },
      },
    ]);
    view.selection.push(await find('3'));
    await services.actions.compareRuns(undefined);
    expect(messages().at(-1)).toMatch(/^Select two runs/);
  });

  test('export a selection sorted by time, each run once', async () => {
    await keep(SCRATCH, { question: '1' }, { question: '2', at: NOW - 1, tools: ['get_weather'] });
    view.selection = [await find('Today'), await find('1')];
    person.replies.push((items: { label: string }[]) => items.find(({ label }) => label === 'JSON'));
    await services.actions.exportRuns(undefined);
    expect(exported).toMatchObject([
      { form: 'json', runs: [{ title: 'Run 1', calls: [{ name: 'get_weather' }] }, { title: 'Run 2' }] },
    ]);
  });
  test('report a run that no longer exists', async () => {
    await keep(SCRATCH, {});
    const run = await find('Hello?');
    await store.clear();
    await services.actions.openRunInNewPlayground(run);
    expect(messages()).toEqual([expect.stringMatching(/^Failed .*Look\.$/)]);
    expect(panels).toEqual([]);
  });
});
