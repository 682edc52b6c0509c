import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readModule } from '../../../../src/connections/custom-providers/module-file';

let scratch: string;
let folder: string;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'module-file-')));
  folder = join(scratch, 'workspace');
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'deep', 'inside.mjs'), 'export default 1');
  await writeFile(join(scratch, 'outside.mjs'), 'export default 2');
  await mkdir(join(folder, 'folder.mjs'));
  await symlink(join(scratch, 'outside.mjs'), join(folder, 'link.mjs'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe.mjs')]);
  await writeFile(join(folder, 'large.cjs'), Buffer.alloc(8 * 1024 * 1024 + 1, 32));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const read = (written: string, scope: 'user' | 'workspace' = 'workspace') =>
  readModule({ written, scope, folder, folders: [folder] });
const problem = (written: string, scope?: 'user' | 'workspace'): Promise<string> =>
  read(written, scope).then(
    ({ path }) => `read ${path}`,
    (error: Error) => error.message,
  );

describe('readModule', () => {
  test('returns the full path, the bytes and their hash', async () => {
    const { path, bytes, sha256 } = await read('./deep/inside.mjs');
    expect(path).toBe(join(folder, 'deep', 'inside.mjs'));
    expect(Buffer.from(bytes).toString()).toBe('export default 1');
    expect(sha256).toBe(createHash('sha256').update('export default 1').digest('hex'));
  });

  test.each(['../outside.mjs', 'deep/../../outside.mjs', 'link.mjs'])(
    'refuses a path outside of the workspace: %s',
    async (written) => {
      expect(await problem(written)).toContain('outside.mjs is outside the workspace.');
      expect(await problem(written, 'user')).toContain('is outside the workspace.');
    },
  );

  test('accepts an absolute path outside of it from the user settings only', async () => {
    const path = join(scratch, 'outside.mjs');
    expect(await problem(path)).toContain('is outside the workspace.');
    expect(await problem(path, 'user')).toBe(`read ${path}`);
    expect(await problem(join(folder, 'deep', 'inside.mjs'))).toContain('read');
  });

  test.each([
    ['missing.mjs', 'no such file'],
    ['deep/inside.mjs/more.mjs', 'no such file'],
    ['folder.mjs', 'a folder'],
    ['provider.ts', 'Compile TypeScript first'],
    ['large.cjs', 'larger than 8 MiB'],
  ])('refuses %s with a hint', async (written, words) => {
    expect(await problem(written)).toContain(words);
  });

  test.skipIf(process.platform === 'win32')('refuses a pipe without waiting for its writer', async () => {
    expect(await problem('pipe.mjs')).toBe('It is not a regular file: name one.');
  });
});
