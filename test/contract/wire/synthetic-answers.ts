// Answers of servers that were not recorded, based on their sources, documentation and issues.
import type { ExpectedReply } from './expected-reply';
import { answerChat, outcomeOf } from './replay-chat';

export const reply = (message: object, finish: string | null = 'stop', more: object = {}): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  ...more,
});
export const chunk = (delta: object, finish: string | null = null, more: object = {}): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
/** An event stream; texts are inserted as they are. */
export const stream = (...events: (object | string)[]): string =>
  events.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)).join('');
export const DONE = 'data: [DONE]\n\n';
export const CALL = {
  id: 'a',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
};
export const OSLO = { name: 'get_weather', arguments: '{"city":"Oslo"}' };

export const read = async (body: object | string, status = 200): Promise<ExpectedReply> =>
  outcomeOf(
    await answerChat('hosted', body, {
      status,
      isStreamed: typeof body === 'string' && body.includes('data: '),
    }),
  );
