import { describe, expect, it } from 'vitest';
import { toBand } from '../../../../webview/components/outcome-band';
import { readyState, toRun } from '../samples';

/** A wait of so many milliseconds, half a second after it began. */
function waiting(delayMs: number): ReturnType<typeof toBand> {
  const wait = { runId: 'r1', phase: 'waiting-to-retry' as const, attempt: 2, maxAttempts: 3, ledger: [] };
  const progress = { ...wait, since: 1000, delayMs };
  return toBand(readyState({ entries: [toRun('r1')], pendingRunId: 'r1', progress, now: 1500 }));
}

describe('toBand', () => {
  it('counts a long wait down, for the eye only', () => {
    expect(waiting(12_000)).toMatchObject({
      word: 'Waiting 12 s',
      rest: ' before try 2 of 3',
      clock: '0:12 left',
    });
    expect(waiting(1500)?.clock).toBeUndefined();
  });
});
