import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../src/library';
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
    maxBodies: () => 100,
    redact: (value) => {
      if (Array.isArray(value) && value[0] === 'body') {
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

  test('gives others their turn while it masks a large record, and stores it as it was given', async () => {
    const values = Array.from({ length: 20_000 }, (_, n) => `${n} "\\\\": ${KEY}\\\n ${'é'.repeat(200)}`);
    const turns = countTurns();
    const { journal, records } = openMasked((length) => turns.add(length));
    journal.append(line(1), { key: `of ${KEY}`, value: { [KEY]: values, none: null, list: [1, true] } });
    await journal.flush();
    turns.end();
    expect(turns.most).toBeGreaterThan(0);
    expect(turns.most).toBeLessThan(300_000);
    const [body, own] = records;
    const masked = '*'.repeat(KEY.length);
    const expected = {
      [masked]: values.map((text) => text.replace(KEY, masked)),
      none: null,
      list: [1, true],
    };
    expect(body?.head).toEqual({ kind: 'body', key: `of ${masked}`, hasValue: true });
    expect(body?.bytes.toString()).toBe(`${JSON.stringify({ body: `of ${masked}`, value: expected })}\n`);
    expect(own?.bytes.toString()).toBe(`${JSON.stringify({ line: line(1) })}\n`);
  });
});

const KEY = 'sk-canary-0123456789';

/** @param onMasked Called with the number of characters that are masked at once. */
function openMasked(onMasked: (length: number) => void): { journal: FileJournal; records: EncodedRecord[] } {
  const records: EncodedRecord[] = [];
  const redactor = createRedactor([KEY]);
  const file: Pick<SessionFile, 'append'> = {
    append: (added) => Promise.resolve(records.push(...added)),
  };
  const journal = new FileJournal({
    sessionId: 'session',
    file: file as SessionFile,
    lines: [],
    maxBodies: () => 100,
    redact: (value) => {
      onMasked(JSON.stringify(value).length);
      return redactor.value(value);
    },
    onProblem: (problem) => expect.unreachable(problem),
    clock: new FakeClock(),
    onWritten: () => undefined,
    onClose: () => Promise.resolve(),
  });
  return { journal, records };
}

/** The most that was added in one turn of the event loop. */
function countTurns(): { add: (amount: number) => void; end: () => void; readonly most: number } {
  let [sum, most] = [0, 0];
  let next: NodeJS.Immediate;
  const tick = (): void => {
    sum = 0;
    next = setImmediate(tick);
  };
  tick();
  return {
    add: (amount) => {
      sum += amount;
      most = Math.max(most, sum);
    },
    end: () => clearImmediate(next),
    get most() {
      return most;
    },
  };
}
