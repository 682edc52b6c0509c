import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { PROTOCOLS, askModel, toRequest, userMessage } from '../ask-model';
import { openRequest } from '../raw-request';

let server: DemoServer;
beforeEach(async () => {
  server = await startDemoServer();
});
afterEach(() => server.close());

describe.each(PROTOCOLS)('hangs in the %s protocol', (protocol) => {
  test.each([true, false])('never answers, while others are answered; stream: %s', async (stream) => {
    const messages = [userMessage('hi')];
    const { url, ...request } = toRequest(server, { protocol, model: 'hangs', messages }, stream);
    const sent = openRequest(url, request);
    let answers = 0;
    sent.on('response', () => (answers += 1));
    const failed = once(sent, 'error');
    await once(sent, 'finish');

    const other = await askModel(server, { protocol, model: 'native-call', messages });
    expect([other.status, answers]).toEqual([200, 0]);

    await server.close();
    const [error] = (await failed) as [NodeJS.ErrnoException];
    expect([error.code, answers]).toEqual(['ECONNRESET', 0]);
  });
});
