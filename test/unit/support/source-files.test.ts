import type * as fs from 'node:fs';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { filesUnder } from '../../support/texts/source-files';

// Simulates packages that are being installed: a folder is listed but no longer exists when it is read.
vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>();
  const readdirSync = (
    path: string,
    options: fs.ObjectEncodingOptions & { recursive?: boolean },
  ): unknown => {
    if (path.includes('node_modules') || options.recursive) throw new Error(`ENOENT: ${path}`);
    return real.readdirSync(path, options as never);
  };
  return { ...real, readdirSync };
});

it('lists files by their extension and never reads node_modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'a', 'node_modules'), { recursive: true });
  for (const name of ['a/one.ts', 'two.ts', 'two.mjs', 'a/node_modules/three.ts'])
    writeFileSync(join(folder, name), '');
  expect(filesUnder(folder, '.ts').toSorted()).toEqual([`${folder}/a/one.ts`, `${folder}/two.ts`]);
});
