// Turns of a recorded conversation, as chat completions.
import type { RecordedExchange } from '../../../../src/types';
import { recordedExchange, replyOf } from '../../../support/recording/recorded-exchange';

export const TOOL = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads {{ a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
};
export const SYSTEM = { role: 'system', content: 'Be brief.' };
export const USER = { role: 'user', content: 'Mend the bug.' };

export const call = (id: string, args: unknown = { path: id }, name = 'read_file') => ({
  id,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});
export const calling = (...calls: object[]) => ({ role: 'assistant', content: '', tool_calls: calls });
export const result = (id: string, content = `file ${id}`) => ({ role: 'tool', tool_call_id: id, content });

export interface Made {
  number?: number;
  body?: object;
  status?: number;
  change?: Partial<RecordedExchange>;
}

export function exchange(
  messages: readonly object[],
  reply: object | undefined,
  made: Made = {},
): RecordedExchange {
  const { number = 1, body = {}, status = 200, change } = made;
  return recordedExchange({
    number,
    startedAt: number,
    url: 'http://127.0.0.1:8080/v1/chat/completions',
    asked: { model: 'm', messages, tools: [TOOL], ...body },
    ...(reply ? { reply: replyOf(reply), status } : { response: undefined }),
    ...change,
  });
}
