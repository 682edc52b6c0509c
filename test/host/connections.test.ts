// The connections view in the extension host: its code is not loaded before it is shown, and its actions reach the
// editor's settings and clipboard.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { until } from './until';

const SETTING = 'providerPlayground';

function findExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('provider-playground.provider-playground');
  assert.ok(extension, 'the extension is not installed');
  return extension;
}

const readOwn = (): unknown => vscode.workspace.getConfiguration(SETTING).inspect('connections')?.globalValue;
const writeOwn = (value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration(SETTING).update('connections', value, vscode.ConfigurationTarget.Global);

describe('the connections view', () => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const document = url === '/api/tags' ? { models: [{ name: 'tiny' }] } : { version: '1.0' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  let host: string;

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await findExtension().activate();
    await writeOwn({ mine: { provider: 'local-host', host, model: 'tiny' } });
  });
  after(async () => {
    await writeOwn(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    server.close();
  });

  it('is not loaded and sends no request before it is shown', () => {
    const chunk = join(findExtension().extensionPath, 'dist', 'connections.js');
    assert.equal(Object.keys(require.cache).includes(chunk), false);
    assert.deepEqual(asked, []);
  });

  it('sends a request to each server once it is shown', async () => {
    await vscode.commands.executeCommand('providerPlayground.connectionsView.focus');
    await until('the server received no request', () => asked.includes('/api/tags'));
    await vscode.commands.executeCommand('workbench.view.explorer');
  });

  it('copies a connection as code', async () => {
    await vscode.commands.executeCommand('providerPlayground.copyConnectionCode', {
      kind: 'connection',
      id: 'mine',
    });
    const code = await vscode.env.clipboard.readText();
    assert.ok(code.includes(`host: '${host}',`), code);
  });

  it('duplicates a connection in the settings and selects the copy there', async () => {
    await vscode.commands.executeCommand('providerPlayground.duplicateConnection', {
      kind: 'connection',
      id: 'mine',
    });
    assert.deepEqual(Object.keys(readOwn() as object), ['mine', 'mine-2']);
    const editor = vscode.window.activeTextEditor;
    assert.match(editor?.document.uri.path ?? '', /settings\.json$/);
    assert.match(editor?.document.getText(editor.selection) ?? '', /^"mine-2": \{/);
  });

  it('opens a connection in a playground', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('providerPlayground.openConnection', {
      kind: 'connection',
      id: 'mine',
    });
    const isPlayground = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputWebview;
    await until('no playground was opened', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(isPlayground),
    );
  });
});
