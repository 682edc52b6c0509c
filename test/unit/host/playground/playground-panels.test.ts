// Which tab shows a scratch. The pages and their sessions have tests of their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ScratchBacking } from '../../../../src/host/playground/scratches/scratches';
import { Scratches } from '../../../../src/host/playground/scratches/scratches';
import { WantedPlace } from '../../../../src/host/playground/wanted-place';

interface Panel {
  reveals: number;
  isDisposed: boolean;
  dispose: () => void;
}
type Restore = (panel: Panel, state: unknown) => Promise<void>;

const window = vi.hoisted(() => ({
  panels: [] as Panel[],
  options: [] as unknown[],
  uiKind: 1,
  restore: undefined as Restore | undefined,
  views: [] as { openText: (line?: number, shown?: object) => Promise<void> }[],
  /** What the person answers, and what was asked and opened. */
  answer: undefined as string | undefined,
  asked: [] as unknown[][],
  opened: [] as unknown[],
}));

function createPanel(): Panel {
  const listeners: (() => void)[] = [];
  const panel = {
    reveals: 0,
    isDisposed: false,
    webview: {},
    get active(): boolean {
      if (panel.isDisposed) throw new Error('Webview is disposed');
      return false;
    },
    onDidDispose: (listener: () => void) => (listeners.push(listener), { dispose: () => undefined }),
    reveal: () => void panel.reveals++,
    dispose: () => {
      panel.isDisposed = true;
      for (const listener of listeners) listener();
    },
  };
  window.panels.push(panel);
  return panel;
}

vi.mock('vscode', () => ({
  Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
  ViewColumn: { Active: -1, Beside: -2 },
  Position: class {
    line: number;
    constructor(line: number) {
      this.line = line;
    }
  },
  Range: class {
    start: unknown;
    constructor(start: unknown) {
      this.start = start;
    }
  },
  workspace: { openTextDocument: (given: unknown) => Promise.resolve(given) },
  UIKind: { Desktop: 1, Web: 2 },
  env: {
    get uiKind() {
      return window.uiKind;
    },
  },
  commands: {
    executeCommand: (...given: unknown[]) => Promise.resolve(void window.opened.push(given)),
  },
  window: {
    showInformationMessage: (...asked: unknown[]) => {
      window.asked.push(asked);
      return Promise.resolve(window.answer);
    },
    showTextDocument: (document: unknown) => Promise.resolve(void window.opened.push(document)),
    createWebviewPanel: (_type: string, _title: string, _column: number, options: unknown) => {
      window.options.push(options);
      return createPanel();
    },
    registerWebviewPanelSerializer: (
      _type: string,
      { deserializeWebviewPanel }: { deserializeWebviewPanel: Restore },
    ) => {
      window.restore = deserializeWebviewPanel;
      return { dispose: () => undefined };
    },
  },
}));
vi.mock('../../../../src/host/playground/playground-view', () => ({
  PlaygroundView: class {
    constructor(options: (typeof window.views)[number]) {
      window.views.push(options);
    }

    session = (): Promise<never> => new Promise(() => undefined);
    dispose = (): void => undefined;
  },
}));

const FILE = { toString: () => 'file:///folder/one.playground.json' };
vi.mock('../../../../src/host/playground/files/save-as-file', () => ({
  saveAsFile: async (_title: string, readText: () => Promise<string>) => {
    window.opened.push(await readText());
    return FILE;
  },
}));

const INSERT = { offset: 0, length: 0, text: ' ' };

const { PlaygroundPanels } = await import('../../../../src/host/playground/playground-panels');

let folder: string;
let scratches: Scratches;
let wanted: WantedPlace;
let panels: InstanceType<typeof PlaygroundPanels>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panels-'));
  scratches = new Scratches(folder, () => undefined);
  window.panels = [];
  window.options = [];
  window.views = [];
  window.asked = [];
  window.opened = [];
  wanted = new WantedPlace();
  const done = (): Promise<void> => Promise.resolve();
  const pool = { wanted, flush: done, copyRuns: done, forgetRuns: done };
  panels = new PlaygroundPanels({ scratches, extensionUri: '', pool } as unknown as ConstructorParameters<
    typeof PlaygroundPanels
  >[0]);
});
afterEach(async () => {
  panels.dispose();
  await scratches.flush();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['is', 'on the desktop', 1],
  ['is not', 'in a browser, where it finds nothing', 2],
])('a panel %s searched by the find box of the editor %s', (is, _where, uiKind) => {
  window.uiKind = uiKind;
  panels.openScratch(scratches.create());
  expect(window.options).toEqual([{ enableFindWidget: is === 'is' }]);
});

