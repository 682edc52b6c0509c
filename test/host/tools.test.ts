// Tools as files in the extension host: the editor's own JSON editor reads them, validates them with the shipped
// schema, and saves them into the playground.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { until } from './until';

const SCHEME = 'providerplayground-tool';
const TEXT = `{
  // of the test
  "tools": [
    { "name": "get_weather", /* kept */ "description": "old", "parameters": { "type": "object" } }
  ]
}
`;

const readable = (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );

/** Replaces a part of the editor's text; the file does not change before it is saved. */
async function type(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} is not there`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe('a tool of a playground as a file', () => {
  let file: vscode.Uri;
  let tool: vscode.Uri;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, 'no folder is open');
    file = vscode.Uri.joinPath(folder.uri, 'tools-test.playground.json');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(TEXT));
    await vscode.commands.executeCommand('vscode.openWith', file, 'providerPlayground.editor');
    // The path that the playground uses; it stays the same after a reload.
    const key = createHash('sha256').update(`file:${file.toString()}`).digest('hex').slice(0, 16);
    tool = vscode.Uri.from({ scheme: SCHEME, path: `/${key}/0/get_weather.playground-tool.json` });
    await until('the tool is not available as a file', () => readable(tool));
  });

  after(async () => {
    // Saved, so that closing the editors asks no question.
    for (const uri of [tool, file]) await (await vscode.workspace.openTextDocument(uri)).save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
  });

  it('opens in the JSON editor as formatted JSON', async () => {
    const document = await vscode.workspace.openTextDocument(tool);
    assert.equal(document.languageId, 'json');
    assert.deepEqual(JSON.parse(document.getText()), {
      name: 'get_weather',
      description: 'old',
      parameters: { type: 'object' },
    });
    assert.ok(document.lineCount > 5);
  });

  it('gets a diagnostic where its schema has an unknown type', async () => {
    const document = await vscode.workspace.openTextDocument(tool);
    await vscode.window.showTextDocument(document);
    await type(document, '"type": "object"', '"type": "strnig"');
    const line = document.positionAt(document.getText().indexOf('strnig')).line;
    await until('the unknown type has no diagnostic', () =>
      vscode.languages.getDiagnostics(tool).some(({ range }) => range.start.line === line),
    );
    await type(document, '"strnig"', '"object"');
    await until('the diagnostic remains', () => vscode.languages.getDiagnostics(tool).length === 0);
  });

  it('is saved into the playground without changing anything else in it', async () => {
    const document = await vscode.workspace.openTextDocument(tool);
    await type(document, '"old"', '"new"');
    assert.ok(await document.save());
    const playground = await vscode.workspace.openTextDocument(file);
    assert.equal(playground.getText(), TEXT.replace('old', 'new'));
  });

  it('stays unsaved and leaves the playground unchanged while it is invalid JSON', async () => {
    const document = await vscode.workspace.openTextDocument(tool);
    const playground = await vscode.workspace.openTextDocument(file);
    const before = playground.getText();
    await type(document, '"new"', 'new');
    const wasSaved = await Promise.resolve(document.save()).catch(() => false);
    assert.equal(wasSaved, false);
    assert.equal(document.isDirty, true);
    assert.equal(playground.getText(), before);
    await type(document, 'new', '"new"');
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(tool, new TextEncoder().encode('{\n  new\n}'))),
      /Line 2: The text is not JSON/,
    );
    assert.ok(await document.save());
  });

  it('is updated when the playground changes', async () => {
    const document = await vscode.workspace.openTextDocument(tool);
    const playground = await vscode.workspace.openTextDocument(file);
    await type(playground, '"new"', '"from elsewhere"');
    await until('the file was not updated', () => document.getText().includes('from elsewhere'));
  });

  it('exists only under the name of a tool of an open playground, and cannot be deleted', async () => {
    for (const path of ['/package.json', tool.path.replace('get_weather', 'other')]) {
      const stat = Promise.resolve(vscode.workspace.fs.stat(tool.with({ path })));
      await assert.rejects(stat, (error: vscode.FileSystemError) => error.code === 'FileNotFound');
    }
    const elsewhere = tool.with({ path: tool.path.replace(/[\da-f]{16}/, '0'.repeat(16)) });
    const stat = Promise.resolve(vscode.workspace.fs.stat(elsewhere));
    await assert.rejects(stat, (error: vscode.FileSystemError) => error.code === 'Unavailable');
    await assert.rejects(Promise.resolve(vscode.workspace.fs.delete(tool)));
  });
});
