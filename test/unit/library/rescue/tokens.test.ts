// The tokens of a format belong in its own file: no other file of the rescue may contain a token of a registered format.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../../src/library/rescue/core/dialect';
import { COMMON_DIALECT, DIALECTS as JOINED } from '../../../../src/library/rescue/formats/dialects';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { filesUnder } from '../../../support/texts/source-files';

const SHORTEST = 3;

const tokensOf = (dialect: Dialect): string[] => [
  ...(dialect.openers ?? []),
  ...(dialect.closers ?? []),
  ...(dialect.endTokens ?? []),
  ...(dialect.reasoningTags ?? []).flatMap(({ open = '', close }) => [open, close]),
  ...(dialect.strippedReasoning ?? []).flatMap(({ open, closers }) => [
    open,
    ...closers.map((item) => item.literal),
  ]),
  ...(dialect.answerTags ?? []).flatMap(({ open, close }) => [open, close]),
];

/** Whether a token is specific to formats: fences belong to Markdown, and a single word may occur anywhere. */
const isTelling = (token: string): boolean =>
  token.length >= SHORTEST && /[^\w\s]/.test(token) && !/^(?:`|~|>>>)/.test(token);

/** Names that are also reasons of a rejection. */
const REASONS: ReadonlySet<string> = new Set(['final-answer']);

const DIALECTS = [COMMON_DIALECT, ...RESCUE_FORMATS];
const TOKENS = [...new Set(DIALECTS.flatMap(tokensOf).filter(isTelling))].map((token) => token.toLowerCase());
const NAMES = DIALECTS.flatMap(({ finalAnswers = [], noTools = [] }) => [...finalAnswers, ...noTools])
  .filter((name) => /\W|_/.test(name) && !REASONS.has(name))
  .map((name) => `'${name}'`);

const files = filesUnder('src/library/rescue', '.ts').filter((file) => !file.includes('/formats/'));

const findIn = (file: string, wanted: readonly string[]): string[] => {
  const source = readFileSync(file, 'utf8').toLowerCase();
  return wanted.filter((token) => source.includes(token)).map((token) => `${file}: ${token}`);
};

describe('the tokens of the registered formats', () => {
  it('were read, and so were the files that must not contain them', () => {
    expect(TOKENS.length).toBeGreaterThan(150);
    expect(NAMES.length).toBeGreaterThan(5);
    expect(files.length).toBeGreaterThan(80);
    expect(findIn('src/library/rescue/formats/hermes-json.ts', TOKENS).length).toBeGreaterThan(3);
  });

  it('have tag characters that occur in no other file', () => {
    expect(JOINED.tagCharacters.length).toBeGreaterThan(0);
    expect(files.flatMap((file) => findIn(file, Array.from(JOINED.tagCharacters)))).toEqual([]);
  });

  it('occur only in the files of the formats, in code and in comments', () => {
    expect(files.flatMap((file) => findIn(file, [...TOKENS, ...NAMES]))).toEqual([]);
  });
});
