// The folders of the rescue import each other, types included, in one direction, so that each can be read without the
// later ones.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../../support/texts/source-files';

const RESCUE = 'src/library/rescue/';

/**
 * Folders in order, the innermost first; folders in one row do not import each other. '' is the root with the public API.
 */
const FOLDERS = [
  ['text'],
  ['regions'],
  ['core'],
  ['json'],
  ['brackets', 'schema'],
  ['candidates'],
  ['json-calls', 'pythonic'],
  ['pairs/tags'],
  ['pairs/call'],
  ['pairs/ends'],
  ['labels', 'pairs', 'yaml'],
  ['formats'],
  ['walk'],
  ['decide'],
  ['stream'],
  [''],
];

const files = filesUnder('src/library/rescue', '.ts');

const imports = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(/ from '(\.[^']+)'/g)]
    .map(([, path = '']) => ({ from, to: posix.join(posix.dirname(from), `${path}.ts`) }))
    .filter(({ to }) => to.startsWith(RESCUE)),
);

const folderOf = (file: string): string => posix.dirname(file.slice(RESCUE.length)).replace('.', '');
const rankOf = (file: string): number => FOLDERS.findIndex((folders) => folders.includes(folderOf(file)));

/** Files that import each other in a circle, directly or through others. */
function findCircles(): string[] {
  const rest = new Set(files);
  let before: number;
  do {
    before = rest.size;
    for (const file of rest)
      if (!imports.some(({ from, to }) => from === file && rest.has(to))) rest.delete(file);
  } while (rest.size < before);
  return [...rest];
}

describe('the folders of the rescue', () => {
  it('are all in the order', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => rankOf(file) === -1)).toEqual([]);
  });

  it('import only inner folders', () => {
    expect(imports.length).toBeGreaterThan(300);
    const wrong = imports.filter(
      ({ from, to }) =>
        rankOf(to) > rankOf(from) || (rankOf(to) === rankOf(from) && folderOf(to) !== folderOf(from)),
    );
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('contain no import cycles', () => {
    expect(findCircles()).toEqual([]);
  });
});
