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

  const response = { status: 200, headers: {}, body: '', isComplete: true };
  it.each([
    ['a time beyond all dates', { startedAt: 1e300 }],
    ['a number that is none', { number: 0.5 }],
    ['a header that is no text', { request: { ...EXCHANGE.request, headers: { a: 1 } } }],
    ['a request without a method', { request: { ...EXCHANGE.request, method: undefined } }],
    ['a response without an end', { response: { ...response, isComplete: undefined } }],
    ['arrivals that are no times', { response: { ...response, arrivals: ['1'] } }],
    ['an unknown way of repairing', { repairing: 'perhaps' }],
    ['a repair without calls', { repaired: { body: '', calls: [null] } }],
    ['a conversation that is no number', { session: '1' }],
  ])('leaves out what nobody recorded: %s', (_, changes) => {
    const line = JSON.stringify({ ...EXCHANGE, ...changes });
    const read = readRecordLines(`${toHeadLine(HEAD)}${line}\n${toExchangeLine({ ...EXCHANGE, response })}`);
    expect(read).toEqual({
      recordings: [{ head: HEAD, exchanges: [{ ...EXCHANGE, response }] }],
      unread: [2],
    });
  });
});
