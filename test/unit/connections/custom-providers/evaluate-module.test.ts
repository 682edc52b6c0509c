import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { evaluateModule } from '../../../../src/connections/custom-providers/evaluate-module';

const run = (name: string, text: string | Uint8Array): Promise<unknown> =>
  evaluateModule({ path: `/some where/${name}`, bytes: Buffer.from(text) });
const problem = (name: string, text: string | Uint8Array): Promise<string> =>
  run(name, text).then(
    () => 'it ran',
    (error: Error) => error.message,
  );

describe('evaluateModule', () => {
  test.each([
    ['esm.mjs', 'export default 7'],
    ['esm.js', 'import { sep } from "node:path"; const n = await 7; export default sep ? n : 0'],
    ['common.js', 'module.exports = 7'],
    ['common.cjs', '#!/usr/bin/env node\nexports.default = require("node:path").sep ? 7 : 0'],
    ['common.js', 'const { join } = require("path"); module.exports = join("a") === "a" ? 7 : 0'],
    ['mark.mjs', '\uFEFFexport default 7'],
  ])('evaluates %s: %s', async (name, text) => {
    expect(await run(name, text)).toBe(7);
  });

  test.each(['mjs', 'cjs'])('evaluates the same bytes of a .%s as a new module each time', async (kind) => {
    const text = kind === 'mjs' ? 'export default {}' : 'module.exports = {}';
    expect(await run(`new.${kind}`, text)).not.toBe(await run(`new.${kind}`, text));
  });

  test.each([
    ['a.mjs', 'import "./other.mjs"; export default 1', './other.mjs'],
    ['a.mjs', 'import "left-pad"; export default 1', 'left-pad'],
    ['a.mjs', 'await import("./later.js"); export default 1', './later.js'],
    ['a.mjs', 'import { word } from "file:///other.mjs"; export default word', 'file:///other.mjs'],
    ['a.mjs', 'export * from\n"file:///other.mjs"', 'file:///other.mjs'],
    ['a.js', 'import "FILE:///other.mjs"; export default 1', 'FILE:///other.mjs'],
    [
      'a.mjs',
      "import one, * as all from 'data:text/javascript,export default 1'",
      'data:text/javascript,export default 1',
    ],
    ['a.mjs', 'import x from "node:nothing"', 'node:nothing'],
    ['a.cjs', 'require("./other.cjs")', './other.cjs'],
    ['a.js', 'require("vscode")', 'vscode'],
  ])('refuses a module that loads another file: %s %s', async (name, text, other) => {
    expect(await problem(name, text)).toBe(
      `It loads “${other}”, but it has to be one file: bundle it. What Node has built in may be loaded.`,
    );
  });

  test('refuses every spelling of an import of a file, at once or later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'other-'));
    const other = join(folder, 'other.mjs');
    await writeFile(other, 'globalThis.otherRan = true; export const word = 1; export default 7;');
    const url = pathToFileURL(other).href;
    const late = url.slice('file:'.length);
    const spellings = [
      `export * from/**/"${url}"; export default 1`,
      `import word from/* a */'${url}'; export default word`,
      `import/**/"${url}"; export default 1`,
      `import{word}from"${url}"; export default word`,
      `import "\\u0066ile:${late}"; export default 1`,
      `import "\\x66ile:${late}"; export default 1`,
      `const mark = /"/; import "${url}"; export default mark`,
      `await import(/* a */ "${url}"); export default 1`,
      `await import("fi" + "le:${late}"); export default 1`,
      `await import([\`file\`, "${late}"].join(":")); export default 1`,
      `await eval("import('${url}')"); export default 1`,
      `await new Function("return import('${url}')")(); export default 1`,
    ];
    for (const text of spellings)
      expect([text, await problem('a.mjs', text)]).toEqual([
        text,
        expect.stringContaining('It loads “file:'),
      ]);
    const later = (await run('a.mjs', `export default () => import("${url}")`)) as () => Promise<unknown>;
    await expect(later()).rejects.toThrow('it has to be one file');
    expect(globalThis).not.toHaveProperty('otherRan');
    // Imports of other modules in the process are not affected.
    expect(await import(/* @vite-ignore */ url)).toMatchObject({ default: 7 });
    await rm(folder, { recursive: true });
  });

  test.each([
    'export default 7 // import "file:///other.mjs"',
    '/* import("file:///other.mjs") */ export default 7',
    'const text = "import \'file:///a.mjs\'"; export default text ? 7 : 0',
    'const text = `import "file:///a.mjs"`; export default text ? 7 : 0',
    'export default Array.from("file:///").length === 8 ? 7 : 0',
    'const tool = { import: () => 7 }; export default tool.import("file:///a.mjs")',
    'import { sep } from "path"; import("node:fs"); export default sep ? 7 : 0',
  ])('runs text that only looks like an import: %s', async (text) => {
    expect(await run('a.mjs', text)).toBe(7);
  });

  test.each([
    ['a.mjs', 'const one = 1;\nconst two = ;\nexport default 1', "Unexpected token ';' in line 2."],
    ['a.js', 'const one = 1;\nconst two = ;', "Unexpected token ';' in line 2."],
    ['a.cjs', 'export default 1', "Unexpected token 'export' in line 1."],
    ['a.mjs', 'export default 1;\nconst two = ;', "Unexpected token ';'."],
  ])('reports a syntax error with its line if it is known: %s %j', async (name, text, words) => {
    expect(await problem(name, text)).toBe(`It cannot be read: ${words}`);
  });

  test.each([
    ['a.mjs', 'throw new TypeError("boom")', 'It threw TypeError: boom'],
    ['a.cjs', 'null.x', 'It threw TypeError: Cannot read properties of null'],
    ['a.mjs', 'throw "text"', 'It threw string instead of an error.'],
    ['a.mjs', new Uint8Array([0xc3, 0x28]), 'It is not UTF-8 text.'],
  ])('reports what the module throws: %s', async (name, text, words) => {
    expect(await problem(name, text)).toContain(words);
  });
});
