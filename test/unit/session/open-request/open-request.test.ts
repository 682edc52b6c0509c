// To which protocol and address a request belongs, and what is said of what is missing.
import { expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { OpenedRequest } from '../../../../src/session/open-request';
import { findRequests, openedText, openRequest } from '../../../../src/session/open-request';

const BODY = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';

function open(text: string): OpenedRequest {
  const [found] = findRequests(text);
  if (!found) throw new Error('nothing was found');
  return openRequest(found, PROVIDER_CATALOG);
}

const curl = (url: string, body = BODY): string => `curl ${url} -d '${body}'`;

test.each([
  ['https://api.groq.com/openai/v1/', 'hosted-api', 'https://api.groq.com/openai/v1'],
  ['https://api.groq.com/openai/v1/chat/completions/', 'hosted-api', 'https://api.groq.com/openai/v1'],
  ['https://api.anthropic.com/v1/messages/count_tokens', 'messages-api', 'https://api.anthropic.com'],
  ['http://localhost:8000/elsewhere', 'hosted-api', 'http://localhost:8000/v1'],
])('a request to %s is one of the protocol %s at %s', (url, protocol, host) => {
  const opened = open(curl(url));
  expect([opened.entry.id, opened.host]).toEqual([protocol, host]);
});

test.each(['embeddings', 'moderations', 'audio/speech', 'images/generations'])(
  'a request to /%s is no chat, although it has an input',
  (path) => {
    const request = curl(`http://localhost:8000/v1/${path}`, '{"model":"m","input":"hi"}');
    expect(() => open(request)).toThrow(/is no chat: it goes to \/\w+/);
  },
);

test('what is no literal is named, also within a variable of the code', () => {
  const { leftOut } = open(`
messages = [{"role": "system", "content": system_prompt}, {"role": "user", "content": f"Hi {name}"}]
other = [unrelated]
client.chat.completions.create(model="m", messages=messages, **options)
`);
  expect(leftOut.join()).toContain('system_prompt');
  expect(leftOut.join()).toContain('name');
  expect(leftOut.join()).toContain('…');
  expect(leftOut.join()).not.toContain('unrelated');
});

test('tools and calls of Claude in a run of LangSmith are those of its messages', () => {
  const message = (type: string, kwargs: object): object => ({ id: ['langchain', type], kwargs });
  const call = { name: 'f', args: { a: 1 }, id: 't1' };
  const content = [
    { type: 'text', text: 'Let me see.' },
    { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
  ];
  const run = {
    run_type: 'llm',
    inputs: {
      messages: [
        [
          message('HumanMessage', { content: 'hi' }),
          message('AIMessage', { content, tool_calls: [call] }),
          message('ToolMessage', { content: 'ok', tool_call_id: 't1' }),
        ],
      ],
    },
    extra: {
      invocation_params: { model: 'm', tools: [{ name: 'f', input_schema: { type: 'object' } }] },
    },
    outputs: {
      generations: [[{ text: 'So.' }]],
      llm_output: { token_usage: { prompt_tokens: 5, completion_tokens: 2 } },
    },
  };
  const opened = open(JSON.stringify(run));
  expect(JSON.parse(openedText(opened, 'c'))).toMatchObject({
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [{ id: 't1', name: 'f', arguments: { a: 1 } }],
      },
      { role: 'tool', content: 'ok', toolCallId: 't1' },
    ],
    tools: [{ name: 'f', parameters: { type: 'object' } }],
  });
  expect(JSON.parse(opened.reply?.body ?? '')).toMatchObject({
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  });
});

test('a span that a tracer printed has its times, and the address and parameters under older names', () => {
  const span = {
    name: 'openai.chat',
    start_time: '2024-11-01T10:00:00.000000Z',
    end_time: '2024-11-01T10:00:01.500000Z',
    attributes: {
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'hi',
      'gen_ai.completion.0.content': 'ho',
      'gen_ai.openai.api_base': 'https://api.example.com/openai/v1/',
      'llm.request.temperature': 0.5,
      'gen_ai.openai.request.seed': 7,
      'gen_ai.openai.request.response_format': 'json_object',
    },
  };
  const { host, body, reply, leftOut } = open(JSON.stringify(span));
  expect(host).toBe('https://api.example.com/openai/v1');
  expect(JSON.parse(body)).toMatchObject({ temperature: 0.5, seed: 7 });
  expect(reply).toMatchObject({ startedAt: 1_730_455_200_000, durationMs: 1_500 });
  expect(leftOut.join()).toContain('gen_ai.openai.request.response_format');
});

test('a key in a report is in nothing but the key, also where the reply repeats it', () => {
  const key = 'gsk_0123456789abcdefCANARY';
  const opened = open(`AI_APICallError: {
  url: 'https://api.groq.com/openai/v1/chat/completions?api_key=${key}',
  requestBodyValues: { model: 'm', messages: [ { role: 'user', content: 'hi' } ], api_key: '${key}' },
  headers: { authorization: 'Bearer ${key}' },
  statusCode: 401,
  responseBody: '{"error":{"message":"Incorrect API key provided: ${key}"}}'
}`);
  const { key: found, ...rest } = opened;
  expect(found?.value).toBe(key);
  expect(opened.reply?.status).toBe(401);
  expect(JSON.stringify(rest) + openedText(opened, 'c')).not.toContain('CANARY');
});
