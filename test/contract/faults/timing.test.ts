// Tests the result of a chat with a server that stalls or is slow.
import { describe, expect, test } from 'vitest';
import { LocalHostProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import { startFaultServer } from '../../support/servers/fault-server';
import { HELLO } from '../../support/connections/probe-provider';
import { describeFaults } from './run-faults';
import { TIMING_FAULTS } from './timing-faults';

describeFaults('timing', TIMING_FAULTS);

describe('timeoutMs', () => {
  test('ends a call whose connection to a proxy is still being established', async () => {
    await using server = await startFaultServer('connection', () => undefined);
    const network = { proxy: `https://localhost:${server.port}` };
    const retry = { timeoutMs: 80, maxAttempts: 1 };
    const provider = new LocalHostProvider({ host: 'http://target.invalid', model: 'm', network, retry });
    const error = await failure(provider.chat({ messages: HELLO }));
    expect(error.code).toBe('timeout');
    // On a busy machine the connection may arrive only now.
    await expect.poll(() => server.openConnections()).toBe(1);
  });
});
