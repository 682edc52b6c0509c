// A connection from the class of a real module: how it is shown, its key, and a run.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeConnections } from '../../../../src/library';
import type { ModuleFolder } from '../../../support/connections/custom-modules';
import { acmeModule, openModuleFolder } from '../../../support/connections/custom-modules';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { HELLO } from '../../../support/connections/probe-provider';

const HOST = 'http://127.0.0.1:9';
let modules: ModuleFolder;

const list = () => modules.connections.read([]);
/** Waits until the questions are answered. */
async function settled(): Promise<Awaited<ReturnType<typeof list>>> {
  await list();
  await expect.poll(async () => (await list())[0]?.problem ?? '').not.toContain('until you have answered');
  return list();
}

beforeEach(async () => {
  modules = await openModuleFolder();
});
afterEach(() => modules[Symbol.asyncDispose]());
afterAll(closeConnections);

describe('toProvidedConnection', () => {
  const make = async (request: { model?: string; apiKey?: string } = {}) => {
    const [connection] = await settled();
    const made = connection?.provided?.make({ model: undefined, rescueToolCalls: true, ...request });
    if (typeof made !== 'object') throw new Error(String(made));
    return made;
  };

  test('runs with the retries and the key that it is given', async () => {
    await using server = await startServer((_, response, count) =>
      sendJson(response, count === 1 ? 503 : 200, { text: 'from acme' }),
    );
    await modules.write(
      'acme.mjs',
      acmeModule(
        server.url,
        'static playground = { needsKey: true, credentials: { retry: { initialDelayMs: 1 }, sampling: { seed: 5 } } };',
      ),
    );
    const [connection] = await settled();
    const retries: number[] = [];
    const made = connection?.provided?.make({
      model: 'large',
      apiKey: 'canary-key-of-acme',
      rescueToolCalls: true,
      onRetry: ({ attempt }) => retries.push(attempt),
    });
    if (typeof made !== 'object') throw new Error(String(made));
    const turn = await made.chat({ messages: HELLO });
    expect(turn).toMatchObject({ raw: { content: 'from acme' }, attempts: 2 });
    expect(retries).toEqual([1]);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer canary-key-of-acme');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
      model: 'large',
      sampling: { seed: 5 },
    });
    expect(JSON.stringify(turn)).not.toContain('canary');
  });

  test.each(['() => { throw new Error("x"); }', 'async () => { throw new Error("x"); }'])(
    'reports a retry although the onRetry of the class is %s',
    async (onRetry) => {
      await using server = await startServer((_, response, count) =>
        sendJson(response, count === 1 ? 503 : 200, { text: 'from acme' }),
      );
      const retry = `{ initialDelayMs: 1, onRetry: ${onRetry} }`;
      await modules.write(
        'acme.mjs',
        acmeModule(server.url, `static playground = { credentials: { retry: ${retry} } };`),
      );
      const [connection] = await settled();
      const retries: number[] = [];
      const made = connection?.provided?.make({
        model: undefined,
        rescueToolCalls: true,
        onRetry: ({ attempt }) => retries.push(attempt),
      });
      if (typeof made !== 'object') throw new Error(String(made));
      expect(await made.chat({ messages: HELLO })).toMatchObject({ attempts: 2 });
      expect(retries).toEqual([1]);
    },
  );

  test('binds its key to path, class, hash and origin, so that a changed module does not get it', async () => {
    const path = await modules.write(
      'acme.mjs',
      acmeModule(HOST, 'static playground = { needsKey: true, host: "https://acme.example/v1" };'),
    );
    const [before] = await settled();
    expect(before?.provided?.key).toEqual({
      id: `module:${path}#AcmeProvider`,
      binding: `sha256:${modules.questions[0]?.sha256}:https://acme.example`,
      recipient: `https://acme.example (${path})`,
      origin: 'https://acme.example',
    });
    await modules.write('acme.mjs', `${acmeModule(HOST, 'static playground = { needsKey: true };')}//`);
    const [after] = await settled();
    expect(after?.provided?.key).toMatchObject({ id: before?.provided?.key?.id, recipient: path });
    expect(after?.provided?.key?.binding).not.toBe(before?.provided?.key?.binding);
  });

  test('shows the description of its class, and defaults where it has none', async () => {
    await modules.write('bare.mjs', acmeModule(HOST));
    await modules.write(
      'said.mjs',
      acmeModule(
        HOST,
        'static playground = { host: "https://acme.example/v1", model: "m", credentials: { retry: { maxAttempts: 5, timeoutMs: 9 } } };',
      ),
    );
    await settled();
    const [bare, said] = await settled();
    expect(bare?.provided?.view).toMatchObject({
      provider: 'AcmeProvider',
      address: 'an address that its code chooses',
      model: 'default',
      needsKey: false,
      limits: { maxAttempts: 3 },
    });
    expect(said?.provided?.view).toMatchObject({
      address: 'acme.example',
      model: 'm',
      limits: { maxAttempts: 5, timeoutMs: 9 },
    });
    expect(bare?.id).toBe('module:bare.mjs:AcmeProvider');
  });

  test('gets no model for the name “default”, and a proxy only when its address is known', async () => {
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await make({ model: 'default' })).toMatchObject({
      credentials: { network: { rejectUnauthorized: false }, rescueToolCalls: true },
    });
    expect(await make({ model: 'default' })).not.toHaveProperty('credentials.model');
    expect(await make()).not.toHaveProperty('credentials.network.proxy');
    await modules.write(
      'acme.mjs',
      acmeModule(HOST, 'static playground = { host: "https://acme.example" };'),
    );
    expect(await make()).toHaveProperty('credentials.network.proxy', 'http://proxy.example');
  });

  test('lists the models of its description, unless it can list them itself', async () => {
    await modules.write('acme.mjs', acmeModule(HOST, 'static playground = { models: ["a", "b"] };'));
    expect(await (await make()).listModels()).toEqual(['a', 'b']);
    await modules.write(
      'acme.mjs',
      acmeModule(
        HOST,
        'static playground = { models: ["a"] }; async listModelsInternal() { return ["own"]; }',
      ),
    );
    expect(await (await make()).listModels()).toEqual(['own']);
  });

  test('whose constructor refuses the key reports that without the key, and accepts another key', async () => {
    const rest = 'static playground = { needsKey: true };';
    const text = acmeModule(HOST, rest).replace(
      'super();',
      'super(); if (credentials.apiKey.startsWith("canary")) throw new Error("bad key " + credentials.apiKey);',
    );
    const path = await modules.write('acme.mjs', text);
    await expect(make({ apiKey: 'canary-0123456789' })).rejects.toThrow(
      `${path}: the constructor of AcmeProvider threw Error: bad key *****************.`,
    );
    expect((await list())[0]?.provided?.problem).toBeUndefined();
    expect(await make({ apiKey: 'good' })).toBeTypeOf('object');
  });

  test('whose constructor fails every second time soon reports no more changes', async () => {
    await modules.write(
      'acme.mjs',
      `let count = 0;
      export default ({ Providers }) => class Acme extends Providers {
        constructor() { super(); if (count++ % 2 === 0) throw new Error('not now'); }
      }`,
    );
    const [connection] = await settled();
    const before = modules.changes();
    const attempts = Array.from(
      { length: 100 },
      () => typeof connection?.provided?.make({ model: undefined, rescueToolCalls: true }),
    );
    expect(new Set(attempts)).toEqual(new Set(['string', 'object']));
    expect(modules.changes() - before).toBe(10);
  });

  test('whose constructor fails with a new message each time reports one change only, because each change leads to another attempt', async () => {
    const text = acmeModule(HOST).replace(
      'super();',
      'throw new Error("at " + (globalThis.acmeTime = (globalThis.acmeTime ?? 0) + 1));',
    );
    await modules.write('acme.mjs', text);
    const [connection] = await settled();
    const before = modules.changes();
    const asked = { model: undefined, rescueToolCalls: true };
    const problems = [connection?.provided?.make(asked), connection?.provided?.make(asked)];
    expect(new Set(problems).size).toBe(2);
    expect(connection?.provided?.problem).toBe(problems[1]);
    expect(modules.changes()).toBe(before);
  });

  test.each([
    '{ maxAttempts: 5n, timeoutMs: "1" }',
    'new (class { get maxAttempts() { throw new Error("boo"); } })()',
  ])('shows the default limits if its own are not numbers: %s', async (retry) => {
    await modules.write(
      'acme.mjs',
      acmeModule(HOST, `static playground = { needsKey: true, credentials: { retry: ${retry} } };`),
    );
    await expect.poll(async () => (await list())[0]?.label).toBe('Acme');
    const view = (await list())[0]?.provided?.view;
    expect(view?.limits).toEqual({ connectTimeoutMs: 10_000, maxAttempts: 3 });
    expect(JSON.stringify(view)).toContain('limits');
  });
});
