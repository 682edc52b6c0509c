// Which tab shows a scratch. The pages and their sessions have tests of their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Scratches } from '../../../../src/host/playground/scratches';

interface Panel {
  reveals: number;
  isDisposed: boolean;
}
type Restore = (panel: Panel, state: unknown) => Promise<void>;

const window = vi.hoisted(() => ({
  panels: [] as Panel[],
  options: [] as unknown[],
  uiKind: 1,
  restore: undefined as Restore | undefined,
}));

function createPanel(): Panel {
  const panel = {
    reveals: 0,
    isDisposed: false,
    webview: {},
    onDidDispose: () => ({ dispose: () => undefined }),
    reveal: () => void panel.reveals++,
    dispose: () => void (panel.isDisposed = true),
  };
  window.panels.push(panel);
  return panel;
}

vi.mock('vscode', () => ({
  Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
  ViewColumn: { Active: -1 },
  UIKind: { Desktop: 1, Web: 2 },
  env: {
    get uiKind() {
      return window.uiKind;
    },
  },
  window: {
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
    session = (): Promise<never> => new Promise(() => undefined);
    dispose = (): void => undefined;
  },
}));

const { PlaygroundPanels } = await import('../../../../src/host/playground/playground-panels');

let folder: string;
let scratches: Scratches;
let panels: InstanceType<typeof PlaygroundPanels>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panels-'));
  scratches = new Scratches(folder, () => undefined);
  window.panels = [];
  window.options = [];
  panels = new PlaygroundPanels({ scratches, extensionUri: '' } as unknown as ConstructorParameters<
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
