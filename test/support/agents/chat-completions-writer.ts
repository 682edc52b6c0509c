// How servers of the chat completions protocol write a reply, whole and as a stream.
import type { ReplyWriter } from './calls-as-text';

const HEAD = { id: 'chatcmpl-1', created: 1, model: 'm', system_fingerprint: 'f' };
export const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const WRITER: ReplyWriter = {
  type: 'text/event-stream; charset=utf-8',
  whole: (content) => ({
    ...HEAD,
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content, reasoning_content: 'Hm.' }, finish_reason: 'stop' },
    ],
    usage: USAGE,
  }),
  stream: (pieces) => [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Hm.' }),
    ': keep-alive\n\n',
    ...pieces.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE })}\n\n`,
    'data: [DONE]\n\n',
  ],
};
