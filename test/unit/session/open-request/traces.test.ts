// What different conventions of traces say of the same chat opens to the same playground, with the same reply.
import { describe, expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { findRequests, openedText, openRequest } from '../../../../src/session/open-request';

const ARGUMENTS = '{"city":"Oslo"}';
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };
const FUNCTION = { name: 'get_weather', description: 'd', parameters: PARAMETERS };
const CALL = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };

const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Oslo?' },
  { role: 'assistant', content: '', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: '4' },
];
const OUTPUT = { role: 'assistant', content: 'Cold.' };

const DOCUMENT = {
  version: 1,
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Oslo?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }],
    },
    { role: 'tool', content: '4', toolCallId: 'c1', toolName: 'get_weather' },
  ],
  tools: [FUNCTION],
  lanes: [{ id: 'a', connection: 'c', model: 'm', sampling: { temperature: 0.5, maxTokens: 9 } }],
};

const anyOf = (value: unknown): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyOf) } };
  return { kvlistValue: { values: attributesOf(value as object) } };
};
const attributesOf = (attributes: object): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyOf(value) }));

const REQUEST = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.request.temperature': 0.5,
  'gen_ai.request.max_tokens': 9,
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.usage.input_tokens': 11,
  'gen_ai.usage.output_tokens': 3,
};

const span = (attributes: object, events: object[] = []): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'x' }) },
      scopeSpans: [
        {
          spans: [
            { name: 'GET /', attributes: attributesOf({ 'http.method': 'GET' }) },
            {
              name: 'chat m',
              startTimeUnixNano: '1700000000000000000',
              endTimeUnixNano: '1700000001500000000',
              attributes: attributesOf(attributes),
              events,
            },
          ],
        },
      ],
    },
  ],
});

const event = (name: string, attributes: object): object => ({ name, attributes: attributesOf(attributes) });
const TOOLS = JSON.stringify([{ type: 'function', ...FUNCTION }]);

const PARTS = [
  { role: 'user', parts: [{ type: 'text', content: 'Oslo?' }] },
  {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '4' }] },
];

/** `gen_ai.prompt.0.role` … */
function indexed(prefix: string, list: readonly object[], infix = ''): object {
  const flat: [string, unknown][] = [];
  const add = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) flat.push([path, value]);
    else for (const [key, one] of Object.entries(value)) add(`${path}.${key}`, one);
  };
  for (const [index, one] of list.entries()) add(`${prefix}.${index}${infix}`, one);
  return Object.fromEntries(flat);
}

const openInference = ({ tool_calls: calls, ...message }: (typeof MESSAGES)[number]): object => ({
  ...message,
  ...(calls && { tool_calls: calls.map((call) => ({ tool_call: call })) }),
});

const lc = (kind: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', kind],
  kwargs,
});

