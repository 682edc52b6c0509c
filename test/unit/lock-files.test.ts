// Lock files must contain exactly what was reviewed, whichever registry it is installed from.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface LockFile {
  packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>;
}

const FILES = ['.', 'test/support/host', 'test/support/browser', 'test/bench'];

describe.each(FILES)('the lock file of %s', (folder) => {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as LockFile;
  const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);

  test('has the hash of every package, including those of other platforms', () => {
    expect(installed.length).toBeGreaterThan(0);
    expect(installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  });

  test('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
