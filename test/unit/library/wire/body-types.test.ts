// The compiler compares our bodies with the vendors' types; these tests ensure that their packages are used for types only.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../../../support/texts/source-files';

const VENDORS = ['ollama', 'openai'];
const SPECIFIER = /(?:\bfrom|\bimport|\brequire|\bresolve)\s*\(?\s*(['"`])(ollama|openai)(?:\/[^'"`]*)?\1/g;

const files = ['src', 'webview', 'test']
  .flatMap((folder) => filesUnder(folder, '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'))
  .concat('esbuild.mjs');
/** Whether an import is inside a string: code to be copied by users is one. */
const isInText = (statement: string): boolean => /['"`]import\b[^'"`\n]*$/.test(statement);
const mentions = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(SPECIFIER)]
    .map(({ index, 2: vendor }) => ({
      file,
      vendor: String(vendor),
      statement: text.slice(text.lastIndexOf(';', index) + 1, index).trim(),
    }))
    .filter(({ statement }) => !isInText(statement));
});

describe('the packages of the vendors', () => {
  test('are imported only as types for the comparison, to run copied code, and as clients to compare with', () => {
    expect(files.length).toBeGreaterThan(200);
    expect([...new Set(mentions.map(({ vendor }) => vendor))].toSorted()).toEqual(VENDORS);
    const isType = (statement: string): boolean => /(^|\n)import type \{[^}]*\}$/.test(statement);
    const wrong = mentions
      .filter(
        ({ file }) =>
          ![
            'test/support/texts/copy-bench.ts',
            'test/bench/http/official-client.mjs',
            'test/unit/host/recording/live-recording.test.ts',
            'test/e2e/recording-clients.test.ts',
            'test/e2e/support/agent.mjs',
          ].includes(file),
      )
      .filter(({ file }) => !file.startsWith('test/contract/') && !file.startsWith('test/support/agents/'))
      .filter(({ file, statement }) => file !== 'test/unit/library/wire/body-types.ts' || !isType(statement));
    expect(wrong).toEqual([]);
  });

  test('are no dependencies of the package', () => {
    const { dependencies = {}, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies?: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).filter((name) => VENDORS.includes(name))).toEqual([]);
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(VENDORS));
  });
});
