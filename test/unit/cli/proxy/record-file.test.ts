// The file of `proxy --record`: what it is added to, and what it leaves alone.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RecordFile } from '../../../../src/cli/proxy/record-file';
import { readRecordLines, toHeadLine } from '../../../../src/recording';

const folder = mkdtempSync(join(tmpdir(), 'record-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = (target: string): string => toHeadLine({ target, startedAt: 1, madeBy: 'x' });
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('RecordFile', () => {
  it('begins a file that only its owner may read', () => {
    const file = new RecordFile(folder, 'new.jsonl');
    expect(file.add(head('one'))).toBeUndefined();
    file.close();
    expect(read('new.jsonl')).toBe(head('one'));
    if (process.platform !== 'win32') expect(statSync(join(folder, 'new.jsonl')).mode & 0o77).toBe(0);
  });

  it('begins a new line behind half a one, so that the next recording can be read', () => {
    writeFileSync(join(folder, 'cut.jsonl'), `${head('one')}{"number":1,"star`);
    const file = new RecordFile(folder, 'cut.jsonl');
    file.add(head('two'));
    file.close();
    const { recordings, unread } = readRecordLines(read('cut.jsonl'));
    expect(recordings.map(({ head: { target } }) => target)).toEqual(['one', 'two']);
    expect(unread).toEqual([2]);
  });

  it.each(['{"name": "my-package"}\n', 'notes', '\n'])(
    'adds nothing to %j, which is no recording',
    (text) => {
      writeFileSync(join(folder, 'other.json'), text);
      expect(() => new RecordFile(folder, 'other.json')).toThrow(/is no recording, so nothing is added/);
      expect(read('other.json')).toBe(text);
    },
  );
});
