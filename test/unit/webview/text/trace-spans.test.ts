import { describe, expect, it } from 'vitest';
import type { RescueReport } from '../../../../src/types';
import {
  formatsOf,
  selectedSpan,
  spanOf,
  toSelection,
  traceSpans,
} from '../../../../webview/text/trace-spans';
import { rejectionAt, rescuedCallAt, toReply } from '../samples';

const PLACE = { laneId: 'a', runId: 'r1' };
const inReasoning = rejectionAt(5, 20, { reason: 'in-reasoning' });
const unknown = rejectionAt(60, 80, { format: 'json-bare' });
const first = rescuedCallAt(30, 50);
const second = rescuedCallAt(90, 99);
const report: RescueReport = { calls: [first, second], content: '', rejected: [inReasoning, unknown] };
const taken = toReply('x'.repeat(100), [first, second], { rescue: report });
const left = toReply('x'.repeat(100), [], { rescue: report });

describe('traceSpans', () => {
  it('numbers calls and rejections in the order of the text', () => {
    const found = traceSpans(report).map(({ number, call, rejection }) => [number, call ?? rejection]);
    expect(found).toEqual([
      [1, inReasoning],
      [2, first],
      [3, unknown],
      [4, second],
    ]);
  });

  it('places a call before a rejection with the same start, and the longer of two rejections first', () => {
    const short = rejectionAt(0, 5);
    const long = rejectionAt(0, 50);
    const call = rescuedCallAt(0, 9);
    const spans = traceSpans({ calls: [call], content: '', rejected: [short, long] });
    expect(spans.map((span) => span.call ?? span.rejection)).toEqual([call, long, short]);
  });

  it('returns the same spans for the same report, and none without one', () => {
    expect(traceSpans(report)).toBe(traceSpans(report));
    expect(traceSpans(undefined)).toEqual([]);
  });
});

describe('formatsOf', () => {
  it('names each format once, including those of rejections', () => {
    expect(formatsOf(report)).toEqual(['hermes-json', 'json-bare']);
  });
});

describe('the selection of a span', () => {
  it('is that of its call if the reply has it, and finds the span again', () => {
    const [, span] = traceSpans(report);
    const selection = span && toSelection(PLACE, taken, span);
    expect(selection).toEqual({ ...PLACE, callIndex: 0 });
    expect(selection && selectedSpan(taken, selection)).toBe(span);
  });

  it('is its number for a rejection, and for a call that the reply does not have', () => {
    for (const span of [spanOf(report, unknown), spanOf(report, first)]) {
      const selection = span && toSelection(PLACE, left, span);
      expect(selection).toEqual({ ...PLACE, spanNumber: span?.number });
      expect(selection && selectedSpan(left, selection)).toBe(span);
    }
  });

  it('is undefined for a native call and for the reply as a whole', () => {
    expect(
      selectedSpan(toReply('', [{ ...first, id: 'native', source: 'native' }]), { ...PLACE, callIndex: 0 }),
    ).toBe(undefined);
    expect(selectedSpan(taken, PLACE)).toBeUndefined();
  });
});
