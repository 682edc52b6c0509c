// Custom providers in a real extension host: what `activate()` returns, and modules that run from memory with this
// host's module loader.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from './until';
import type {
  Library,
  ProviderModule,
  ProviderPlaygroundApi,
} from '../../src/connections/custom-providers/api';
import type * as chunkModule from '../../src/host/custom-providers/custom-providers-chunk';

const ID = 'provider-playground.provider-playground';

function findExtension(): vscode.Extension<ProviderPlaygroundApi> {
  const extension = vscode.extensions.getExtension<ProviderPlaygroundApi>(ID);
  assert.ok(extension, 'the extension is not installed');
  return extension;
}

/** A provider as the author of another extension would write it. */
const echo =
  (url: string): ProviderModule =>
  ({ Providers }: Library) =>
    class EchoProvider extends Providers {
      protected async chatInternal(_: unknown, messages: { content: string }[]) {
        const { response, attempts } = await this.request(url, { body: JSON.stringify(messages) });
        return { content: await response.text(), toolCalls: [], usage: {}, attempts };
      }
    };

describe('the exports of the extension', () => {
  it('contain a version and the working library', async () => {
    const api = await findExtension().activate();
    assert.equal(api.version, 1);
    const server = createServer((request, response) => void request.pipe(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const library = await api.library();
    const made = await echo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)(library);
    const Echo = made as new () => InstanceType<Library['Providers']>;
    const { raw } = await new Echo().chat({ messages: [{ role: 'user', content: 'ping' }] });
    assert.equal(raw.content, '[{"role":"user","content":"ping"}]');
    assert.equal(await api.library(), library);
    await library.closeConnections();
    server.close();
  });

  it('accept providers, which are evaluated only when a list of them is needed', async () => {
    const api = await findExtension().activate();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { Providers } = await api.library();
    const seen: boolean[] = [];
    const registration = api.registerProvider({
      extensionId: ID,
      providers: (library) => {
        seen.push(library.Providers === Providers);
        return echo('http://127.0.0.1:9')(library);
      },
    });
    assert.deepEqual(seen, []);
    await vscode.commands.executeCommand('providerPlayground.openPlayground');
    await until('the panel did not list the providers', () => seen.length > 0);
    assert.deepEqual(seen, [true]);
    registration.dispose();
    registration.dispose();
  });

  it('refuse an invalid registration', async () => {
    const api = await findExtension().activate();
    const providers = echo('http://127.0.0.1:9');
    assert.throws(() => api.registerProvider({ extensionId: 'nobody.nothing', providers }), TypeError);
    assert.throws(() => api.registerProvider({ extensionId: ID, providers: 5 as never }), TypeError);
  });
});

describe('a module of custom providers', () => {
  const load = (path: string, text: string): Promise<unknown> => {
    const chunk = join(findExtension().extensionPath, 'dist', 'custom-providers.js');
    const { evaluateModule } = require(chunk) as typeof chunkModule;
    return evaluateModule({ path, bytes: Buffer.from(text) });
  };

  it('runs from memory as ESM or CommonJS, and is evaluated anew each time', async () => {
    const text = 'import { sep } from "node:path"; export default { sep };';
    const first = await load('/nowhere/a.mjs', text);
    assert.deepEqual(Object.keys(first as object), ['sep']);
    assert.notEqual(await load('/nowhere/a.mjs', text), first);
    assert.equal(await load('/nowhere/a.js', 'module.exports = require("node:path").sep.length'), 1);
  });

  it('can import neither vscode nor another file', async () => {
    await assert.rejects(load('/nowhere/a.cjs', 'require("vscode")'), /It loads “vscode”/);
    await assert.rejects(load('/nowhere/a.mjs', 'import "./b.mjs"'), /It loads “\.\/b\.mjs”/);
  });

  it('appears in a stack trace with its path instead of its bytes', async () => {
    const stack = String(await load('/nowhere/deep/a.mjs', '\nexport default new Error("x").stack;'));
    assert.match(stack, /nowhere\/deep\/a\.mjs:2/);
    assert.doesNotMatch(stack, /data:/);
  });
});
