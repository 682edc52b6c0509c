// The data folder of `npm start`: only its user can read it, even if it existed before.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keepKeyHalf, originName, prepareDataFolder } from '../../support/host/data-folder.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'data-folder-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('prepareDataFolder', () => {
  it('creates a folder for this user only, and fixes one that others could read', () => {
    const made = join(scratch, 'made');
    prepareDataFolder(made);
    const found = join(scratch, 'found');
    mkdirSync(found);
    chmodSync(found, 0o755);
    prepareDataFolder(found);
    expect([modeOf(made), modeOf(found)]).toEqual(['700', '700']);
  });

  it('writes settings only once', () => {
    const folder = join(scratch, 'settings');
    prepareDataFolder(folder, { a: 1 });
    prepareDataFolder(folder, { a: 2 });
    expect(JSON.parse(readFileSync(join(folder, 'User', 'settings.json'), 'utf8'))).toEqual({ a: 1 });
  });
});

describe('keepKeyHalf', () => {
  it('creates 256 bits that only this user can read', () => {
    const folder = join(scratch, 'new-key');
    prepareDataFolder(folder);
    expect(keepKeyHalf(folder)).toHaveLength(32);
    expect(modeOf(join(folder, 'serve-web-key-half'))).toBe('600');
  });

  it('keeps an existing half, so that no secret is lost, and makes it unreadable for others', () => {
    const folder = join(scratch, 'old-key');
    prepareDataFolder(folder);
    const file = join(folder, 'serve-web-key-half');
    writeFileSync(file, 'x'.repeat(32));
    chmodSync(file, 0o644);
    expect(String(keepKeyHalf(folder))).toBe('x'.repeat(32));
    expect(modeOf(file)).toBe('600');
  });
});

describe('originName', () => {
  it('is random, a valid label of a host name, and constant for a folder', () => {
    const [one, two] = ['one', 'two'].map((name) => {
      prepareDataFolder(join(scratch, name));
      return originName(join(scratch, name));
    });
    expect(one).toMatch(/^vscode-[0-9a-f]{16}$/);
    expect(two).not.toBe(one);
    expect(originName(join(scratch, 'one'))).toBe(one);
    expect(modeOf(join(scratch, 'one', 'origin-name'))).toBe('600');
  });
});
