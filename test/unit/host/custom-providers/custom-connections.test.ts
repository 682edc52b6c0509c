// Real files and real modules; the person's answers are the test's.
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderModule, ProviderRegistration } from '../../../../src/host/custom-providers/api';
import { EchoProvider } from '../../../support/custom-providers';
import type { ModuleFolder } from '../../../support/custom-modules';
import { acmeModule, openModuleFolder } from '../../../support/custom-modules';

const HOST = 'http://127.0.0.1:9';
let modules: ModuleFolder;

const list = (registrations: ProviderRegistration[] = []) => modules.connections.read(registrations);
/** Until the questions are answered. */
async function settled(): Promise<Awaited<ReturnType<typeof list>>> {
  await list();
  await expect.poll(async () => (await list())[0]?.problem ?? '').not.toContain('until you have answered');
  return list();
}
const labels = async (): Promise<string[]> => (await settled()).map(({ label }) => label);
const problem = async (): Promise<string> => (await settled())[0]?.problem ?? 'none';

beforeEach(async () => {
  modules = await openModuleFolder({ loadLimitMs: 300, patienceMs: 100 });
});
afterEach(() => modules[Symbol.asyncDispose]());

describe('a module', () => {
  test('runs only after a question that names its full path and its hash', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    modules.answer = () => new Promise((resolve) => (answer = resolve));
    const path = await modules.write('acme.mjs', `globalThis.acmeRan = true; ${acmeModule(HOST)}`);
    const [waiting] = await list();
    expect(waiting).toMatchObject({ label: 'acme.mjs', scope: 'module' });
    expect(waiting?.problem).toContain(`${path}: It is not run until you have answered`);
    await list();
    expect(modules.questions).toEqual([
      { path, sha256: expect.stringMatching(/^[\da-f]{64}$/), hasChanged: false },
    ]);
    expect(globalThis).not.toHaveProperty('acmeRan');
    answer(true);
    expect(await labels()).toEqual(['Acme']);
    expect(modules.changes()).toBeGreaterThan(0);
    expect(Reflect.deleteProperty(globalThis, 'acmeRan')).toBe(true);
  });

  test('of the README becomes a connection that asks for a key', async () => {
    await modules.write('acme.mjs', await readFile('test/examples/acme-module.mjs', 'utf8'));
    const [acme] = await settled();
    expect(acme).toMatchObject({ label: 'Acme', provided: { view: { model: 'acme-1', needsKey: true } } });
    expect(acme?.problem).toBeUndefined();
  });

  test('that was allowed runs without a question, and not again for the next list', async () => {
    await modules.write('acme.mjs', acmeModule(HOST));
    const [first] = await settled();
    expect((await list())[0]).toBe(first);
    const [again] = await modules.connections.startAfresh().then(() => list());
    expect(again).toMatchObject({ id: first?.id });
    expect(again).not.toBe(first);
    expect(modules.questions).toHaveLength(1);
  });

  test('that was declined is said to be, and is asked about again only on request', async () => {
    modules.answer = () => Promise.resolve(false);
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    expect(await problem()).toBe(
      `${path}: It was not run, because you declined it. To be asked again, run “Provider Playground: Load Custom Providers”.`,
    );
    await list();
    expect(modules.questions).toHaveLength(1);
    modules.answer = () => Promise.resolve(true);
    await modules.connections.startAfresh();
    expect(await labels()).toEqual(['Acme']);
    expect(modules.questions).toHaveLength(2);
  });

  test('that has changed is asked about again, and then runs anew', async () => {
    await modules.write('acme.mjs', acmeModule(HOST));
    await settled();
    await modules.write('acme.mjs', acmeModule(HOST).replace('AcmeProvider', 'OtherProvider'));
    expect(await labels()).toEqual(['Other']);
    expect(modules.questions.map(({ hasChanged }) => hasChanged)).toEqual([false, true]);
  });

  test('that changes while the question stands does not run unasked', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    modules.answer = async ({ sha256 }) => {
      if (modules.questions.length === 1) await modules.write('acme.mjs', 'globalThis.sneaked = true');
      return sha256 === modules.questions[0]?.sha256;
    };
    expect(await problem()).toContain('you declined it');
    expect(modules.questions).toHaveLength(2);
    expect(modules.decisions.get(path)).toMatchObject({ isAllowed: false });
    expect(globalThis).not.toHaveProperty('sneaked');
  });

  test('that was only looked at is not run, and asked about again on request', async () => {
    modules.answer = () => Promise.resolve(undefined);
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await problem()).toContain('It is not run until you allow it.');
    expect([modules.questions.length, modules.decisions.size]).toEqual([1, 0]);
    await modules.connections.startAfresh();
    await list();
    expect(modules.questions).toHaveLength(2);
  });

  test('is not run when nobody can be asked', async () => {
    modules.answer = () => Promise.reject(new Error('no dialogs here'));
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await problem()).toContain('you could not be asked');
    expect(modules.decisions.size).toBe(0);
  });

  test.each([
    ['syntax.mjs', 'export default {', 'It cannot be read: '],
    ['number.mjs', 'export default 5', 'Its default export is a number, but it has to be a function'],
    ['nothing.cjs', '', 'Its default export is an object, but it has to be a function'],
    ['class.mjs', 'export default class {}', 'Its default export is a class, but it has to be a function'],
    [
      'throws.mjs',
      'export default () => { throw new TypeError("boom") }',
      'Its function threw TypeError: boom.',
    ],
    [
      'rejects.mjs',
      'export default async () => { throw 5 }',
      'Its function threw a number instead of an error.',
    ],
    ['empty.mjs', 'export default () => []', 'Its function returned no provider class.'],
    ['hangs.mjs', 'export default () => new Promise(() => {})', 'It did not finish within 0.3 s.'],
    ['other.mjs', 'export default () => class Other {}', 'Other is no class that extends Providers'],
    [
      'builds.mjs',
      'export default ({ Providers }) => class Bad extends Providers { constructor() { super(); throw new Error("no luck") } }',
      'the constructor of Bad threw Error: no luck.',
    ],
  ])('%s is an entry with the reason, and harms no other one', async (name, text, words) => {
    await modules.write(name, text);
    await modules.write('good.mjs', acmeModule(HOST));
    await expect
      .poll(async () => {
        const [bad, good] = await list();
        return `${good?.label} ${bad?.problem ?? bad?.provided?.problem}`;
      })
      .toContain(words);
    expect((await list())[0]?.scope).toBe('module');
  });

  test('that is gone says so, and works again when it is back', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    await settled();
    await rm(path);
    expect(await problem()).toContain('There is no such file');
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await labels()).toEqual(['Acme']);
    expect(modules.questions).toHaveLength(1);
  });

  test('that is slow is shown when it is there; the list does not wait for it', async () => {
    const slow = acmeModule(HOST).replace(
      'export default',
      'await new Promise((done) => setTimeout(done, 180)); export default',
    );
    await modules.write('slow.mjs', slow);
    await list();
    await expect.poll(async () => (await list())[0]?.problem).toContain('It is still being loaded.');
    const before = modules.changes();
    await expect.poll(async () => (await list())[0]?.label).toBe('Acme');
    expect(modules.changes()).toBeGreaterThan(before);
  });

  test('is watched as long as it is named', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    await settled();
    expect([...modules.watched]).toEqual([path]);
    modules.named = [];
    expect(await list()).toEqual([]);
    expect(modules.watched.size).toBe(0);
  });
});

