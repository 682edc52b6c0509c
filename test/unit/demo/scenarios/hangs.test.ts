import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { PROTOCOLS, askModel, userMessage } from '../ask-model';
import { openRequest } from '../raw-request';

let server: DemoServer;
beforeEach(async () => {
  server = await startDemoServer();
});
afterEach(() => server.close());

describe.each(PROTOCOLS)('hangs in the %s protocol', (protocol) => {
  test.each([true, false])('never answers, while others are answered; stream: %s', async (stream) => {
    const url =
      protocol === 'local' ? `${server.localHost}/api/chat` : `${server.hostedHost}/chat/completions`;
    const messages = [userMessage('hi')];
    const sent = openRequest(url, { body: JSON.stringify({ model: 'hangs', messages, stream }) });
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
