import { expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { ReadRun } from '../../../../src/session';
import { parseDocument, playgroundOfRun } from '../../../../src/session';
import { makeSetup } from '../../../support/session/make-setup';

const RECORD = { connectionId: 'own', model: 'm' } as ReadRun['record'];

function toRun(url: string, body: unknown, sent: Record<string, string> = {}): ReadRun {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    record: RECORD,
    setup: undefined,
    wire: {
      connectionId: 'own',
      model: 'm',
      tools: [],
      requests: [{ method: 'POST', url, headers: {}, body: text }],
      attempts: [{ name: 'attempt-1', request: 0 }],
      sampling: { lane: {}, connection: {}, keys: {}, sent, dropped: [] },
    },
  };
}

const TOOL = { name: 'get_weather', description: 'd', parameters: { type: 'object', properties: {} } };
const copy = (run: ReadRun) => playgroundOfRun(run, PROVIDER_CATALOG);
const asked = (run: ReadRun): unknown => JSON.parse(copy(run).text);

test('contains conversation, tools and settings from a request of the hosted protocol', () => {
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
  };
  const run = toRun(
    'https://h/v1/chat/completions',
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Oslo?' },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '4' },
      ],
      tools: [{ type: 'function', function: TOOL }],
      temperature: 0.2,
      logprobs: true,
      stream: true,
      stream_options: { include_usage: true },
    },
    { temperature: 'temperature' },
  );
  expect(asked(run)).toEqual({
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
    tools: [TOOL],
    lanes: [
      { id: 'a', connection: 'own', model: 'm', sampling: { temperature: 0.2 }, raw: { logprobs: true } },
    ],
  });
});

test('separates the options of the local protocol into sampling and raw', () => {
  const run = toRun(
    'http://h/api/chat',
    {
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      options: { seed: 1, num_batch: 2 },
      stream: true,
    },
    { seed: 'options.seed' },
  );
  expect(asked(run)).toMatchObject({
    messages: [{ role: 'user', content: 'x' }],
    lanes: [{ sampling: { seed: 1 }, raw: { options: { num_batch: 2 } } }],
  });
});

test('says what a document cannot have, and nothing else', () => {
  const call = (more: object) => ({
    messages: [
      { role: 'assistant', content: '', ...more },
      { role: 'tool', content: 'Error: no' },
    ],
  });
  const hosted = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const copied = [
    copy(toRun('http://h/api/chat', call({ thinking: 'Hm.' }))),
    copy(
      toRun('http://h/v1/chat/completions', call({ tool_calls: [{ ...hosted, extra_content: { a: 1 } }] })),
    ),
    copy(toRun('http://h/v1/chat/completions', call({ tool_calls: [{ ...hosted, index: 0 }] }))),
    copy(toRun('http://h/api/chat', '{"messages":')),
    copy(toRun('http://h/v1/chat/completions', call({ reasoning_content: 'Hm.', tool_calls: [hosted] }))),
  ];
  expect(copied.map(({ leftOut }) => leftOut)).toEqual([
    ['the reasoning in earlier replies'],
    ['what the service had added to its calls'],
    [],
    ['the request, which is not stored or not complete'],
    ['the reasoning in earlier replies'],
  ]);
  expect(parseDocument(copied[4]?.text ?? '').document?.messages[0]).toMatchObject({
    toolCalls: [{ name: 'f' }],
  });
  const [thought, , kept] = copied.map(({ text }) => parseDocument(text).document);
  expect(thought?.messages[1]).toMatchObject({ role: 'tool', content: 'no', isError: true });
  expect([kept?.messages, kept?.lanes[0]?.raw]).toMatchObject([
    [],
    { messages: [{ tool_calls: [{ index: 0 }] }, {}] },
  ]);
});

test('keeps a request unstreamed', () => {
  for (const path of ['/api/chat', '/v1/chat/completions']) {
    const run = toRun(`http://h${path}`, { model: 'm', messages: [], stream: false });
    expect(asked(run)).toMatchObject({ lanes: [{ raw: { stream: false } }] });
  }
});

test.each([
  ['nothing was sent', { record: RECORD, wire: undefined, setup: undefined }],
  ['the body was truncated', toRun('http://h/api/chat', '{"messages":[{"role":"us')],
  ['the body is not an object', toRun('http://h/api/chat', '[]')],
  ['the address is invalid', toRun('x', { messages: [null, 3] })],
])('is a valid playground even if %s', (_, run) => {
  const { document, error } = parseDocument(copy(run).text);
  expect(error).toBeUndefined();
  expect(document?.lanes).toMatchObject([{ id: 'a', connection: 'own', model: 'm' }]);
});

test('has from the setup what no request tells: mocks, limits, and that rescue was off', async () => {
  const mocks = [{ result: 'mild' }];
  const lane = { rescueToolCalls: false, limits: { maxSteps: 3 } };
  const setup = await makeSetup({ lane, tools: [{ ...TOOL, mocks }, { name: 'other' }] });
  const body = {
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: TOOL }],
  };
  expect(asked({ ...toRun('http://h/v1/chat/completions', body), setup })).toMatchObject({
    tools: [{ name: 'get_weather', mocks }],
    lanes: [{ rescueToolCalls: false, limits: { maxSteps: 3 } }],
  });
});

test('asks what the setup says when nothing was sent', async () => {
  const setup = await makeSetup({
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [TOOL],
    lane: { sampling: { temperature: 0 }, raw: { x: 1 } },
  });
  const run = { record: RECORD, wire: undefined, setup };
  expect(parseDocument(copy(run).text).document).toMatchObject({
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [TOOL],
    lanes: [{ connection: 'own', sampling: { temperature: 0 }, raw: { x: 1 } }],
  });
});
