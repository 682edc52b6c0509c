import { describe, expect, test } from 'vitest';
import { useOslo } from '../oslo';

describe('demoEmbed', () => {
  const ask = useOslo();
  const message = '"demo-embed" does not support chat';

  test('refuses to chat with the error of each protocol', async () => {
    const local = await ask({ protocol: 'local', model: 'demo-embed' });
    expect([local.status, local.error]).toEqual([400, message]);
    const hosted = await ask({ protocol: 'hosted', model: 'demo-embed' });
    const error = { message, type: 'invalid_request_error', code: 400 };
    expect([hosted.status, hosted.error]).toEqual([400, error]);
    const messages = await ask({ protocol: 'messages', model: 'demo-embed' });
    expect([messages.status, messages.error]).toEqual([
      404,
      { type: 'not_found_error', message: 'model: demo-embed' },
    ]);
  });
});
