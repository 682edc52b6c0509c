// What is public says what it is. Read from the sources: a declaration without a docstring is found by its line.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const LIBRARY = 'src/library';
const DECLARATION =
  /^export (?:declare )?(?:abstract class|class|async function|function|interface|type|const) (\w+)/;

/** The file of each exported name, as `index.ts` says it. */
function readFaces(): { file: string; names: string[] }[] {
  const index = readFileSync(`${LIBRARY}/index.ts`, 'utf8');
  const exported = [...index.matchAll(/export (?:type )?\{([^}]*)\} from '\.\/([^']+)'/g)].map(
    ([, names = '', path = '']) => ({
      file: `${LIBRARY}/${path}.ts`,
      names: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    }),
  );
  const nouns = readdirSync('src/types')
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => ({ file: `src/types/${name}`, names: declaredIn(`src/types/${name}`) }));
  return [...exported, ...nouns];
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

const declaredIn = (file: string): string[] =>
  linesOf(file).flatMap((line) => DECLARATION.exec(line)?.[1] ?? []);

function isDocumented(file: string, name: string): boolean {
  const lines = linesOf(file);
  const at = lines.findIndex((line) => DECLARATION.exec(line)?.[1] === name);
  return at > 0 && lines[at - 1]?.trim().endsWith('*/') === true;
}

describe('the public face of the library', () => {
  const faces = readFaces().flatMap(({ file, names }) => names.map((name) => ({ file, name })));

  test('is found', () => expect(faces.length).toBeGreaterThan(60));

  test('says of each name what it is', () => {
    const bare = faces.filter(({ file, name }) => !isDocumented(file, name));
    expect(bare.map(({ file, name }) => `${name} in ${file}`)).toEqual([]);
  });
});
