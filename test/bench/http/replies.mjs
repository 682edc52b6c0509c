// Complete responses of the server, ready to be sent. Both protocols have the same content.

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

export const ANSWERS = { 'hosted-api': toAnswers(hosted), 'local-host': toAnswers(local) };
