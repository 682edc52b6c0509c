// The events of one turn in the two protocols that name their events: reasoning, a text in two pieces, and a call in two pieces.
import type { Providers } from '../../../src/library';
import { MessagesApiProvider, ResponsesApiProvider } from '../../../src/library';

export type StreamEvent = { type: string } & Record<string, unknown>;

export interface EventScript {
  name: string;
  make: (host: string, timeoutMs?: number) => Providers;
  /** In order; the last one is the end mark. */
  events: readonly StreamEvent[];
  ping: string;
  error: string;
  /** The status that this error stands for. */
  told: number;
  /** The events of the text, of which the second piece says `rest`. */
  text: (rest: string) => StreamEvent;
}

export const toText = (event: StreamEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const options = { apiKey: '', auth: 'none', model: 'm' } as const;
const retryOf = (timeoutMs?: number) => ({ maxAttempts: 1, ...(timeoutMs !== undefined && { timeoutMs }) });

const delta = (index: number, fields: object): StreamEvent => ({
  type: 'content_block_delta',
  index,
  delta: fields,
});
const open = (index: number, block: object): StreamEvent => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const close = (index: number): StreamEvent => ({ type: 'content_block_stop', index });

export const MESSAGES: EventScript = {
  name: 'messages',
  make: (host, timeoutMs) => new MessagesApiProvider({ ...options, host, retry: retryOf(timeoutMs) }),
  events: [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
    },
    open(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    close(0),
    open(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Let me ' }),
    delta(1, { type: 'text_delta', text: 'look.' }),
    close(1),
    open(2, { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '{"zone": "U' }),
    delta(2, { type: 'input_json_delta', partial_json: 'TC"}' }),
    close(2),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  ping: toText({ type: 'ping' }),
  error: toText({ type: 'error', error: { type: 'overloaded_error', message: 'the runner stopped' } }),
  told: 529,
  text: (rest) => delta(1, { type: 'text_delta', text: rest }),
};

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] as object[], encrypted_content: 'AAEC' };
const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] as object[] };
const call = { type: 'function_call', id: 'fc_1', call_id: 'toolu_1', name: 'clock', arguments: '' };
const OUTPUT = [
  { ...reasoning, summary: [{ type: 'summary_text', text: 'Hm.' }] },
  { ...message, content: [{ type: 'output_text', text: 'Let me look.' }] },
  { ...call, arguments: '{"zone": "UTC"}' },
];
const added = (index: number, item: object): StreamEvent => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});
const done = (index: number): StreamEvent => ({
  type: 'response.output_item.done',
  output_index: index,
  item: OUTPUT[index],
});
const piece = (type: string, index: number, text: string): StreamEvent => ({
  type: `response.${type}.delta`,
  output_index: index,
  delta: text,
});

export const RESPONSES: EventScript = {
  name: 'responses',
  make: (host, timeoutMs) => new ResponsesApiProvider({ ...options, host, retry: retryOf(timeoutMs) }),
  events: [
    { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
    added(0, reasoning),
    piece('reasoning_summary_text', 0, 'Hm.'),
    done(0),
    added(1, message),
    piece('output_text', 1, 'Let me '),
    piece('output_text', 1, 'look.'),
    done(1),
    added(2, call),
    piece('function_call_arguments', 2, '{"zone": "U'),
    piece('function_call_arguments', 2, 'TC"}'),
    done(2),
    {
      type: 'response.completed',
      response: {
        id: 'resp_1',
        model: 'm',
        status: 'completed',
        error: null,
        output: OUTPUT,
        usage: { output_tokens: 9 },
      },
    },
  ],
  ping: ': keep-alive\n\n',
  error: toText({
    type: 'error',
    error: { type: 'server_error', code: 'server_is_overloaded', message: 'the runner stopped' },
  }),
  told: 503,
  text: (rest) => piece('output_text', 1, rest),
};
