import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../src/types';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { CASES, sample, SEED } from './law-support';
import { toolsOf } from './rescue-fixtures';
import { fc, runs } from '../../../support/arbitrary/properties';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

/** Tools whose names are common words, without a required parameter whose absence would prevent a false call. */
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
/** Files that contain calls written as text, left out; the cases of the corpora include such examples. */
const SHOWS_CALLS = /rescue|fuzz|demo/;

function listFiles(folder: string, ending: RegExp, depth: number): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0 && entry.name !== 'node_modules')
      return listFiles(path, ending, depth - 1);
    return entry.isFile() && ending.test(entry.name) ? [path] : [];
  });
}

/** Reads the files one after the other, up to a megabyte of text. */
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

/** Packages that are installed wherever the tests run. */
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
  it.each(Object.keys(GROUPS))('finds no call in %s', (group) => {
    const texts = readTexts(GROUPS[group] ?? []);
    expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(100_000);
    const bad = texts
      .map(({ path, text }) => ({ path, calls: callsIn(text) }))
      .filter(({ calls }) => calls.length > 0);
    expect(bad).toEqual([]);
  });

  it('finds no call in a chat log', () => {
    const talk = CASES.filter(({ kind, format }) => kind === 'negative' && format === 'none');
    const lines = talk.map(
      ({ text }, index) => `[12:${index % 60}] ${index % 2 === 0 ? 'ana' : 'bot'}: ${JSON.stringify(text)}\n`,
    );
    for (let from = 0; from < lines.length; from += 20)
      expect(callsIn(`${lines.slice(from, from + 20).join('')}\nThat was all.`)).toEqual([]);
  });

  it(`finds no call in text without markup, whatever its words (seed ${SEED})`, () => {
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

  it('finds no call in an answer that explains a format', () => {
    const explained = sample(CASES, 300).filter(({ text }) => !text.includes('`'));
    const bad = explained.filter(({ text }) => {
      const answer = `A call looks like this:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\nReplace the arguments with your own.`;
      return callsIn(answer).length > 0;
    });
    expect(bad.map(({ id }) => id)).toEqual([]);
  });
});
