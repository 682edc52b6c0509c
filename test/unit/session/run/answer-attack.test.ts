// Replies that once stalled the host for seconds, or ended its process: each in a process of its own, with little memory.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

/** In MB. The replies have up to 20 MB. A million keys alone took more than a gigabyte. */
const MEMORY = 320;

interface Outcome {
  verdict: string;
  error?: string;
  calls?: string[];
  findings: string[];
  shownLength: number;
  fileBytes: number;
  longestMs: number;
  problems: string[];
}

async function attack(reply: string): Promise<Outcome> {
  const file = 'test/unit/session/run/answer-attack.ts';
  const run = [`--max-old-space-size=${MEMORY}`, 'test/support/run-typescript.mjs', file, reply];
  const { stdout } = await promisify(execFile)(process.execPath, run);
  return JSON.parse(stdout) as Outcome;
}

const TOO_MANY = '20,000 values in the arguments of its calls';

describe('a run whose reply has', () => {
  test.each([
    ['a million keys', { error: '16,777,216 characters in one document' }],
    ['a hundred thousand calls', { error: '200,000 values in one document' }],
    ['a million brackets', { calls: ['string'], finding: TOO_MANY }],
  ])('%s is stored and shown, within its memory', async (reply, expected) => {
    const outcome = await attack(reply);
    const { error, findings, calls } = outcome;
    if ('error' in expected) {
      expect(outcome.verdict).toBe('failed');
      expect(error).toContain(`The reply has more than ${expected.error}.`);
    } else {
      expect({ verdict: outcome.verdict, calls }).toEqual({ verdict: 'malformed', calls: expected.calls });
      expect(findings[0]).toContain(expected.finding);
    }
    expect(outcome.problems).toEqual([]);
    expect(outcome.fileBytes).toBeGreaterThan(1_000_000);
    expect(outcome.shownLength).toBeLessThan(600_000);
    // Some tenths of a second; the limit is for slow machines.
    expect(outcome.longestMs).toBeLessThan(3_000);
  });
});
