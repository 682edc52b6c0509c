// Which playground file is active. The pages and their sessions have tests of their own.
import { expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';

vi.mock('vscode', () => ({
  Disposable: { from: () => ({ dispose: () => undefined }) },
  window: { registerCustomEditorProvider: () => undefined },
  workspace: { onWillRenameFiles: () => undefined, onDidRenameFiles: () => undefined },
}));
vi.mock('../../../../../src/host/playground/playground-view', () => ({
  PlaygroundView: class {
    dispose = (): void => undefined;
  },
}));
vi.mock('../../../../../src/host/playground/files/file-backing', () => ({
  FileBacking: class {
    readonly kind = 'file';
  },
}));
vi.mock('../../../../../src/host/find-box', () => ({ withFindBox: () => ({}) }));

const { DocumentEditor } = await import('../../../../../src/host/playground/files/document-editor');

function openPanel(active: boolean) {
  const closed: (() => void)[] = [];
  const panel = {
    active,
    webview: {},
    onDidChangeViewState: () => undefined,
    onDidDispose: (listener: () => void) => closed.push(listener),
    close: () => closed.forEach((listener) => listener()),
  };
  return panel as unknown as vscode.WebviewPanel & { active: boolean; close: () => void };
}

test('a document stays active when another editor of it is closed', () => {
  const editor = new DocumentEditor({} as never);
  const [document, other] = [{ uri: 'one' }, { uri: 'two' }] as unknown as vscode.TextDocument[];
  const [left, right, beside] = [openPanel(false), openPanel(true), openPanel(false)];
  for (const panel of [left, right]) editor.resolveCustomTextEditor(document as vscode.TextDocument, panel);
  editor.resolveCustomTextEditor(other as vscode.TextDocument, beside);
  expect(editor.active).toBe(document);
  left.close();
  expect(editor.active).toBe(document);
  Object.assign(right, { active: false });
  expect(editor.active).toBeUndefined();
  Object.assign(beside, { active: true });
  expect(editor.active).toBe(other);
  beside.close();
  expect(editor.active).toBeUndefined();
  editor.dispose();
});
