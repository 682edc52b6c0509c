// What the README shows is what compiles, and what it names is there.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../src/demo';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  test('shows the example that the compiler checks', () => {
    const [, shown] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    const checked = readFileSync('test/examples/twenty-lines.ts', 'utf8').replace('../../src', './src');
    expect(shown).toBe(checked);
  });

  test('names every demo model, and the test command', () => {
    expect(DEMO_MODELS.filter((model) => !readme.includes(`\`${model}\``))).toEqual([]);
    expect(readme).toContain('`npm test`');
  });

  test('names only files that are there', () => {
    const paths = [...readme.matchAll(/`((?:src|test|webview)\/[\w./-]+\.\w+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect(() => readFileSync(path)).not.toThrow();
  });
});
