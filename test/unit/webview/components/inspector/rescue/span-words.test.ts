import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repairWord } from '../../../../../../webview/components/inspector/rescue/span-words';

const RESCUE = 'src/library/rescue';

it('has words for every kind of damage that rescue repairs', () => {
  const files = readdirSync(RESCUE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(RESCUE, file), 'utf8'));
  const kinds = files.flatMap((text) => [
    ...[...text.matchAll(/\blog\.add\(([^,)]*)/g)].flatMap(([, kind = '']) =>
      [...kind.matchAll(/'([a-z]+(?:-[a-z]+)*)'/g)].map(([, name = '']) => name),
    ),
    ...[...text.matchAll(/\{ kind: '([a-z]+(?:-[a-z]+)+)', at\b/g)].map(([, name = '']) => name),
  ]);
  const known = [...new Set(kinds)].filter((kind) => kind !== 'control');
  expect(known.length).toBeGreaterThan(15);
  expect(known.filter((kind) => repairWord(kind) === kind)).toEqual([]);
});

it('shows a kind without words by its name', () => {
  expect(repairWord('constructor')).toBe('constructor');
});
