// For any sequence of answers and broken connections, with any policy, the ledger matches what the server received and the
// clock waited. Real sockets.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../../src/library';
import { closeConnections, HttpError, LocalHostProvider, ProviderError } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import type { TestServer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';
import { fc } from '../../support/arbitrary/properties';

/** How the server ends one attempt. */
type Step = { kind: 'status'; status: number; waitMs?: number | undefined } | { kind: 'cut' };
const RETRIED = [408, 425, 429, 500, 502, 503, 504, 529];
const isRetried = (step: Step): boolean => step.kind === 'cut' || RETRIED.includes(step.status);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('status' as const),
    status: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...RETRIED) },
      { weight: 1, arbitrary: fc.constantFrom(200, 400, 404, 501) },
    ),
    waitMs: fc.option(fc.nat(60_000), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('cut' as const) }),
);

let server: TestServer;
let steps: Step[];

beforeAll(async () => {
  server = await startServer((_, response) => {
    const step = steps.shift() ?? { kind: 'status', status: 200 };
    // Only after the first byte: before it, a kept-alive connection would be reopened, which does not count as an attempt.
    if (step.kind === 'cut') return void response.socket?.end('HTTP/1.1 2');
    const headers = step.waitMs === undefined ? {} : { 'retry-after-ms': `${step.waitMs}` };
    sendJson(response, step.status, { message: { content: 'fine' }, done: true }, headers);
  });
});
afterAll(async () => {
  await closeConnections();
  await server[Symbol.asyncDispose]();
});

async function call(script: Step[], maxAttempts: number) {
  steps = [...script];
  const before = server.requests.length;
  const clock = new FakeClock({ isSkipping: true });
  const provider = new LocalHostProvider({ host: server.url, model: 'm', retry: { maxAttempts } });
  const outcome = await clock.run(() =>
    provider.chat({ messages: HELLO }).catch((error: unknown) => {
      if (error instanceof ProviderError) return error;
      throw error;
    }),
  );
  return { outcome, ledger: outcome.ledger, delays: clock.delays, sent: server.requests.length - before };
}

/** The steps that are reached: up to the first that is not retried, at most as many as there are attempts. */
function reached(script: Step[], maxAttempts: number): Step[] {
  const end = script.findIndex((step) => !isRetried(step));
  return script.slice(0, Math.min(end < 0 ? script.length : end + 1, maxAttempts));
}

const statusOf = (step: Step | undefined): number | undefined =>
  step?.kind === 'status' ? step.status : undefined;

test('the ledger lists each attempt, how it ended, and each wait before the next', async () => {
  const script = fc.array(anyStep, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(script, fc.integer({ min: 1, max: 4 }), async (all, maxAttempts) => {
      const made = reached(all, maxAttempts);
      const last = made.at(-1);
      const { outcome, ledger, delays, sent } = await call(all, maxAttempts);

      expect([outcome.attempts, ledger.length, sent]).toEqual([made.length, made.length, made.length]);
      expect(ledger.map(({ attempt }) => attempt)).toEqual(made.map((_, index) => index + 1));
      expect(ledger.map(({ status }) => status)).toEqual(made.map(statusOf));
      expect(ledger.map(({ endedBy }) => endedBy)).toEqual(
        made.map((step) => (step.kind === 'cut' ? 'network' : 'server')),
      );
      expect(ledger.map(({ decision }) => decision)).toEqual([
        ...made.slice(1).map(() => 'retry'),
        statusOf(last) === 200 ? 'done' : 'stop',
      ]);
      expect(outcome instanceof ProviderError).toBe(statusOf(last) !== 200);
      if (outcome instanceof HttpError) expect(outcome.status).toBe(statusOf(last));

      const waits = ledger.flatMap(({ delayMs }) => (delayMs === undefined ? [] : [delayMs]));
      expect(waits).toEqual(delays);
      expect(waits).toHaveLength(made.length - 1);
      checkWaits(made, ledger);
    }),
    { numRuns: 60 },
  );
});

function checkWaits(made: Step[], ledger: AttemptRecord[]): void {
  for (const [index, record] of ledger.entries()) {
    const next = ledger[index + 1];
    const step = made[index];
    const wish = step?.kind === 'status' ? step.waitMs : undefined;
    expect((record.errorCode === undefined) === (record.endedBy === 'server')).toBe(true);
    expect((record.headersMs === undefined) === (record.status === undefined)).toBe(true);
    expect(record.reason).not.toBe('');
    if (!next) continue;
    expect(record.delaySource).toBe(wish === undefined ? 'backoff' : 'retry-after');
    if (wish === undefined) expect(record.delayMs).toBeLessThanOrEqual(500 * 2 ** index);
    else expect(record.delayMs).toBe(wish);
    expect(next.startedAt - record.startedAt - record.endMs).toBe(record.delayMs);
  }
}
