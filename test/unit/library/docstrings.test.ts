// Every public name has a docstring. Read from the sources, so that an undocumented declaration can be named.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The files that list what the package exports. */
const FACES = ['src/library/index.ts', 'src/library/rescue/index.ts', 'src/inspect/public-api.ts'];
const DECLARATION =
  /^export (?:declare )?(?:abstract class|class|async function|function|interface|type|const) (\w+)/;

/** The source file of each name that a face exports. What it has from another face is found there. */
const readFace = (face: string): { file: string; names: string[] }[] =>
  [...readFileSync(face, 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from '\.\/([^']+)'/g)]
    .map(([, names = '', path = '']) => ({
      file: `${dirname(face)}/${path}.ts`,
      names: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    }))
    .filter(({ file }) => !FACES.includes(file.replace('.ts', '/index.ts')));

function readPublicNames(): { file: string; names: string[] }[] {
  const nouns = readdirSync('src/types')
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => ({ file: `src/types/${name}`, names: declaredIn(`src/types/${name}`) }));
  return [...FACES.flatMap(readFace), ...nouns];
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

const declaredIn = (file: string): string[] =>
  linesOf(file).flatMap((line) => DECLARATION.exec(line)?.[1] ?? []);

function isDocumented(file: string, name: string): boolean {
  const lines = linesOf(file);
  const at = lines.findIndex((line) => DECLARATION.exec(line)?.[1] === name);
  return at > 0 && lines[at - 1]?.trim().endsWith('*/') === true;
}

describe('the public faces of library, rescue and inspection', () => {
  const faces = readPublicNames().flatMap(({ file, names }) => names.map((name) => ({ file, name })));

  test('has exported names', () => expect(faces.length).toBeGreaterThan(150));

  test('documents each of them', () => {
    const bare = faces.filter(({ file, name }) => !isDocumented(file, name));
    expect(bare.map(({ file, name }) => `${name} in ${file}`)).toEqual([]);
  });
});
