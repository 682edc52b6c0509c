// Diagnoses in the extension host: a read-only document that is filled while its diagnosis runs.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from './until';

const SCHEME = 'providerplayground-diagnosis';
const TARGET = { kind: 'connection', id: 'diagnosed' };

const findDocument = (): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === SCHEME);
const readText = (): string => findDocument()?.getText() ?? '';
const diagnose = (): Thenable<unknown> =>
  vscode.commands.executeCommand('providerPlayground.diagnoseConnection', TARGET);
const configure = (value: unknown): Thenable<void> =>
  vscode.workspace
    .getConfiguration('providerPlayground')
    .update('connections', value, vscode.ConfigurationTarget.Global);

describe('a diagnosis', () => {
  /** Responses of chats that are held back until the test releases them. */
  const waiting: ServerResponse[] = [];
  let answersAtOnce = false;
  let version = '1.0';
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    // It speaks one protocol.
    if (!url.startsWith('/api/')) return void response.writeHead(404).end('{}');
    if (url === '/api/chat' && !answersAtOnce) return void waiting.push(response);
    const reply = { message: { content: 'ready' }, done: true, embeddings: [[1, 0]], version };
    response.end(JSON.stringify({ ...reply, models: [{ name: 'tiny' }] }));
  });

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const extension = vscode.extensions.getExtension('provider-playground.provider-playground');
    await extension?.activate();
    const chunk = join(extension?.extensionPath ?? '', 'dist', 'diagnose.js');
    assert.equal(
      Object.keys(require.cache).includes(chunk),
      false,
      'the chunk is loaded before the first diagnosis',
    );
    await configure({ diagnosed: { label: 'My: server', provider: 'local-host', host, model: 'tiny' } });
  });
  after(async () => {
    await configure(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    server.closeAllConnections();
    server.close();
  });

  it('fills its read-only document while it runs', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const done = diagnose();
    await until('the document does not show the running chat', () => readText().includes('_Chat: waiting'));
    assert.match(readText(), /^# Diagnosis of `My: server`\n\n\*\*Under way\.\*\*/);
    assert.match(readText(), /- ok — Kind: `ollama` `1\.0`\.\n/);
    const document = findDocument();
    assert.equal(document?.languageId, 'markdown');
    assert.match(document.uri.path, /\/My server diagnosis\.md$/);
    assert.equal(vscode.window.tabGroups.all.length, 1, 'the document is in a tab group of its own');
    assert.equal(vscode.workspace.fs.isWritableFileSystem(SCHEME), false);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(document.uri, new Uint8Array())));
    answersAtOnce = true;
    for (const response of waiting.splice(0)) response.end('{"message":{"content":"ready"},"done":true}');
    await done;
    await until('the document does not show the end', () => !readText().includes('**Under way.**'));
    assert.match(readText(), /- ok — Embedding: 2 numbers/);
    assert.match(readText(), /\*\*0 failed, \d warnings?, \d+ ok\.\*\*/);
    assert.match(readText(), /Provider Playground \d+\.\d+\.\d+, VS Code 1\.\d+/);
  });

  it('replaces and aborts a running diagnosis of the same connection when it is started again', async () => {
    answersAtOnce = false;
    const first = diagnose();
    await until('the first diagnosis sends no chat', () => waiting.length === 1);
    let isClosed = false;
    waiting[0]?.on('close', () => (isClosed = true));
    answersAtOnce = true;
    await diagnose();
    await first;
    await until('the request of the first diagnosis is still open', () => isClosed);
    await until('the document does not show the second diagnosis', () =>
      readText().includes('- ok — Embedding'),
    );
    assert.equal(vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME).length, 1);
  });

  it('opens as a whole when it takes a moment, although the editor still has the text of an earlier one', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    version = '2.0';
    const shown: string[] = [];
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      if (opened.length > 0) shown.push(readText());
    });
    await diagnose();
    listener.dispose();
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? '', /\*\*0 failed, \d warnings?, \d+ ok\.\*\*[^]*Kind: `ollama` `2\.0`/);
  });

  it('from another window is no longer available, and its document says what to do', async () => {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: '/other/Other diagnosis.md' });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(
      document.getText(),
      /^This diagnosis is no longer available\. Run _Provider Playground: Diagnose Connection_/,
    );
  });
});
