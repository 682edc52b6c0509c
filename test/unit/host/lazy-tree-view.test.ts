import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { TreeServices } from '../../../src/host/lazy-tree-view';

interface Manifest {
  contributes: { viewsWelcome: { view: string; when?: string }[] };
}

const editor = vi.hoisted(() => ({
  commands: [] as unknown[][],
  data: undefined as vscode.TreeDataProvider<string> | undefined,
}));
vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode/vscode-views')),
  commands: { executeCommand: async (...asked: unknown[]) => void editor.commands.push(asked) },
  window: {
    createTreeView: (_id: string, options: vscode.TreeViewOptions<string>) => {
      editor.data = options.treeDataProvider;
      return { visible: true, onDidChangeVisibility: () => undefined, dispose: () => undefined };
    },
  },
}));

const { LazyTreeView } = await import('../../../src/host/lazy-tree-view');

test('sets the context key isEmpty once the roots are loaded, and only for the roots', async () => {
  let resolveRoots = (_roots: string[]): void => undefined;
  const roots = new Promise<string[]>((resolve) => (resolveRoots = resolve));
  const services: TreeServices<string> = {
    tree: { children: (node) => (node ? [] : roots), item: () => ({}) },
    actions: {},
    setVisible: () => undefined,
  };
  const view = new LazyTreeView<string, TreeServices<string>>('some.view', () => Promise.resolve(services));
  const children = editor.data?.getChildren();
  await editor.data?.getChildren('a node without children');
  expect(editor.commands).toEqual([]);
  resolveRoots(['a root']);
  await children;
  expect(editor.commands).toEqual([['setContext', 'some.view.isEmpty', false]]);
  view.dispose();
});

test('each welcome text depends on the context key isEmpty of its view', () => {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  for (const { view, when } of contributes.viewsWelcome) expect(when).toMatch(`${view}.isEmpty`);
});
