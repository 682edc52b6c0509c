// The code in the README compiles, and what it names exists.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../src/demo';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  test('contains exactly the examples that the compiler checks', () => {
    const shown = [...readme.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code]) => code);
    const checked = readdirSync('test/examples').map((name) =>
      readFileSync(`test/examples/${name}`, 'utf8').replaceAll('../../src', './src'),
    );
    expect(new Set(shown)).toEqual(new Set(checked));
    expect(shown).toHaveLength(checked.length);
  });

  test('names every demo model and the test command', () => {
    expect(DEMO_MODELS.filter((model) => !readme.includes(`\`${model}\``))).toEqual([]);
    expect(readme).toContain('`npm test`');
  });

  test('names only existing files', () => {
    const paths = [...readme.matchAll(/`((?:src|test|webview)\/[\w./-]+\.\w+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect(() => readFileSync(path)).not.toThrow();
  });
});