describe('a registration of another extension', () => {
  const register = (providers: ProviderModule): ProviderRegistration => ({
    extensionId: 'acme.models',
    providers,
  });

  test('needs no question, and is gone when it is not handed in any more', async () => {
    const registration = register(() => ({ echo: EchoProvider as never }));
    const [connection] = await list([registration]);
    expect(connection).toMatchObject({ label: 'Echo', scope: 'extension', setting: { provider: 'custom' } });
    expect(connection?.id).toMatch(/^extension:[\da-f]{16}:echo$/);
    expect(modules.questions).toEqual([]);
    expect(await list([])).toEqual([]);
  });

  test('is called once, with the library', async () => {
    const seen: unknown[] = [];
    const registration = register((library) => {
      seen.push(library.Providers);
      return class Own extends library.LocalHostProvider {};
    });
    await list([registration]);
    await list([registration]);
    expect(seen).toHaveLength(1);
  });

  test('has keys of its own name space, and ids that differ from those of a second one', async () => {
    const keyed = (): never =>
      Object.assign(class Keyed extends EchoProvider {}, { playground: { needsKey: true } }) as never;
    const [first, second] = await list([register(keyed), register(keyed)]);
    expect(first?.provided?.key).toMatchObject({ id: 'extension:acme.models#Keyed', binding: 'extension' });
    expect(second?.id).toBe(`${first?.id}:2`);
  });

  test('that fails is an entry with the reason', async () => {
    const [connection] = await list([register(() => 5 as never)]);
    expect(connection?.problem).toBe(
      'acme.models: Its function returned a number instead of a provider class, a list or an object of them. Tell the author of the extension.',
    );
  });
});
