// The sentences that a command line may print: none of them sends a person to a place that only the editor has.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../../support/texts/source-files';
import { textsInCode } from '../../support/texts/texts-in-code';

/** What a command prints comes from here: of the session, how a run and an evaluation end. */
const PRINTED = [
  'src/cli',
  'src/inspect',
  'src/connections',
  'src/recording',
  'src/session/document',
  'src/session/rows',
  'src/session/tools',
  'src/session/run',
  'src/session/evaluation',
];

/**
 * What is said of what the editor has stored or asked, or of a click in it. A terminal stores neither headers nor tools, and what
 * is to run as code is allowed there by an option.
 */
const OF_EDITOR = new Set([
  'src/connections/custom-providers/custom-connections.ts',
  'src/connections/keys/missing-secrets.ts',
  'src/connections/tool-libraries/tool-libraries.ts',
  'src/session/run/record/run-record.ts',
  'src/session/evaluation/change-expectations.ts',
  'src/session/evaluation/evaluation-views.ts',
  'src/session/evaluation/evaluation.ts',
]);

const PLACES = /\b(?:view|views|tab|tabs|panel|button|buttons|click|clicks|palette|sidebar|status bar)\b/i;

const commandTitles = (): string[] => {
  const names = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
  return Object.entries(names)
    .filter(([key]) => key.startsWith('command.'))
    .map(([, title]) => title.replace(/…$/, ''))
    .filter((title) => title.includes(' '));
};

describe('sentences in a terminal', () => {
  const texts = PRINTED.flatMap((folder) => filesUnder(folder, '.ts'))
    .filter((file) => !OF_EDITOR.has(file))
    .flatMap((file) => textsInCode(file).translated)
    .flatMap(({ where, text }) => (text === undefined ? [] : [{ where, text }]));

  test('are found', () => {
    expect(texts.length).toBeGreaterThan(500);
  });

  test('name no view, tab or button', () => {
    const naming = texts.filter(({ text }) => PLACES.test(text));
    expect(naming.filter(({ text }) => !/write a tab as/.test(text))).toEqual([]);
  });

  test('name no command of the editor without saying whose it is', () => {
    const titles = commandTitles();
    expect(titles.length).toBeGreaterThan(20);
    const naming = texts.filter(({ text }) => titles.some((title) => text.includes(title)));
    // Whoever has no VS Code reads that it is not for them.
    const isPlaced = (text: string): boolean => text.includes(' in VS Code ');
    expect(naming.filter(({ text }) => !isPlaced(text))).toEqual([]);
  });
});
