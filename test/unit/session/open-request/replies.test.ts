// Replies that stand behind their request in a text: of which form they are, and what is no reply.
import { describe, expect, test } from 'vitest';
import { findRequests, UnreadRequest } from '../../../../src/session/open-request';
import { computedMsSince } from '../../../support/computed-ms';

const BODY = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const CURL = `curl http://localhost:8000/v1/chat/completions -d '${BODY}'`;
const DOCUMENT = '{"choices":[{"index":0,"message":{"role":"assistant","content":"Hm."}}]}';
const chunk = (content: string): string => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}`;
const EVENTS = [chunk('a'), '', chunk('b'), '', 'data: [DONE]'].join('\n');
const MESSAGES = [
  'event: message_start',
  'data: {"type":"message_start","message":{"id":"m"}}',
  '',
  'event: message_stop',
  'data: {"type":"message_stop"}',
].join('\n');
const LINES = [
  '{"message":{"role":"assistant","content":"a"},"done":false}',
  '{"message":{"role":"assistant","content":""},"done":true}',
].join('\n');

const replyIn = (text: string) => {
  const [found] = findRequests(text);
  return {
    status: found?.reply?.status,
    type: found?.reply?.headers['content-type'],
    body: found?.reply?.body,
  };
};

describe.each([
  ['a command', CURL],
  ['JSON in prose', `The request is\n${BODY}`],
  [
    'code',
    `fetch("http://localhost/v1/chat/completions", { method: "POST", body: JSON.stringify(${BODY}) })`,
  ],
])('behind %s', (_, request) => {
  test.each([
    ['application/json', DOCUMENT, DOCUMENT],
    ['text/event-stream', EVENTS, `${EVENTS}\n\n`],
    ['text/event-stream', MESSAGES, `${MESSAGES}\n\n`],
    ['application/x-ndjson', LINES, `${LINES}\n`],
  ])('a reply is read whole: %s', (type, reply, body) => {
    expect(replyIn(`${request}\n\nI get:\n\n${reply}\n`)).toEqual({ status: 200, type, body });
  });

  test.each([
    ['{"error":{"message":"No.","type":"invalid_request_error"}}', 400],
    ['HTTP/1.1 503 Service Unavailable\n\n{"error":"overloaded"}', 503],
    [
      '< HTTP/2 429\n< retry-after: 3\n<\n{"type":"error","error":{"type":"rate_limit_error","message":"x"}}',
      429,
    ],
  ])('an error is a reply: %s', (reply, status) => {
    expect(replyIn(`${request}\n\n${reply}`)).toMatchObject({ status, type: 'application/json' });
  });

  test.each(['{"note":"none"}', 'data: nothing', '{"choices":'])('that is none: %s', (text) => {
    expect(replyIn(`${request}\n\n${text}`).status).toBeUndefined();
  });
});

test('several requests have the reply behind each', () => {
  const found = findRequests(`${CURL}\n${DOCUMENT}\n${CURL.replace('hi', 'ho')}\n${EVENTS}`);
  expect(found.map(({ reply }) => reply?.headers['content-type'])).toEqual([
    'application/json',
    'text/event-stream',
  ]);
});

test.each([DOCUMENT, EVENTS, LINES, `It said: ${DOCUMENT}`])(
  'a reply alone says what is missing: %s',
  (text) => {
    expect(() => findRequests(text)).toThrow(/reply of a model, without its request/);
  },
);

test('messages alone in a text say that the rest is missing', () => {
  const [found] = findRequests(
    `http POST localhost:8000 model=m messages:='[{"role":"user","content":"hi"}]'`,
  );
  expect(found?.leftOut.join()).toContain('everything but the messages');
  const [whole] = findRequests('[{"role":"user","content":"hi"}]');
  expect(whole?.leftOut).toEqual([]);
});

test('code that cannot be read says so', () => {
  const code = 'Invoke-RestMethod -Uri http://localhost/v1/chat/completions -Method Post';
  expect(() => findRequests(code)).toThrow(/cannot be read without running it/);
});

const CALL = 'irm -Uri http://localhost -Body ';

test.each([
  ['an option again and again', `${CALL}@{a=`, '-d '],
  ['calls whose bracket stays open', '', 'irm -Body ('],
  ['lists within lists', `${CALL}@{a=`, '@('],
  ['variables of each other', CALL, '$b=$a,$a;$a=$b,$b;'],
  ['values without a request', '', '{"a":1}'],
  ['events without an end', CURL, 'data: {'],
])('a long text of %s is read in a moment', (_, start, unit) => {
  const begun = process.cpuUsage();
  try {
    findRequests(start + unit.repeat(300_000 / unit.length));
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadRequest);
  }
  expect(computedMsSince(begun)).toBeLessThan(5_000);
});

describe('objects as Python prints them', () => {
  const FUNCTION = 'Function(arguments=\'{"city": "Oslo"}\', name=\'f\')';
  const CALL_OBJECT = `ChatCompletionMessageToolCall(id='c1', function=${FUNCTION}, type='function')`;
  const MESSAGE = `ChatCompletionMessage(content='It\\'s', refusal=None, role='assistant', tool_calls=[${CALL_OBJECT}])`;
  const COMPLETION = `ChatCompletion(id='c', choices=[Choice(finish_reason='stop', index=0, logprobs=None, message=${MESSAGE})], created=1, model='m', object='chat.completion', usage=CompletionUsage(completion_tokens=3, prompt_tokens=9))`;
  const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"city": "Oslo"}' } }];

  test.each([
    ['a completion', COMPLETION, { choices: [{ message: { content: "It's", tool_calls: calls } }] }],
    ['its message', MESSAGE, { choices: [{ message: { content: "It's", tool_calls: calls } }] }],
    [
      'a message of Anthropic',
      "Message(id='msg_1', content=[TextBlock(citations=None, text='So.', type='text'), ToolUseBlock(id='t', input={'a': 1}, name='f', type='tool_use')], model='m', role='assistant', stop_reason='tool_use', type='message', usage=Usage(input_tokens=1, output_tokens=2))",
      { type: 'message', content: [{ text: 'So.' }, { input: { a: 1 } }], stop_reason: 'tool_use' },
    ],
    [
      'a reply of Ollama',
      "ChatResponse(model='m', created_at='t', done=True, done_reason='stop', message=Message(role='assistant', content='', tool_calls=[ToolCall(function=Function(name='f', arguments={'a': 1}))]))",
      { done: true, message: { tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] } },
    ],
  ])('are a reply: %s', (_, text, reply) => {
    expect(JSON.parse(replyIn(`${CURL}\n\nprints\n\n${text}`).body ?? '')).toMatchObject(reply);
  });

  test('are a conversation of LangChain', () => {
    const [found] = findRequests(
      `[SystemMessage(content='s', additional_kwargs={}), HumanMessage(content="What's up?"), AIMessage(content='', additional_kwargs={'tool_calls': [{'id': 'c1', 'function': {'arguments': '{}', 'name': 'f'}, 'type': 'function'}]}), ToolMessage(content='ok', tool_call_id='c1')]`,
    );
    expect(JSON.parse(found?.body ?? '').messages).toMatchObject([
      { role: 'system', content: 's' },
      { role: 'user', content: "What's up?" },
      { role: 'assistant', tool_calls: [{ id: 'c1' }] },
      { role: 'tool', content: 'ok', tool_call_id: 'c1' },
    ]);
    expect(found?.leftOut.join()).toContain('everything but the messages');
  });
});

test('the log of LangChain is a conversation and its reply', () => {
  const prompt = 'System: Be kind.\nHuman: Weather?\nIn Oslo: now.\nAI: \nTool: 4 °C';
  const answer = { generations: [[{ text: 'Cold.', generation_info: { finish_reason: 'stop' } }]] };
  const [found] = findRequests(`[llm/start] [llm:ChatOpenAI] Entering LLM run with input:
${JSON.stringify({ prompts: [prompt] }, null, 2)}
[llm/end] [llm:ChatOpenAI] [1.2s] Exiting LLM run with output:
${JSON.stringify(answer, null, 2)}`);
  expect(JSON.parse(found?.body ?? '')).toEqual({
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Weather?\nIn Oslo: now.' },
      { role: 'assistant', content: '' },
      { role: 'tool', content: '4 °C' },
    ],
  });
  expect(found?.leftOut.join()).toContain('the model, its tools and settings');
  expect(JSON.parse(found?.reply?.body ?? '')).toMatchObject({
    choices: [{ message: { content: 'Cold.' }, finish_reason: 'stop' }],
  });
});
