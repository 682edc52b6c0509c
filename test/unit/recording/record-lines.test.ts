// The file of a recording: what is read back, and what of a damaged one.
import { describe, expect, it } from 'vitest';
import { readRecordLines, toExchangeLine, toHeadLine } from '../../../src/recording';
import type { RecordedExchange } from '../../../src/types';

const HEAD = { target: 'http://127.0.0.1:1/v1', startedAt: 1, madeBy: 'test' };
const EXCHANGE: RecordedExchange = {
  number: 1,
  startedAt: 2,
  program: 'agent/1',
  request: { method: 'POST', url: 'http://127.0.0.1:1/v1', headers: {}, body: '{\n}' },
  endMs: 3,
  endedBy: 'server',
};

describe('readRecordLines', () => {
  it('reads several recordings of one file', () => {
    const text = toHeadLine(HEAD) + toExchangeLine(EXCHANGE) + toHeadLine({ ...HEAD, startedAt: 9 });
    expect(readRecordLines(text)).toEqual({
      recordings: [
        { head: HEAD, exchanges: [EXCHANGE] },
        { head: { ...HEAD, startedAt: 9 }, exchanges: [] },
      ],
      unread: [],
    });
  });

  it('names the lines that are neither, such as the last one of a process that was killed', () => {
    const line = toExchangeLine(EXCHANGE);
    const text = `${line}${toHeadLine(HEAD)}{"number":1}\n${line}${line.slice(0, 20)}`;
    const read = readRecordLines(text);
    expect(read.recordings[0]?.exchanges).toEqual([EXCHANGE]);
    expect(read.unread).toEqual([1, 3, 5]);
  });
});
