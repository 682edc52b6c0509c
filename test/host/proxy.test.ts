// Proxies and certificates according to VS Code's own settings, which take effect only in a real extension host.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from './until';

const SETTING = 'providerPlayground';
const REPLY = JSON.stringify({ data: [{ id: 'm' }], choices: [{ message: { content: 'ready' } }] });
const { Global, Workspace } = vscode.ConfigurationTarget;

const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;
const configure = (section: string, name: string, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration(section).update(name, value, Global);

/** @returns the text of the connection's diagnosis. */
async function diagnose(id: string): Promise<string> {
  await vscode.commands.executeCommand('providerPlayground.diagnoseConnection', { kind: 'connection', id });
  const isIt = ({ uri }: vscode.TextDocument): boolean =>
    uri.scheme === 'providerplayground-diagnosis' && uri.path.startsWith(`/${id}/`);
  const read = (): string => vscode.workspace.textDocuments.find(isIt)?.getText() ?? '';
  await until(`the diagnosis of ${id} has no end:\n${read()}`, () => /\d failed, \d+ warning/.test(read()));
  return read();
}

/** @param tunnels Receives the target of each requested tunnel. */
function startProxy(port: number, tunnels: string[]): http.Server {
  const proxy = http.createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request, socket: net.Socket) => {
    tunnels.push(request.url ?? '');
    const target = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return proxy.listen(0, '127.0.0.1');
}

describe('the network settings of the editor', () => {
  const servers: http.Server[] = [];
  const tunnels: string[][] = [[], []];
  const answer: http.RequestListener = (_, response) =>
    void response.setHeader('content-type', 'application/json').end(REPLY);

  before(async () => {
    const extension = vscode.extensions.getExtension('provider-playground.provider-playground');
    await extension?.activate();
    const pem = (name: string): string =>
      readFileSync(join(extension?.extensionPath ?? '', 'test', 'fixtures', 'tls', `${name}.pem`), 'utf8');
    const plain = http.createServer(answer).listen(0, '127.0.0.1');
    const [known, stranger] = ['localhost', 'stranger'].map((name) =>
      https
        .createServer({ cert: pem(`${name}-cert`), key: pem(`${name}-key`) }, answer)
        .listen(0, '127.0.0.1'),
    ) as [https.Server, https.Server];
    servers.push(plain, known, stranger);
    await until('the servers do not listen', () => servers.every(({ listening }) => listening));
    servers.push(...tunnels.map((asked) => startProxy(portOf(plain), asked)));
    await until('the proxies do not listen', () => servers.every(({ listening }) => listening));
    const hosted = { provider: 'hosted-api', auth: 'none', model: 'm' };
    await configure(SETTING, 'connections', {
      far: { ...hosted, host: 'http://far.invalid/v1' },
      near: { ...hosted, host: `http://127.0.0.1:${portOf(plain)}/v1` },
      known: { ...hosted, host: `https://localhost:${portOf(known)}/v1` },
      stranger: { ...hosted, host: `https://localhost:${portOf(stranger)}/v1` },
    });
  });
  after(async () => {
    await configure('http', 'proxy', undefined);
    await configure(SETTING, 'connections', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('send requests through the proxy that they name, and apply a changed proxy to the next request', async () => {
    for (const [index, asked] of tunnels.entries()) {
      const address = `127.0.0.1:${portOf(servers[3 + index] as http.Server)}`;
      await configure('http', 'proxy', `http://${address}`);
      const report = await diagnose('far');
      assert.match(report, new RegExp(`- ok — Proxy: \`${address}\`, from the setting http.proxy.`));
      assert.match(report, /- ok — Chat: /);
      assert.ok(asked.length > 1, 'no tunnel was requested from the proxy');
      assert.deepEqual([...new Set(asked)], ['far.invalid:80']);
    }
    const first = tunnels[0]?.length;
    await diagnose('far');
    assert.equal(tunnels[0]?.length, first, 'the previous proxy is still used');
  });

  it('are not applied to servers on this machine, which are reached without the proxy', async () => {
    const before = tunnels.flat().length;
    assert.match(
      await diagnose('near'),
      /- ok — Proxy: None: the server runs on the machine[^]*- ok — Chat: /,
    );
    assert.equal(tunnels.flat().length, before);
  });

  it('make certificates of the machine trusted; the diagnosis explains why any other is not trusted', async () => {
    const known = await diagnose('known');
    assert.match(known, /- ok — TLS: TLSv1\.3, trusted by \d+ certificates of this machine and of Node/);
    assert.match(known, /- ok — Chat: /);
    const stranger = await diagnose('stranger');
    assert.match(stranger, /\*\*failed\*\* — TLS: TLSv1\.3, not trusted: the certificate is self-signed/);
    assert.match(stranger, /Certificate: `stranger`, issued by `stranger`/);
  });

  it('cannot be set by a workspace, because its proxy would receive what is sent', async () => {
    await configure('http', 'proxy', undefined);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    const evil = { 'http.proxy': 'http://evil.invalid', 'http.proxyStrictSSL': false, 'http.noProxy': ['*'] };
    const text = JSON.stringify({ ...evil, [`${SETTING}.maxConcurrentRequests`]: 7 });
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    const read = (section: string, name: string): unknown =>
      vscode.workspace.getConfiguration(section).get(name);
    await until(
      'the settings of the workspace are not applied',
      () => read(SETTING, 'maxConcurrentRequests') === 7,
    );
    assert.deepEqual(
      ['proxy', 'proxyStrictSSL', 'noProxy'].map((name) => read('http', name)),
      ['', true, []],
    );
    await assert.rejects(
      Promise.resolve(
        vscode.workspace.getConfiguration('http').update('proxy', 'http://evil.invalid', Workspace),
      ),
    );
    await vscode.workspace.fs.delete(file);
    await until(
      'the settings of the workspace are still applied',
      () => read(SETTING, 'maxConcurrentRequests') === 4,
    );
  });
});
