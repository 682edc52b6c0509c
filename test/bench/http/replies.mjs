// Complete responses of the server, ready to be sent. All protocols have the same content.

const SENTENCE =
  'The quick brown fox jumps over the lazy dog; “quoted” text, a "word" of code,\n and a café. ';
const prose = (length) => SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length);

export const DELTAS_PER_STREAM = 2000;
const WORDS = ['alpha', ' beta', ' gam', 'ma', ' delta', ' "q"', '\n', ' café'];
const deltas = Array.from({ length: DELTAS_PER_STREAM }, (_, index) => WORDS[index % WORDS.length]);

export const CALLS_OF_BIG = 4;
const CALLS = Array.from({ length: CALLS_OF_BIG }, (_, index) => ({
  name: 'write_file',
  arguments: { path: `src/file-${index}.ts`, content: prose(11_000) },
}));

const hosted = {
  reply: (content, calls) => ({
    id: 'chatcmpl-abc123',
    object: 'chat.completion',
    created: 1_730_000_000,
    model: 'm',
    system_fingerprint: 'fp_1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          ...(calls.length > 0 && {
            tool_calls: calls.map((call, index) => ({
              id: `call_${index}`,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.arguments) },
            })),
          }),
        },
        logprobs: null,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  }),
  chunk: (rest) => {
    const chunk = {
      id: 'chatcmpl-abc123',
      object: 'chat.completion.chunk',
      created: 1_730_000_000,
      model: 'm',
      system_fingerprint: 'fp_1',
      ...rest,
    };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  },
  stream() {
    const choice = (delta, reason = null) => ({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    });
    const usage = {
      prompt_tokens: 100,
      completion_tokens: DELTAS_PER_STREAM,
      total_tokens: DELTAS_PER_STREAM + 100,
    };
    return [
      ...deltas.map((content) => this.chunk(choice({ content }))),
      this.chunk(choice({}, 'stop')),
      this.chunk({ choices: [], usage }),
      'data: [DONE]\n\n',
    ];
  },
  streamType: 'text/event-stream',
};

const TIMES = {
  total_duration: 5e9,
  load_duration: 1e7,
  prompt_eval_count: 100,
  prompt_eval_duration: 1e8,
  eval_count: 50,
  eval_duration: 4e9,
};
const head = { model: 'm', created_at: '2024-11-01T00:00:00.000000Z' };

const local = {
  reply: (content, calls) => ({
    ...head,
    message: {
      role: 'assistant',
      content,
      ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ function: call })) }),
    },
    done_reason: 'stop',
    done: true,
    ...TIMES,
  }),
  stream: () => [
    ...deltas.map(
      (content) => `${JSON.stringify({ ...head, message: { role: 'assistant', content }, done: false })}\n`,
    ),
    `${JSON.stringify({ ...head, message: { role: 'assistant', content: '' }, done_reason: 'stop', done: true, ...TIMES })}\n`,
  ],
  streamType: 'application/x-ndjson',
};

const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

const messages = {
  message: (content, reason, usage) => ({
    id: 'msg_abc123',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage,
  }),
  reply(content, calls) {
    const blocks = calls.map((call, index) => ({
      type: 'tool_use',
      id: `toolu_${index}`,
      name: call.name,
      input: call.arguments,
    }));
    return this.message(
      [{ type: 'text', text: content }, ...blocks],
      calls.length > 0 ? 'tool_use' : 'end_turn',
      {
        input_tokens: 100,
        output_tokens: 50,
      },
    );
  },
  stream() {
    return [
      event('message_start', { message: this.message([], null, { input_tokens: 100, output_tokens: 1 }) }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...deltas.map((text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: DELTAS_PER_STREAM },
      }),
      event('message_stop', {}),
    ];
  },
  streamType: 'text/event-stream',
};

const responses = {
  response: (status, output, outputTokens) => ({
    id: 'resp_abc123',
    object: 'response',
    created_at: 1_730_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: 'm',
    output,
    usage: outputTokens && {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: outputTokens + 100,
    },
  }),
  text: (text) => ({
    type: 'message',
    id: 'msg_abc123',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  }),
  reply(content, calls) {
    const items = calls.map((call, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    }));
    return this.response('completed', [this.text(content), ...items], 50);
  },
  stream() {
    const place = { item_id: 'msg_abc123', output_index: 0, content_index: 0 };
    const whole = this.text(deltas.join(''));
    const open = { ...whole, status: 'in_progress', content: [] };
    const parts = [
      ['response.created', { response: this.response('in_progress', [], null) }],
      ['response.output_item.added', { output_index: 0, item: open }],
      ['response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }],
      ...deltas.map((delta) => ['response.output_text.delta', { ...place, delta, logprobs: [] }]),
      ['response.output_text.done', { ...place, text: deltas.join('') }],
      ['response.content_part.done', { ...place, part: whole.content[0] }],
      ['response.output_item.done', { output_index: 0, item: whole }],
      ['response.completed', { response: this.response('completed', [whole], DELTAS_PER_STREAM) }],
    ];
    return parts.map(([type, rest], index) => event(type, { sequence_number: index, ...rest }));
  },
  streamType: 'text/event-stream',
};

export function toAnswer(text, type = 'application/json') {
  const body = Buffer.from(text);
  const start = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: keep-alive\r\n\r\n`;
  return Buffer.concat([Buffer.from(start), body]);
}

/** Each event is a chunk of its own, as real servers send it; here they arrive in one burst. */
function toStreamedAnswer(parts, type) {
  const start = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n`;
  const chunks = parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
  return Buffer.from(`${start}${chunks.join('')}0\r\n\r\n`);
}

const toAnswers = (protocol) => ({
  small: toAnswer(JSON.stringify(protocol.reply(prose(620), []))),
  big: toAnswer(JSON.stringify(protocol.reply(prose(14_000), CALLS))),
  burst: toStreamedAnswer(protocol.stream(), protocol.streamType),
});

/** By the end of the path. */
export const ANSWERS = {
  '/chat/completions': toAnswers(hosted),
  '/api/chat': toAnswers(local),
  '/messages': toAnswers(messages),
  '/responses': toAnswers(responses),
};
