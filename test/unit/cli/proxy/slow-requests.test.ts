// Requests that take long are named once, because their own line comes when they have ended.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SlowRequests } from '../../../../src/cli/proxy/slow-requests';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const passage = (number: number, endMs?: number): Parameters<SlowRequests['watch']>[0] => ({
  number,
  method: 'POST',
  path: '/v1/chat/completions?key=secret',
  status: undefined,
  endMs,
});

describe('SlowRequests', () => {
  it('names each that takes ten seconds, once, and says whether a reply has begun', () => {
    const said: string[] = [];
    const slow = new SlowRequests((line) => said.push(line));
    const replying = passage(2);
    for (const one of [passage(1), replying, passage(3)]) slow.watch(one);
    replying.status = 200;
    slow.watch(replying);
    slow.watch(passage(3, 5));
    vi.advanceTimersByTime(9_999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([
      'POST /v1/chat/completions: no answer of the server for 10 s.',
      'POST /v1/chat/completions: the reply is still arriving after 10 s.',
    ]);
  });
});
