import { describe, expect, test } from 'vitest';
import { FileJournal } from '../../../../src/session/store/file-journal';
import type { EncodedRecord } from '../../../../src/session/store/record';
import type { SessionFile } from '../../../../src/session/store/session-file';
import { FakeClock } from '../../../support/fake-clock';
import { line } from './store-folder';

interface Opened {
  journal: FileJournal;
  /** What happened, in order. */
  events: string[];
}

/** Masking a body takes 150 ms. @param append Says how many of the records it has written. */
function openJournal(append: (records: readonly EncodedRecord[]) => number): Opened {
  const events: string[] = [];
  const clock = new FakeClock();
  const file: Pick<SessionFile, 'append'> = {
    append: (records) => {
      events.push(`write ${records.length}`);
      return Promise.resolve(append(records));
    },
  };
  const journal = new FileJournal({
    sessionId: 'session',
    file: file as SessionFile,
    lines: [],
    redact: (value) => {
      if (JSON.stringify(value).includes('"body":')) {
        events.push('mask a body');
        clock.advance(150);
      }
      return value;
    },
    onProblem: (problem) => events.push(problem),
    clock,
    onWritten: () => undefined,
    onClose: () => Promise.resolve(),
  });
  return { journal, events };
}

describe('FileJournal', () => {
  test('writes what it has masked every 200 ms, each body with its line, so that a crash loses little', async () => {
    const { journal, events } = openJournal((records) => records.length);
    for (let n = 0; n < 5; n++) journal.append(line(n), { key: `${n}`, value: n });
    await journal.flush();
    const two = ['mask a body', 'mask a body', 'write 4'];
    expect(events).toEqual([...two, ...two, 'mask a body', 'write 2']);
  });

  test('writes many small records at once', async () => {
    const { journal, events } = openJournal((records) => records.length);
    for (let n = 0; n < 100; n++) journal.append(line(n));
    await journal.flush();
    expect(events).toEqual(['write 100']);
  });

  test('names a full disk from the beginning, once, and tries again only at the end of a flush', async () => {
    const { journal, events } = openJournal(() => 0);
    for (let n = 0; n < 5; n++) journal.append(line(n), { key: `${n}`, value: n });
    await journal.flush();
    expect(events.filter((event) => event !== 'mask a body')).toEqual([
      'write 4',
      'The history cannot be written (ENOSPC); it is kept in memory until it can.',
      'write 10',
    ]);
  });
});
