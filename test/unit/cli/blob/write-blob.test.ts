// What a person is told when a blob cannot be written, before and while samples are sent. The disk is one that fills up.
import type * as nodeFs from 'node:fs';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { CommandFolder } from '../../../support/cli/command-folder';

const disk = vi.hoisted(() => ({ linesLeft: Infinity, code: 'ENOSPC' }));
vi.mock('node:fs', async (original) => {
  const whole = await original<typeof nodeFs>();
  return {
    ...whole,
    writeSync: (file: number, text: string) => {
      if (disk.linesLeft-- > 0) return whole.writeSync(file, text);
      // What still fits is written.
      whole.writeSync(file, text.slice(0, 20));
      throw Object.assign(new Error(`${disk.code}: failed, write`), { code: disk.code });
    },
  };
});

let folder: CommandFolder;
beforeAll(async () => (folder = await CommandFolder.open()));
afterEach(() => Object.assign(disk, { linesLeft: Infinity, code: 'ENOSPC' }));
afterAll(() => folder.close());

const evaluate = (...words: string[]) => folder.run('eval', '--lane', 'a', '--concurrency', '1', ...words);

describe('a blob that cannot be written', () => {
  it.each([
    ['ENOSPC', 'the disk is full.', 'Free space on it.'],
    ['EROFS', 'its disk is read-only.', 'Name a file on another disk.'],
    ['EACCES', 'you may not write there.', 'Name a file in another folder, or change its permissions.'],
    ['EXYZ', 'EXYZ: failed, write.', 'Correct --blob.'],
  ])('is refused before anything is sent: %s', async (code, why, next) => {
    Object.assign(disk, { linesLeft: 0, code });
    const { code: exit, talk } = await evaluate('--blob', 'out/new.jsonl');
    expect(exit).toBe(EXIT.unusable);
    expect(talk).toContain(`new.jsonl cannot be written: ${why}\n  Nothing was sent.\n  → ${next}\n`);
    expect(readdirSync(join(folder.path, 'out'))).toEqual([]);
  });

  it('is refused when it is a folder', async () => {
    mkdirSync(join(folder.path, 'taken'), { recursive: true });
    const { talk } = await evaluate('--blob', 'taken');
    expect(talk).toContain('cannot be written: it is a folder.');
  });

  it('stops what is sent, keeps what it has, and is gone on with when there is room', async () => {
    disk.linesLeft = 4;
    const { code, output } = await evaluate('--blob', 'full.jsonl');
    expect(code).toBe(EXIT.undecided);
    expect(output).toMatch(
      /It ended early: \S+full\.jsonl cannot be written: the disk is full\. The 3 samples before that are in it\. Free space on it, then go on with --resume \S+full\.jsonl\./,
    );
    expect(output).toMatch(/[1-9] not run/);
    disk.linesLeft = Infinity;
    const again = await evaluate('--resume', 'full.jsonl');
    expect(again.code).toBe(EXIT.done);
    expect(again.talk).toContain('4 requests');
    const lines = readFileSync(join(folder.path, 'full.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
  });

  it('leaves the decision open for a shard', async () => {
    disk.linesLeft = 2;
    const { code, talk } = await evaluate('--shard', '1/2', '--blob', '1.jsonl');
    expect(code).toBe(EXIT.undecided);
    expect(talk).toContain('The one sample before that is in it. Free space on it');
  });
});
