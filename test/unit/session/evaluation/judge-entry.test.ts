import { describe, expect, it } from 'vitest';
import { readBlobSample, toBlobSampleLine } from '../../../../src/session/evaluation/blob/blob-lines';
import { judgeEntry } from '../../../../src/session/evaluation/judge-entry';
import { isJudged } from '../../../../src/session/evaluation/plan-samples';
import type { SampleEntry } from '../../../../src/session/evaluation/sample-entry';

const STOPPED: SampleEntry = {
  key: 'k',
  rowId: 'oslo',
  laneId: 'a',
  repeat: 1,
  at: 1,
  outcome: { reason: 'time', message: 'Too long.', limitMs: 500 },
  runsIn: '',
  runIds: [],
};

describe('a sample that was stopped at its time limit', () => {
  const judge = (timeMs: number, timeoutMs: number | undefined) =>
    judgeEntry(STOPPED, {
      row: { id: 'oslo', tags: [], variables: {}, line: 1 },
      filled: { expectations: [{ max: { timeMs } }], tools: [] },
      timeoutMs,
    }).judged;

  it('is judged by the limit at which it was stopped, whatever the limit is now', () => {
    expect(judge(400, 5_000)).toMatchObject({
      verdict: 'failed',
      message: 'It took longer than 500 ms; expected at most 400 ms.',
    });
    expect(judge(2_000, 5_000)).toMatchObject({ verdict: 'no-verdict', reason: 'time' });
    expect(judge(400, undefined).verdict).toBe('failed');
  });

  it('is sent again only when it may take longer', () => {
    expect([500, 400, 501, undefined].map((timeoutMs) => isJudged(STOPPED, timeoutMs))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('keeps its limit in a blob', () => {
    const line = JSON.parse(JSON.stringify(toBlobSampleLine({ file: 'f', entry: STOPPED }))) as Record<
      string,
      unknown
    >;
    expect(readBlobSample(line)?.entry.outcome).toEqual(STOPPED.outcome);
  });
});
