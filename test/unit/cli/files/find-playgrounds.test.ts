// The files that a command line means: what cannot be read is named, with what to do.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPlaygrounds } from '../../../../src/cli/files/find-playgrounds';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-files-'));
  await mkdir(join(folder, 'open', 'locked'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const isBlocked = process.platform !== 'win32' && process.getuid?.() !== 0;

describe('findPlaygrounds', () => {
  // Nothing is locked for an administrator.
  it.runIf(isBlocked)('names a folder that may not be read, and what to do', async () => {
    await chmod(join(folder, 'open', 'locked'), 0);
    const finding = findPlaygrounds(['open'], folder);
    await expect(finding).rejects.toMatchObject({
      name: 'CommandError',
      message: 'open/locked cannot be read: you may not read it.',
      next: expect.stringContaining('Change its permissions'),
    });
    await chmod(join(folder, 'open', 'locked'), 0o700);
  });

  it('says where it looked when there is none', async () => {
    await expect(findPlaygrounds(['open'], folder)).rejects.toMatchObject({
      message: 'No playground with expectations was found in open.',
    });
  });
});
