// Real files and real modules; the test gives the user's answers.
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModuleReference } from '../../../../src/connections/custom-providers/module-file';
import { readModule } from '../../../../src/connections/custom-providers/module-file';
import type { ModuleFolder } from '../../../support/connections/custom-modules';
import { acmeModule, openModuleFolder } from '../../../support/connections/custom-modules';

const HOST = 'http://127.0.0.1:9';
let modules: ModuleFolder;

const list = () => modules.connections.read([]);
/** Waits until the questions are answered. */
async function settled(): Promise<Awaited<ReturnType<typeof list>>> {
  await list();
  await expect.poll(async () => (await list())[0]?.problem ?? '').not.toContain('until you have answered');
  return list();
}
const labels = async (): Promise<string[]> => (await settled()).map(({ label }) => label);
const problem = async (): Promise<string> => (await settled())[0]?.problem ?? 'none';

beforeEach(async () => {
  modules = await openModuleFolder({ loadLimitMs: 60_000, patienceMs: 60_000 });
});
afterEach(() => modules[Symbol.asyncDispose]());

describe('a module', () => {
  test('runs only after a question that names its full path and hash', async () => {
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

  test('from the guide becomes a connection that needs a key', async () => {
    await modules.write('acme.mjs', await readFile('test/examples/acme-module.mjs', 'utf8'));
    const [acme] = await settled();
    expect(acme).toMatchObject({ label: 'Acme', provided: { view: { model: 'acme-1', needsKey: true } } });
    expect(acme?.problem).toBeUndefined();
  });

  test('that was allowed runs without another question, and only once for several lists', async () => {
    await modules.write('acme.mjs', acmeModule(HOST));
    const [first] = await settled();
    expect((await list())[0]).toBe(first);
    const [again] = await modules.connections.restart().then(() => list());
    expect(again).toMatchObject({ id: first?.id });
    expect(again).not.toBe(first);
    expect(modules.questions).toHaveLength(1);
  });

  test('that was declined says so, and the user is asked again only on request', async () => {
    modules.answer = () => Promise.resolve(false);
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    expect(await problem()).toBe(
      `${path}: It was not run, because you declined it. To be asked again, run “Provider Playground: Load Custom Providers”.`,
    );
    await list();
    expect(modules.questions).toHaveLength(1);
    modules.answer = () => Promise.resolve(true);
    await modules.connections.restart();
    expect(await labels()).toEqual(['Acme']);
    expect(modules.questions).toHaveLength(2);
  });

  test('that changed needs another question and then runs again', async () => {
    await modules.write('acme.mjs', acmeModule(HOST));
    await settled();
    await modules.write('acme.mjs', acmeModule(HOST).replace('AcmeProvider', 'OtherProvider'));
    expect(await labels()).toEqual(['Other']);
    expect(modules.questions.map(({ hasChanged }) => hasChanged)).toEqual([false, true]);
  });

  test('that changes while its question is open does not run without another one', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    modules.answer = async ({ sha256 }) => {
      if (modules.questions.length === 1) await modules.write('acme.mjs', 'globalThis.sneaked = true');
      return sha256 === modules.questions[0]?.sha256;
    };
    // A list that read the file before it changed shows the first version, which was allowed.
    await expect.poll(problem).toContain('you declined it');
    expect(new Set(modules.questions.map(({ sha256 }) => sha256)).size).toBe(2);
    expect(modules.decisions.get(path)).toMatchObject({ isAllowed: false });
    expect(globalThis).not.toHaveProperty('sneaked');
  });

  test('is asked about after the previous question is answered', async () => {
    const answers: ((isAllowed: boolean) => void)[] = [];
    modules.answer = () => new Promise((resolve) => answers.push(resolve));
    await modules.write('one.mjs', acmeModule(HOST));
    await modules.write('two.mjs', acmeModule(HOST).replace('AcmeProvider', 'OtherProvider'));
    await list();
    await list();
    expect(answers).toHaveLength(1);
    answers[0]?.(false);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.(true);
    await expect.poll(async () => (await list()).map(({ label }) => label)).toEqual(['one.mjs', 'Other']);
  });

  test('that changes while its question waits or is open is asked about in its latest version', async () => {
    const answers: ((isAllowed: boolean) => void)[] = [];
    modules.answer = () => new Promise((resolve) => answers.push(resolve));
    await modules.write('first.mjs', acmeModule(HOST));
    await list();
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    for (const version of [1, 2, 3]) {
      await modules.write('acme.mjs', `${acmeModule(HOST)}// ${version}`);
      await list();
    }
    answers[0]?.(true);
    // Only the latest version is still waiting.
    await expect.poll(() => answers.length).toBe(2);
    const { sha256 } = await readModule({
      written: path,
      scope: 'user',
      folder: modules.folder,
      folders: [modules.folder],
    });
    expect(modules.questions[1]).toMatchObject({ path, sha256 });
    await modules.write('acme.mjs', `${acmeModule(HOST)}// 4`);
    await list();
    // The answer was for an earlier version, so it has no effect.
    answers[1]?.(true);
    await expect.poll(() => answers.length).toBe(3);
    expect(modules.decisions.get(path)).toBeUndefined();
    answers[2]?.(true);
    await expect.poll(() => modules.decisions.get(path)?.isAllowed).toBe(true);
  });

  test('whose text was only viewed is not run, and the user is asked again on request', async () => {
    modules.answer = () => Promise.resolve(undefined);
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await problem()).toContain('It is not run until you allow it.');
    expect([modules.questions.length, modules.decisions.size]).toEqual([1, 0]);
    await modules.connections.restart();
    await list();
    expect(modules.questions).toHaveLength(2);
  });

  test('is not run if the user cannot be asked', async () => {
    modules.answer = () => Promise.reject(new Error('no dialogs here'));
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await problem()).toContain('the confirmation could not be shown');
    expect(modules.decisions.size).toBe(0);
  });

  test.each([
    ['syntax.mjs', 'export default {', 'It cannot be read: '],
    ['number.mjs', 'export default 5', 'Its default export is a number, but it must be a function'],
    ['nothing.cjs', '', 'Its default export is an object, but it must be a function'],
    ['class.mjs', 'export default class {}', 'Its default export is a class, but it must be a function'],
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
    ['other.mjs', 'export default () => class Other {}', 'Other is not a class that extends Providers'],
    [
      'builds.mjs',
      'export default ({ Providers }) => class Bad extends Providers { constructor() { super(); throw new Error("no luck") } }',
      'the constructor of Bad threw Error: no luck.',
    ],
  ])('%s becomes an entry with the reason and does not affect others', async (name, text, words) => {
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

  test('that is missing says so, and works again when it is back', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    await settled();
    await rm(path);
    expect(await problem()).toContain('There is no such file');
    await modules.write('acme.mjs', acmeModule(HOST));
    expect(await labels()).toEqual(['Acme']);
    expect(modules.questions).toHaveLength(1);
  });

  test('that never finishes becomes an entry that says so', async () => {
    await modules[Symbol.asyncDispose]();
    modules = await openModuleFolder({ loadLimitMs: 20, patienceMs: 60_000 });
    await modules.write('hangs.mjs', 'export default () => new Promise(() => {})');
    expect(await problem()).toContain('It did not finish within 0.02 s.');
  });

  test('that is slow appears when it is loaded; the list does not wait for it', async () => {
    await modules[Symbol.asyncDispose]();
    modules = await openModuleFolder({ loadLimitMs: 60_000, patienceMs: 1 });
    const slow = acmeModule(HOST).replace(
      'export default',
      'await new Promise((done) => (globalThis.letGo = done)); export default',
    );
    await modules.write('slow.mjs', slow);
    await list();
    await expect.poll(() => list().then(() => Reflect.has(globalThis, 'letGo'))).toBe(true);
    expect((await list())[0]?.problem).toContain('It is still being loaded.');
    const before = modules.changes();
    Reflect.apply(Reflect.get(globalThis, 'letGo') as () => void, undefined, []);
    Reflect.deleteProperty(globalThis, 'letGo');
    await expect.poll(async () => (await list())[0]?.label).toBe('Acme');
    expect(modules.changes()).toBeGreaterThan(before);
  });

  test('that cannot be read in time says so and does not delay others', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    await modules.write('hangs.mjs', acmeModule(HOST));
    const place = { folder: modules.folder, folders: [modules.folder] };
    // Read before: a busy machine may need longer than the limit.
    const acmeFile = await readModule({ written: path, scope: 'user', ...place });
    let hangs = 0;
    const options = {
      patienceMs: 60_000,
      readLimitMs: 50,
      readModule: (module: ModuleReference) => {
        if (module.written !== 'hangs.mjs') return Promise.resolve(acmeFile);
        hangs += 1;
        return new Promise<never>(() => undefined);
      },
    };
    const slow = await openModuleFolder(options);
    slow.named = ['hangs.mjs', 'acme.mjs'];
    slow.decisions.set(path, { isAllowed: true, sha256: acmeFile.sha256 });
    const [hanging, acme] = await slow.connections.read([]);
    expect(hanging?.problem).toContain('hangs.mjs: It did not finish within 0.05 s.');
    expect(acme).toMatchObject({ label: 'Acme' });
    await slow.connections.read([]);
    expect(hangs).toBe(1);
    await slow[Symbol.asyncDispose]();
  });

  test('is named with all characters visible', async () => {
    await modules.write('a\n\u202esjm.mjs', 'export default 5');
    expect(await problem()).toContain('a\\u{a}\\u{202e}sjm.mjs: Its default export is a number');
  });

  test('that throws an unreadable value becomes an entry, too', async () => {
    const text = 'throw Object.defineProperty(new Error(), "message", { get() { throw new Error("boo"); } })';
    await modules.write('acme.mjs', `export default () => { ${text}; }`);
    expect(await problem()).toContain('Its function threw an error without a readable message.');
  });

  test('is watched as long as the settings name it', async () => {
    const path = await modules.write('acme.mjs', acmeModule(HOST));
    await settled();
    expect([...modules.watched]).toEqual([path]);
    modules.named = [];
    expect(await list()).toEqual([]);
    expect(modules.watched.size).toBe(0);
  });
});
