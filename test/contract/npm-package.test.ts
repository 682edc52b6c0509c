// The npm package as a user gets it: packed, installed from the tarball into an empty folder, and used from there. Nothing is
// fetched: the one dependency is packed from what is installed here.
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packNpmPackage } from '../support/build/npm-package.mjs';
import { sendJson, startServer } from '../support/servers/http-server';
import { toPackageNames } from '../support/texts/package-names';

const folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
const user = join(folder, 'user');
const installed = join(user, 'node_modules', 'provider-playground');
let tarball: string;

/** @returns what it printed; rejects with that when it fails */
async function run(command: string, args: readonly string[], cwd = user): Promise<string> {
  const shell = process.platform === 'win32' && command !== process.execPath;
  try {
    return (await promisify(execFile)(command, args, { cwd, shell, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${basename(command)} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
const runNode = (...args: readonly string[]): Promise<string> => run(process.execPath, args);

beforeAll(async () => {
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
  const undici = run('npm', ['pack', resolve('node_modules/undici'), '--silent', '--ignore-scripts'], folder);
  tarball = await packNpmPackage(folder);
  const files = [tarball, join(folder, (await undici).trim())];
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...files]);
  symlinkSync(resolve('node_modules/@types'), join(user, 'node_modules', '@types'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  test('has nothing to complain about for publint', async () => {
    const output = await runNode(resolve('node_modules/publint/src/cli.js'), tarball, '--strict');
    expect(output).toContain('All good!');
  });

  test('has types that every way of resolving an ES module finds and agrees with', async () => {
    const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
    const output = await runNode(attw, tarball, '--profile', 'esm-only', '--format', 'json');
    // It ends with 1 for a problem of the profile; of the others, the output has those that concern CommonJS.
    const { analysis } = JSON.parse(output) as { analysis: { entrypoints: Record<string, unknown> } };
    expect(Object.keys(analysis.entrypoints)).toEqual(['.', './rescue', './inspect', './package.json']);
  });

  test('has the version and licence of the extension, its own README, and no notice of what it lacks', () => {
    const read = (file: string): string => readFileSync(join(installed, file), 'utf8');
    const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
    expect(JSON.parse(read('package.json'))).toMatchObject({ version, license, sideEffects: false });
    expect(read('LICENSE')).toBe(readFileSync('LICENSE', 'utf8'));
    expect(read('README.md')).toContain('npm install ./provider-playground.tgz');
    for (const name of ['docs/terminal.md', 'ci/gitlab.yml'])
      expect(read(name)).toBe(readFileSync(join('media', name), 'utf8'));
    expect(read('README.md')).not.toMatch(/\]\((?![#h])/); // a relative link leads nowhere on npm
    expect(read('THIRD-PARTY-NOTICES')).toContain('jsonc-parser (MIT)');
    expect(read('THIRD-PARTY-NOTICES')).not.toMatch(/undici|lit-html|codicons/);
  });
});

describe('installed, it', () => {
  test('talks to a server, rescues, and judges from JavaScript', async () => {
    await using server = await startServer((_, response) =>
      sendJson(response, 200, {
        choices: [
          { message: { content: '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}' } },
        ],
      }),
    );
    const script = `
      import { HostedApiProvider, RescueScanner } from 'provider-playground';
      import * as rescue from 'provider-playground/rescue';
      import { judgeTurn } from 'provider-playground/inspect';
      const tools = [{ name: 'get_weather', parameters: { type: 'object' } }];
      const provider = new HostedApiProvider({ apiKey: '', auth: 'none', host: ${JSON.stringify(server.url)} });
      const turn = await provider.chat({ tools, messages: [{ role: 'user', content: 'Weather in Oslo?' }] });
      const { kind } = judgeTurn(turn, { toolNames: ['get_weather'], callsBefore: { count: 0, rescued: 0 } });
      const { calls } = rescue.rescueToolCalls(turn.raw.content, tools);
      console.log(JSON.stringify([kind, calls[0].arguments, rescue.RescueScanner === RescueScanner]));
    `;
    writeFileSync(join(user, 'script.js'), script);
    expect(JSON.parse(await runNode('script.js'))).toEqual(['rescued', { city: 'Oslo' }, true]);
  });

  test('evaluates an example that it brings along, as a command', async () => {
    const example = 'node_modules/provider-playground/examples/reliability.playground.json';
    const choice = ['--lane', 'a', '--row', 'oslo,rome', '--repeat', '1'];
    const output = await run('npx', ['--no-install', 'provider-playground', 'eval', example, ...choice]);
    expect(output).toMatch(/2 samples: 2 passed[^]*a: native-call +2 of 2[^]*Gates met/);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('compiles the examples of its README, with module %s and resolution %s', async (module, resolution) => {
    const names = readdirSync('test/examples').filter((name) => name.endsWith('.ts'));
    for (const name of names)
      writeFileSync(join(user, name), toPackageNames(readFileSync(`test/examples/${name}`, 'utf8')));
    const target = ['--target', 'es2023', '--module', module, '--moduleResolution', resolution];
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', 'node'];
    await runNode(resolve('node_modules/typescript/bin/tsc'), ...target, ...strict, ...names);
    expect(names.length).toBeGreaterThan(5);
  });

  test('has types of rescue that need neither Node nor a browser', async () => {
    writeFileSync(
      join(user, 'page.ts'),
      `import { RescueScanner, parser } from 'provider-playground/rescue';
      export const text: string = new RescueScanner([]).feed('Hello');
      // @ts-expect-error there is no such helper
      parser.xml('');`,
    );
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022', '--types', ''];
    await runNode(resolve('node_modules/typescript/bin/tsc'), ...flags, 'page.ts');
  });
});

describe('a bundler', () => {
  /** Size in KiB of a program that uses one export, without what only a request loads. */
  async function sizeOf(name: string, from: string, platform: 'browser' | 'node'): Promise<number> {
    const { outputFiles } = await build({
      stdin: { contents: `import { ${name} } from '${from}'; console.log(${name});`, resolveDir: user },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform, // for a browser, Node modules do not resolve
      splitting: true,
      outdir: folder,
    });
    const loaded = outputFiles.filter(({ path }) => !path.includes('dispatcher'));
    return loaded.reduce((sum, { contents }) => sum + contents.length, 0) / 1024;
  }

  test.each([
    ['HttpError', 'provider-playground', 'node', 5],
    ['checkBudget', 'provider-playground', 'node', 20],
    ['nearestTools', 'provider-playground/rescue', 'browser', 10],
    ['rescueToolCalls', 'provider-playground/rescue', 'browser', 400],
    ['cosineSimilarity', 'provider-playground/inspect', 'browser', 10],
    ['judgeSample', 'provider-playground/inspect', 'browser', 60],
  ] as const)('that needs only %s of %s, for a %s, takes little else', async (name, from, platform, most) => {
    expect(await sizeOf(name, from, platform)).toBeLessThan(most);
  });
});
