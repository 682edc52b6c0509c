// The shipped bundles in a real extension host, where VS Code patches the network and all extensions share
// globals.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type * as engineModule from '../../src/host/engine';

const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

const CHANNELS = [
  ...['beforeConnect', 'connected', 'connectError', 'sendHeaders'].map((name) => `undici:client:${name}`),
  ...['create', 'bodySent', 'bodyChunkSent', 'headers', 'bodyChunkReceived', 'trailers', 'error'].map(
    (name) => `undici:request:${name}`,
  ),
  'undici:proxy:connected',
];

/** Globals that all extensions of this host share, compared by identity. */
function sharedGlobals(): unknown[] {
  const symbols = Object.getOwnPropertySymbols(globalThis);
  return [...DISPATCHERS, ...symbols]
    .map((symbol) => [symbol, Reflect.get(globalThis, symbol)])
    .concat([
      ['fetch', globalThis.fetch],
      ['names', Object.getOwnPropertyNames(globalThis).toSorted().join()],
    ]);
}

describe('the network', () => {
  it('is used without changing a global and without the fetch of VS Code', async () => {
    const extension = vscode.extensions.getExtension('provider-playground.provider-playground');
    assert.ok(extension);
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ message: { content: 'pong' }, done: true })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const before = sharedGlobals();
    const engine = require(join(extension.extensionPath, 'dist', 'engine.js')) as typeof engineModule;
    const provider = engine.PROVIDER_CATALOG.find(({ id }) => id === 'local-host')?.create({
      host,
      model: 'm',
    });
    const turn = await provider?.chat({ messages: [{ role: 'user', content: 'ping' }] });
    assert.equal(turn?.raw.content, 'pong');
    assert.deepEqual(sharedGlobals(), before);
    await engine.closeConnections();
    server.close();
  });

  it('publishes no request on the diagnostics channels of the process, where other extensions could read it', async () => {
    const extension = vscode.extensions.getExtension('provider-playground.provider-playground');
    assert.ok(extension);
    const server = createServer((_, response) =>
      response.end('{"choices":[{"message":{"content":"pong"}}]}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const heard: unknown[] = [];
    const hear = (_: unknown, name: string | symbol): void => void heard.push(name);
    for (const name of CHANNELS) subscribe(name, hear);
    try {
      const engine = require(join(extension.extensionPath, 'dist', 'engine.js')) as typeof engineModule;
      const entry = engine.PROVIDER_CATALOG.find(({ id }) => id === 'hosted-api');
      const provider = entry?.create({ host, model: 'm', apiKey: 'canary-of-the-host-test' });
      const turn = await provider?.chat({ messages: [{ role: 'user', content: 'ping' }] });
      assert.equal(turn?.raw.content, 'pong');
      assert.deepEqual([...heard], []);
      // Proves that these are the right channels, because Node's fetch is undici, too.
      await fetch(host);
      assert.ok(heard.includes('undici:request:create'));
      await engine.closeConnections();
    } finally {
      for (const name of CHANNELS) unsubscribe(name, hear);
      server.closeAllConnections();
      server.close();
    }
  });
});