test('a scratch that is already open is revealed in its tab', async () => {
  panels.openScratch(await scratches.open('one'));
  panels.openScratch(await scratches.open('one'));
  expect(window.panels).toMatchObject([{ reveals: 1 }]);
});

test('a scratch that was opened twice is released when its only tab closes', async () => {
  const shown = scratches.create('before');
  await shown.flush();
  panels.openScratch(shown);
  panels.openScratch(await scratches.open(shown.scratchId));
  shown.dispose();
  await scratches.flush();
  writeFileSync(join(folder, `${shown.scratchId}.playground.json`), 'after');
  expect((await scratches.open(shown.scratchId)).read()).toBe('after');
});

test.each([
  ['is removed with its tab', (): void => undefined, false],
  ['stays once it ran', (shown: ScratchBacking): void => void shown.keep(), true],
  ['stays once it was changed', (shown: ScratchBacking): void => void shown.apply([INSERT]), true],
  ['stays when the window closes', (): void => panels.dispose(), true],
])('a proposed text %s', async (_what, happen, isKept) => {
  const shown = scratches.propose('{}');
  panels.openScratch(shown);
  await shown.flush();
  happen(shown);
  window.panels[0]?.dispose();
  await scratches.flush();
  await vi.waitFor(async () => expect((await scratches.list()).length).toBe(isKept ? 1 : 0));
});

test('tabs that are restored at the same time without their state show different scratches', async () => {
  for (const text of ['one', 'two']) await scratches.create(text).flush();
  const show = vi.spyOn(scratches, 'open');
  await Promise.all([0, 1].map(async () => window.restore?.(createPanel(), undefined)));
  const ids = show.mock.calls.map(([id]) => id);
  expect(new Set(ids).size).toBe(2);
});

test('a restored tab is closed when its scratch is already open in another tab', async () => {
  panels.openScratch(await scratches.open('one'));
  const [first] = window.panels;
  const restored = createPanel();
  await window.restore?.(restored, { scratch: 'one' });
  expect([first?.reveals, first?.isDisposed, restored.isDisposed]).toEqual([1, false, true]);
  const other = createPanel();
  await window.restore?.(other, { scratch: 'two' });
  expect(other.isDisposed).toBe(false);
});

test.each([
  ['while its scratch is read', 1],
  ['while it waits for another tab', 2],
])(
  'a restored tab that is closed %s leaves nothing behind, and another one can be opened',
  async (_when, count) => {
    const kept = scratches.create('before');
    await kept.flush();
    kept.dispose();
    const tabs = Array.from({ length: count }, createPanel);
    const restored = tabs.map(async (tab, index) =>
      window.restore?.(tab, { scratch: index === count - 1 ? kept.scratchId : 'other' }),
    );
    tabs.at(-1)?.dispose();
    await Promise.all(restored);
    tabs[0]?.dispose();
    await panels.open();
    expect(window.panels).toHaveLength(count + 1);
    await scratches.flush();
    writeFileSync(join(folder, `${kept.scratchId}.playground.json`), 'after');
    expect((await scratches.open(kept.scratchId)).read()).toBe('after');
  },
);

test('the text of a scratch opens as a copy only if that is what a person wants', async () => {
  const backing = await scratches.open('one');
  panels.openScratch(backing);
  window.answer = undefined;
  await window.views[0]?.openText(3);
  expect(window.asked[0]?.[0]).toBe('Save the playground as a file to edit its text?');
  expect(window.opened).toEqual([]);
  window.answer = 'Open a Copy';
  await window.views[0]?.openText(3);
  expect(window.opened).toEqual([{ language: 'json', content: backing.read() }]);
});

test('a scratch that is saved to edit its text opens where its view was', async () => {
  const backing = await scratches.open('one');
  panels.openScratch(backing);
  window.answer = 'Save as File…';
  await window.views[0]?.openText(3, { kind: 'evaluation' });
  expect(window.panels).toMatchObject([{ isDisposed: true }]);
  expect(window.opened[1]).toEqual(['vscode.openWith', FILE, 'providerPlayground.editor']);
  expect(wanted.takeOffered(`file:${FILE.toString()}`)).toEqual({ kind: 'evaluation' });
});
