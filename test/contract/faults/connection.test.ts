// Tests the result of a chat whose connection breaks.
import { describe, expect, test } from 'vitest';
import { LocalHostProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import { startFaultServer } from '../../support/servers/fault-server';
import { HELLO } from '../../support/connections/probe-provider';
import { CONNECTION_FAULTS } from './connection-faults';
import { describeFaults } from './run-faults';

describeFaults('connection', CONNECTION_FAULTS);

describe('an abort before the call', () => {
  test('opens no connection', async () => {
    await using server = await startFaultServer('connection', () => undefined);
    const provider = new LocalHostProvider({ host: `https://127.0.0.1:${server.port}`, model: 'm' });
    const error = await failure(provider.chat({ messages: HELLO, signal: AbortSignal.abort() }));
    expect(error.code).toBe('aborted');
    expect(server.runs()).toBe(0);
  });
});
