// A recorded chat in chat completions, for tests that change what they are about.
import type { RecordedExchange } from '../../../src/types';

interface Told extends Partial<RecordedExchange> {
  url?: string;
  /** Body of the request, as JSON. */
  asked?: object;
  /** Body of the response; as JSON, unless it is a text. */
  reply?: object | string;
  status?: number;
}

/** A whole reply with one choice. */
export const replyOf = (message: object, more: object = {}): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
});

export function recordedExchange({
  url = 'http://127.0.0.1:9/v1/chat/completions',
  asked = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] },
  reply = replyOf({ content: 'Hello.' }),
  status = 200,
  ...changes
}: Told = {}): RecordedExchange {
  const body = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return {
    number: 1,
    startedAt: 1_700_000_000_000,
    program: 'agent/1',
    session: 1,
    protocol: 'hosted-api',
    model: 'm',
    request: { method: 'POST', url, headers: {}, body: JSON.stringify(asked) },
    response: { status, headers: {}, body, isComplete: true },
    endMs: 400,
    endedBy: 'server',
    ...changes,
  };
}
