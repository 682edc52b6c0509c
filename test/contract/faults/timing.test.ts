// The server stalls, or takes its time: what a chat comes to.
import { describe, expect, test } from 'vitest';
import { LocalHostProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import { startFaultServer } from '../../support/fault-server';
import { HELLO } from '../../support/probe-provider';
import { describeFaults } from './run-faults';
import { TIMING_FAULTS } from './timing-faults';

describeFaults('timing', TIMING_FAULTS);

describe('timeoutMs', () => {
  test('does not wait for a connection to a proxy that is still being made', async () => {
    await using server = await startFaultServer('connection', () => undefined);
    const network = { proxy: `https://localhost:${server.port}` };
    const retry = { timeoutMs: 80, maxAttempts: 1 };
    const provider = new LocalHostProvider({ host: 'http://target.invalid', model: 'm', network, retry });
    const error = await failure(provider.chat({ messages: HELLO }));
    expect(error.code).toBe('timeout');
    // on a busy machine the connection may arrive only now
    await expect.poll(() => server.openConnections()).toBe(1);
  });
});
