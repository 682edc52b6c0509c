// Every public name has a docstring. Read from the sources, so that an undocumented declaration can be named.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const LIBRARY = 'src/library';
const DECLARATION =
  /^export (?:declare )?(?:abstract class|class|async function|function|interface|type|const) (\w+)/;

/** The source file of each exported name, according to `index.ts`. */
function readPublicNames(): { file: string; names: string[] }[] {
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
  const faces = readPublicNames().flatMap(({ file, names }) => names.map((name) => ({ file, name })));

  test('has exported names', () => expect(faces.length).toBeGreaterThan(60));

  test('documents each of them', () => {
    const bare = faces.filter(({ file, name }) => !isDocumented(file, name));
    expect(bare.map(({ file, name }) => `${name} in ${file}`)).toEqual([]);
  });
});