const TRACES: Readonly<Record<string, unknown>> = {
  'OTLP with parts as JSON text': span({
    ...REQUEST,
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be brief.' }]),
    'gen_ai.input.messages': JSON.stringify(PARTS),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: 'Cold.' }], finish_reason: 'stop' },
    ]),
    'gen_ai.tool.definitions': TOOLS,
  }),
  'OTLP with parts as values': span({
    ...REQUEST,
    'gen_ai.input.messages': [{ role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] }, ...PARTS],
    'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'Cold.' }] }],
    'gen_ai.tool.definitions': TOOLS,
  }),
  'OTLP with one event of details': span({ 'gen_ai.request.model': 'm' }, [
    event('gen_ai.client.inference.operation.details', {
      ...REQUEST,
      'gen_ai.input.messages': [
        { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
        ...PARTS,
      ],
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'Cold.' }] }],
      'gen_ai.tool.definitions': TOOLS,
    }),
  ]),
  'OTLP with an event for each message': span({ ...REQUEST, 'gen_ai.tool.definitions': TOOLS }, [
    event('gen_ai.system.message', { content: 'Be brief.' }),
    event('gen_ai.user.message', { content: 'Oslo?' }),
    event('gen_ai.assistant.message', { content: '', tool_calls: JSON.stringify([CALL]) }),
    event('gen_ai.tool.message', { content: '4', id: 'c1' }),
    event('gen_ai.choice', { index: 0, finish_reason: 'stop', message: JSON.stringify(OUTPUT) }),
  ]),
  'OTLP with one event for all messages': span({ ...REQUEST, 'gen_ai.tool.definitions': TOOLS }, [
    event('gen_ai.content.prompt', { 'gen_ai.prompt': JSON.stringify(MESSAGES) }),
    event('gen_ai.content.completion', { 'gen_ai.completion': JSON.stringify([OUTPUT]) }),
  ]),
  'OTLP with an attribute for each member': span({
    ...REQUEST,
    ...indexed('gen_ai.prompt', [
      MESSAGES[0] ?? {},
      MESSAGES[1] ?? {},
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', name: 'get_weather', arguments: ARGUMENTS }],
      },
      MESSAGES[3] ?? {},
    ]),
    ...indexed('gen_ai.completion', [{ ...OUTPUT, finish_reason: 'stop' }]),
    ...indexed('llm.request.functions', [{ ...FUNCTION, parameters: JSON.stringify(PARAMETERS) }]),
  }),
  'OTLP of OpenInference': span({
    'llm.model_name': 'm',
    'llm.invocation_parameters': '{"temperature":0.5,"max_tokens":9}',
    ...indexed('llm.input_messages', MESSAGES.map(openInference), '.message'),
    ...indexed('llm.output_messages', [OUTPUT], '.message'),
    'llm.tools.0.tool.json_schema': JSON.stringify({ type: 'function', function: FUNCTION }),
    'llm.token_count.prompt': 11,
    'llm.token_count.completion': 3,
    'gen_ai.response.finish_reasons': ['stop'],
  }),
  'a LangSmith run of LangChain': {
    id: 'r',
    run_type: 'chain',
    inputs: { question: 'x' },
    child_runs: [
      {
        name: 'ChatOpenAI',
        run_type: 'llm',
        start_time: '2023-11-14T22:13:20',
        end_time: '2023-11-14T22:13:21.500',
        inputs: {
          messages: [
            [
              lc('SystemMessage', { content: 'Be brief.' }),
              lc('HumanMessage', { content: 'Oslo?' }),
              lc('AIMessage', {
                content: '',
                tool_calls: [{ name: 'get_weather', args: { city: 'Oslo' }, id: 'c1' }],
              }),
              lc('ToolMessage', { content: '4', tool_call_id: 'c1' }),
            ],
          ],
        },
        outputs: {
          generations: [
            [
              {
                text: 'Cold.',
                generation_info: { finish_reason: 'stop' },
                message: lc('AIMessage', {
                  content: 'Cold.',
                  usage_metadata: { input_tokens: 11, output_tokens: 3 },
                }),
              },
            ],
          ],
        },
        extra: {
          invocation_params: {
            _type: 'openai-chat',
            model_name: 'm',
            temperature: 0.5,
            max_tokens: 9,
            tools: [{ type: 'function', function: FUNCTION }],
          },
        },
      },
    ],
  },
  'a LangSmith run of a wrapped client': {
    run_type: 'llm',
    name: 'ChatOpenAI',
    start_time: 1_700_000_000_000,
    end_time: 1_700_000_001_500,
    inputs: {
      model: 'm',
      temperature: 0.5,
      max_tokens: 9,
      messages: MESSAGES,
      tools: [{ type: 'function', function: FUNCTION }],
    },
    outputs: {
      choices: [{ index: 0, message: OUTPUT, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 3 },
    },
  },
  'a trace of Langfuse': {
    id: 't',
    observations: [
      { type: 'SPAN', input: 'x' },
      {
        type: 'GENERATION',
        name: 'chat',
        model: 'm',
        modelParameters: { temperature: 0.5, max_tokens: 9 },
        input: JSON.stringify({ messages: MESSAGES, tools: [{ type: 'function', function: FUNCTION }] }),
        output: OUTPUT,
        usageDetails: { input: 11, output: 3 },
        startTime: '2023-11-14T22:13:20.000Z',
        endTime: '2023-11-14T22:13:21.500Z',
      },
    ],
  },
};

describe.each(Object.entries(TRACES))('%s', (_name, trace) => {
  const found = findRequests(JSON.stringify(trace));

  test('opens as the chat that it describes', () => {
    expect(found).toHaveLength(1);
    const opened = openRequest(found[0] ?? { headers: [], body: '', leftOut: [] }, PROVIDER_CATALOG);
    expect(JSON.parse(openedText(opened, 'c'))).toEqual(DOCUMENT);
    expect(opened.leftOut).toEqual([]);
  });

  test('has the reply, with its counts and times', () => {
    const [{ reply } = { reply: undefined }] = found;
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({
      choices: [{ message: OUTPUT }],
      usage: { prompt_tokens: 11, completion_tokens: 3 },
    });
    expect(reply).toMatchObject({ startedAt: 1_700_000_000_000, durationMs: 1_500 });
  });
});

test('a line for each span is read as well, and a span without contents says so', () => {
  const line = JSON.stringify({ name: 'chat', attributes: { 'gen_ai.request.model': 'm' } });
  expect(() => findRequests(`${line}\n${line}\n`)).toThrow(/has no messages/);
  const prompt = {
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': 'hi',
    'gen_ai.request.top_z': 1,
  };
  const [found] = findRequests(`${line}\n${JSON.stringify({ name: 'chat', attributes: prompt })}\n`);
  expect(found).toMatchObject({ body: '{"messages":[{"role":"user","content":"hi"}]}' });
  expect(found?.leftOut.join()).toContain('gen_ai.request.top_z');
});

test('what a message has beside its text is named', () => {
  const parts = [
    { type: 'text', content: 'What is this?' },
    { type: 'uri', modality: 'image', uri: 'https://x/y.png' },
  ];
  const [found] = findRequests(
    JSON.stringify(span({ ...REQUEST, 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts }]) })),
  );
  expect(found?.leftOut.join()).toContain('uri');
});

test.each(['__proto__', 'constructor', '99999999', '0.a.b.c.d.e.f.g.h.i.j'])(
  'survives the hostile index %s',
  (index) => {
    const attributes = { [`gen_ai.prompt.${index}.role`]: 'user', 'gen_ai.prompt.0.__proto__.x': 'y' };
    expect(() => findRequests(JSON.stringify(span(attributes)))).not.toThrow(TypeError);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  },
);
