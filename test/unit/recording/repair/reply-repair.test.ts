// The repair of single replies: damaged native calls, and everything that has to stay byte for byte.
import { describe, expect, it } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { readChat } from '../../../../src/recording/read-chat';
import { openRepair } from '../../../../src/recording/repair/open-repair';
import { computedMsSince } from '../../../support/computed-ms';

const PROTOCOL = PROVIDER_CATALOG.find(({ isUsual }) => isUsual);
const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  },
];
const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';

const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const called = (args: string, more: object = {}): object => ({
  tool_calls: [{ index: 0, function: { arguments: args }, ...more }],
});
const DONE = 'data: [DONE]\n\n';

function repair(body: string | Buffer, { size = 1_000_000, type = 'text/event-stream', more = {} } = {}) {
  if (!PROTOCOL) throw new Error('there is no usual protocol');
  const chat = readChat(JSON.stringify({ messages: [], tools: TOOLS, ...more }));
  const { repair: opened } = openRepair(PROTOCOL, chat, { status: 200, fields: { 'content-type': type } });
  const bytes = Buffer.from(body);
  const given: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    given.push(opened?.push(bytes.subarray(at, at + size)) ?? Buffer.alloc(0));
  given.push(opened?.end() ?? Buffer.alloc(0));
  return { opened, body: Buffer.concat(given), changed: opened?.changed };
}

/** The pieces of the arguments of the first call, joined. */
const argumentsIn = (body: Buffer): string =>
  [...body.toString().matchAll(/^data: (\{.*)$/gm)]
    .map(([, json = '']) => JSON.parse(json).choices[0]?.delta.tool_calls?.[0]?.function.arguments ?? '')
    .join('');

describe('damaged arguments of a native call', () => {
  const start = event(called('', { id: 'call_7', function: { name: 'get_weather', arguments: '' } }));
  const stream = (args: string, finish: string): string =>
    [start, ...Array.from(args, (piece) => event(called(piece))), event({}, finish), DONE].join('');

  it.each([
    ['a trailing comma', '{"city":"Oslo",}'],
    ['single quotes', "{'city': 'Oslo'}"],
    ['a key without quotes', '{city: "Oslo"}'],
  ])('are repaired: %s', (_, args) => {
    for (const size of [1, 50, 1_000_000]) {
      const { body, changed } = repair(event({ content: 'Well.' }) + stream(args, 'tool_calls'), { size });
      expect(argumentsIn(body)).toBe('{"city":"Oslo"}');
      expect(body.toString()).toContain('call_7');
      expect(body.toString().startsWith(event({ content: 'Well.' }))).toBe(true);
      expect(body.toString().endsWith(event({}, 'tool_calls') + DONE)).toBe(true);
      expect(changed).toMatchObject([{ name: 'get_weather', from: 'arguments' }]);
    }
  });

  it.each([
    ['valid ones', '{"city":"Oslo"}', 'tool_calls'],
    ['none', '', 'tool_calls'],
    ['those that end in a text', '{"city":"Os', 'tool_calls'],
    ['those that are cut by a limit', "{'city':'Oslo'}", 'length'],
    ['two values', '{"city":"Oslo"}{"city":"Rome"}', 'tool_calls'],
    ['those with marks of a template', "{'city':'<|im_end|>'}", 'tool_calls'],
  ])('stay byte for byte: %s', (_, args, finish) => {
    const text = stream(args, finish);
    for (const size of [1, 1_000_000]) expect(repair(text, { size }).body.toString()).toBe(text);
  });

  it('are repaired in a whole reply', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'get_weather', arguments: "{'city':'Oslo'}" } },
    ];
    const message = { role: 'assistant', content: null, tool_calls: calls };
    const document = { id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const { body } = repair(JSON.stringify(document), { type: 'application/json' });
    expect(JSON.parse(body.toString())).toEqual({
      ...document,
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            ...message,
            tool_calls: [{ ...calls[0], function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
          },
        },
      ],
    });
  });
});

