import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../src/types';
import { anyText } from '../../../support/arbitrary-text';
import { CASES, sample, SEED } from './law-support';
import { toolsOf } from './rescue-fixtures';
import { fc, runs } from '../../../support/properties';

/** Machines are slow at times. */
const LIMIT = { timeout: 60_000 };

/** Tools with names that documents are full of, and with no required parameter that could save them. */
const COMMON: ToolType[] = [
  'add',
  'get',
  'test',
  'run',
  'build',
  'read',
  'search',
  'list',
  'print',
  'note',
].map((name) => ({
  name,
  parameters: {
    type: 'object',
    properties: { name: { type: 'string' }, path: { type: 'string' }, value: {} },
  },
}));
const TOOLS = [...COMMON, ...['weather', 'assistant', 'coding', 'data'].flatMap(toolsOf)];

const ROOT = new URL('../../../../', import.meta.url).pathname;
const LARGEST_FILE = 64 * 1024;
const ENOUGH = 1_000_000;
/** Documents of these show calls written as text; they are what the examples among the cases are made of. */
const SHOWS_CALLS = /rescue|fuzz|demo/;

function listFiles(folder: string, ending: RegExp, depth: number): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0 && entry.name !== 'node_modules')
      return listFiles(path, ending, depth - 1);
    return entry.isFile() && ending.test(entry.name) ? [path] : [];
  });
}

/** Text up to a megabyte, one file after the other. */
function readTexts(paths: readonly string[]): { path: string; text: string }[] {
  const texts: { path: string; text: string }[] = [];
  let length = 0;
  for (const path of paths) {
    const text = readFileSync(join(ROOT, path), 'utf8').slice(0, LARGEST_FILE);
    if (length < ENOUGH) texts.push({ path, text });
    length += text.length;
  }
  return texts;
}

/** The packages that are installed wherever the tests run. */
const PACKAGES = [
  'undici',
  'lit',
  'typescript',
  'vitest',
  'vite',
  'esbuild',
  'fast-check',
  'prettier',
  'happy-dom',
];
const GROUPS: Record<string, string[]> = {
  documentation: PACKAGES.flatMap((name) => listFiles(join('node_modules', name), /\.md$/i, 3)).toSorted(),
  'source code': ['src', 'webview', 'test/host', 'test/e2e', 'test/unit/host', 'test/unit/webview']
    .flatMap((folder) => listFiles(folder, /\.ts$/, 5))
    .filter((path) => !SHOWS_CALLS.test(path)),
  programs: PACKAGES.flatMap((name) => listFiles(join('node_modules', name), /\.[cm]?js$/, 3)).toSorted(),
  'JSON files': [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    ...PACKAGES.flatMap((name) => listFiles(join('node_modules', name), /\.json$/, 4)),
  ],
};

const callsIn = (text: string): unknown[] =>
  rescueToolCalls(text, TOOLS).calls.map(({ name, format, start, end }) => ({
    name,
    format,
    text: text.slice(start, end),
  }));

describe('rescueToolCalls', LIMIT, () => {
  it.each(Object.keys(GROUPS))('makes no call of %s', (group) => {
    const texts = readTexts(GROUPS[group] ?? []);
    expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(100_000);
    const bad = texts
      .map(({ path, text }) => ({ path, calls: callsIn(text) }))
      .filter(({ calls }) => calls.length > 0);
    expect(bad).toEqual([]);
  });

  it('makes no call of a log of chats', () => {
    const talk = CASES.filter(({ kind, format }) => kind === 'negative' && format === 'none');
    const lines = talk.map(
      ({ text }, index) => `[12:${index % 60}] ${index % 2 === 0 ? 'ana' : 'bot'}: ${JSON.stringify(text)}\n`,
    );
    for (let from = 0; from < lines.length; from += 20)
      expect(callsIn(`${lines.slice(from, from + 20).join('')}\nThat was all.`)).toEqual([]);
  });

  it(`makes no call of text without markup, whatever its words (seed ${SEED})`, () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...COMMON.map(({ name }) => name),
        'Action:',
        'Thought:',
        'call',
        'name:',
        'tool',
        'to=x',
        'json',
        '- ',
        '1.',
        '\n',
        '\n\n',
      ),
      anyText({ maxLength: 6 }).map((text) => text.replaceAll(/[[\]{}()<>=✿]/g, '')),
    );
    const prose = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(prose, (text) => {
        expect(callsIn(text)).toEqual([]);
      }),
      { seed: SEED, numRuns: runs(500) },
    );
  });

  it('makes no call of an answer that explains a form', () => {
    const explained = sample(CASES, 300).filter(({ text }) => !text.includes('`'));
    const bad = explained.filter(({ text }) => {
      const answer = `A call looks like this:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\nReplace the arguments with your own.`;
      return callsIn(answer).length > 0;
    });
    expect(bad.map(({ id }) => id)).toEqual([]);
  });
});