describe('a reply that is not repaired', () => {
  const native = event(
    called('{"city":"Rome"}', { id: 'n', function: { name: 'get_weather', arguments: '{}' } }),
  );

  it.each([
    ['text and a native call', event({ content: CALL }) + native + event({}, 'tool_calls') + DONE],
    ['no end', event({ content: 'Let me see. <tool_call>{"na' })],
    ['an error', `${event({ content: 'Well' })}data: {"error":{"message":"x"}}\n\n`],
    ['carriage returns', (event({ content: 'Hm.' }) + event({}, 'stop') + DONE).replaceAll('\n', '\r\n')],
    [
      'bytes that are no text',
      Buffer.concat([Buffer.from('data: "'), Buffer.from([0xff, 0xfe]), Buffer.from('"\n\n')]),
    ],
    ['something else', 'hello'],
  ])('keeps every word: %s', (_, body) => {
    const texts = (bytes: Buffer): string =>
      [...bytes.toString().matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join('');
    for (const size of [1, 1_000_000]) {
      const { body: given, changed } = repair(body, { size });
      expect(changed).toEqual([]);
      expect(texts(given)).toBe(texts(Buffer.from(body)));
      if (!texts(Buffer.from(body)).includes('<tool_call>'))
        expect(given.equals(Buffer.from(body))).toBe(true);
    }
  });

  it('is one of several replies', () => {
    const two = `data: ${JSON.stringify({
      choices: [
        { index: 0, delta: { content: CALL } },
        { index: 1, delta: {} },
      ],
    })}\n\n`;
    expect(repair(two + DONE).body.toString()).toBe(two + DONE);
  });

  it.each([
    ['no tools are offered', { tools: [] }],
    ['calls are forbidden', { tool_choice: 'none' }],
    ['only the server can run the tools', { tools: [{ type: 'web_search', name: 'get_weather' }] }],
  ])('is not opened when %s', (_, more) => {
    expect(repair('', { more }).opened).toBeUndefined();
  });

  it('is passed on when more would be held than memory is given for it', () => {
    const long = event(called('x'.repeat(9 * 1024 * 1024), { function: { name: 'get_weather' } }));
    const { opened } = repair('');
    expect(opened?.push(Buffer.from(long)).length).toBe(long.length);
  });
});

describe('what is held back', () => {
  const MEGABYTE = 1024 * 1024;

  it.each([
    ['a line without an end', 'x', true],
    ['an event without an end', 'data: x\r\n', true],
    ['events without anything', '\r', false],
  ])('is bounded, and passes byte for byte: %s', (_, unit, isTooLong) => {
    if (!PROTOCOL) throw new Error('there is no usual protocol');
    const chat = readChat(JSON.stringify({ messages: [], tools: TOOLS }));
    const fields = { 'content-type': 'text/event-stream' };
    const { repair: opened } = openRepair(PROTOCOL, chat, { status: 200, fields });
    const piece = Buffer.alloc(MEGABYTE, unit);
    let given = 0;
    for (let count = 1; count <= 20; count++) {
      given += opened?.push(piece).length ?? 0;
      expect(count * MEGABYTE - given).toBeLessThanOrEqual(9 * MEGABYTE);
    }
    given += opened?.end().length ?? 0;
    expect(given).toBe(20 * MEGABYTE);
    expect(opened?.isTooLong).toBe(isTooLong);
  });

  it('is passed on in a moment, although it is a call of very many pieces that never ends', () => {
    const start = '<tool_call>{"name": "get_weather", "arguments": {"city": "';
    const stream = event({ content: start }) + event({ content: 'x' }).repeat(120_000);
    const begun = process.cpuUsage();
    expect(repair(stream, { size: 64 * 1024 }).body.toString()).toBe(stream);
    expect(computedMsSince(begun)).toBeLessThan(10_000);
  });
});
