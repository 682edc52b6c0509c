// Streams of named events with faults, over real sockets: cut, with errors, slow, flooded, in the wrong order, never closed.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn } from '../../../src/library';
import { closeConnections, ProviderError } from '../../../src/library';
import type { Answer } from '../../support/servers/http-server';
import { startServer } from '../../support/servers/http-server';
import type { EventScript, StreamEvent } from './event-scripts';
import { MESSAGES, RESPONSES, toText } from './event-scripts';
import { computedMsSince } from '../../support/computed-ms';

afterAll(closeConnections);

const CLOCK = { name: 'clock', parameters: { type: 'object', properties: { zone: { type: 'string' } } } };
const SAID = 'Let me look.';
const GOOD = {
  content: SAID,
  reasoning: 'Hm.',
  calls: [['toolu_1', 'clock', { zone: 'UTC' }]],
  finishReason: 'tool_calls',
};

async function ask(
  { make }: EventScript,
  answer: Answer,
  timeoutMs?: number,
): Promise<ChatTurn | ProviderError> {
  await using server = await startServer(answer);
  const deltas: string[] = [];
  const outcome = await make(server.url, timeoutMs)
    .chat({
      messages: [{ role: 'user', content: 'What time is it?' }],
      tools: [CLOCK],
      onDelta: ({ content }) => void (content !== undefined && deltas.push(content)),
    })
    .catch((error: unknown) => error);
  expect(server.requests).toHaveLength(1);
  if (outcome instanceof ProviderError) {
    // What was shown is what the error keeps.
    expect(outcome.partial?.content ?? '').toBe(deltas.join(''));
    return outcome;
  }
  if (outcome instanceof Error) throw outcome;
  return outcome as ChatTurn;
}

const HEAD = { 'content-type': 'text/event-stream' };
const sends =
  (body: string): Answer =>
  (_, response) =>
    void response.writeHead(200, HEAD).end(body);
const joined = (events: readonly StreamEvent[]): string => events.map(toText).join('');

/** What a turn says; an error as it is. */
function saying(outcome: ChatTurn | ProviderError): unknown {
  if (outcome instanceof ProviderError) return outcome;
  const { content, reasoning, finishReason } = outcome.raw;
  const calls = outcome.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]);
  return { content, reasoning, calls, finishReason };
}

describe.each([MESSAGES, RESPONSES])('a stream of $name', (script) => {
  const { events } = script;
  const count = events.length;
  const before = Array.from({ length: count }, (_, index) => index);

  test('is a turn', async () => {
    expect(saying(await ask(script, sends(joined(events))))).toEqual(GOOD);
  });

  test.each(before)(
    'that ends after %d events is an error with what came, and without a call',
    async (at) => {
      const outcome = await ask(script, sends(joined(events.slice(0, at))));
      expect(outcome).toMatchObject({ code: 'truncated-stream', attempts: 1 });
      expect(outcome).not.toHaveProperty('toolCalls');
    },
  );

  test.each(before)('whose connection breaks after %d events is an error', async (at) => {
    const outcome = await ask(script, (_, response) => {
      response.writeHead(200, { ...HEAD, 'content-length': '100000' });
      response.write(joined(events.slice(0, at)) + script.ping, () => response.destroy());
    });
    expect(outcome).toMatchObject({ code: 'truncated-stream' });
  });

  test.each(before)('with an error after %d events is that error', async (at) => {
    const body = joined(events.slice(0, at)) + script.error + joined(events.slice(at));
    expect(await ask(script, sends(body))).toMatchObject({
      code: 'http',
      status: 200,
      toldStatus: script.told,
      serverMessage: 'the runner stopped',
    });
  });

  test('is the same turn with an error after its end', async () => {
    expect(saying(await ask(script, sends(joined(events) + script.error)))).toEqual(GOOD);
  });

  test('is the same turn with pings, comments and unknown events between all events', async () => {
    const unknown = toText({ type: 'made_up.event', index: 0, output_index: 0, delta: 'no' });
    const body = events.map((event) => script.ping + ': comment\n\n' + unknown + toText(event)).join('');
    expect(saying(await ask(script, sends(body)))).toEqual(GOOD);
  });

  test('is the same turn when it comes slowly, an event in two pieces each', async () => {
    const outcome = await ask(script, (_, response) => {
      response.writeHead(200, HEAD);
      const halves = events.map(toText).flatMap((text) => [text.slice(0, 20), text.slice(20)]);
      const next = (): void => {
        const half = halves.shift();
        if (half === undefined) return void response.end();
        response.write(half);
        setTimeout(next, 3);
      };
      next();
    });
    expect(saying(outcome)).toEqual(GOOD);
  });

  test('that falls silent is a timeout with what came', async () => {
    const outcome = await ask(
      script,
      (_, response) => void response.writeHead(200, HEAD).write(joined(events.slice(0, count - 2))),
      500,
    );
    expect(outcome).toMatchObject({ code: 'timeout', partial: { content: SAID, reasoning: 'Hm.' } });
  });

  test('that only pings is a timeout: the limit is for the whole attempt', async () => {
    let timer: NodeJS.Timeout | undefined;
    const outcome = await ask(
      script,
      (_, response) => {
        response.writeHead(200, HEAD);
        timer = setInterval(() => response.write(script.ping), 20);
        response.on('close', () => clearInterval(timer));
      },
      300,
    );
    expect(outcome).toMatchObject({ code: 'timeout' });
  });

  test('may end without the closing of the connection', async () => {
    const outcome = await ask(
      script,
      (_, response) => void response.writeHead(200, HEAD).write(joined(events)),
      20_000,
    );
    expect(saying(outcome)).toEqual(GOOD);
  });

  test('is read in a moment with a flood of pings and of small pieces', async () => {
    const at = events.findIndex((event) => toText(event) === toText(script.text('look.')));
    const pieces = toText(script.text('x')).repeat(20_000) + script.ping.repeat(50_000);
    const body = joined(events.slice(0, at)) + pieces + joined(events.slice(at + 1));
    const startedAt = process.cpuUsage();
    const outcome = await ask(script, sends(body));
    expect(computedMsSince(startedAt)).toBeLessThan(10_000);
    expect(saying(outcome)).toMatchObject({ calls: GOOD.calls });
    if (script === MESSAGES) expect((outcome as ChatTurn).raw.content).toBe(`Let me ${'x'.repeat(20_000)}`);
  });

  test('that is not JSON in the middle is an error', async () => {
    const body = joined(events.slice(0, 4)) + 'data: {"type": oops}\n\n' + joined(events.slice(4));
    expect(await ask(script, sends(body))).toMatchObject({ code: 'response-format' });
  });
});

const without = (events: readonly StreamEvent[], ...types: string[]): StreamEvent[] =>
  events.filter(({ type }) => !types.includes(type));
/** The event before this one comes after it. */
function swapped(events: readonly StreamEvent[], at: number): StreamEvent[] {
  const copy = [...events];
  [copy[at - 1], copy[at]] = [copy[at] as StreamEvent, copy[at - 1] as StreamEvent];
  return copy;
}

const MESSAGE_ROWS: [what: string, events: StreamEvent[], expected: object][] = [
  ['blocks that never close', without(MESSAGES.events, 'content_block_stop'), GOOD],
  [
    'all blocks closed at its end',
    [
      ...without(MESSAGES.events, 'content_block_stop').slice(0, -2),
      ...MESSAGES.events.filter(({ type }) => type === 'content_block_stop'),
      ...MESSAGES.events.slice(-2),
    ],
    GOOD,
  ],
  ['no start of the message', without(MESSAGES.events, 'message_start'), GOOD],
  ['a text before its block', swapped(MESSAGES.events, 6), GOOD],
  ['its reason to end before the last block', swapped(MESSAGES.events, 13), GOOD],
  ['its start twice', [...MESSAGES.events.slice(0, 1), ...MESSAGES.events], GOOD],
  [
    'the start of every block twice',
    MESSAGES.events.flatMap((event) => (event.type === 'content_block_start' ? [event, event] : [event])),
    GOOD,
  ],
  [
    'the close of a block twice',
    MESSAGES.events.flatMap((event) => (event.type.endsWith('block_stop') ? [event, event] : [event])),
    GOOD,
  ],
  [
    'the close of a block that never opened',
    [
      MESSAGES.events[0] as StreamEvent,
      { type: 'content_block_stop', index: 9 },
      ...MESSAGES.events.slice(1),
    ],
    GOOD,
  ],
];

const RESPONSE_ROWS: typeof MESSAGE_ROWS = [
  ['items that never close', without(RESPONSES.events, 'response.output_item.done'), GOOD],
  ['items that never open', without(RESPONSES.events, 'response.output_item.added'), GOOD],
  ['no start of the response', without(RESPONSES.events, 'response.created'), GOOD],
  ['a text before its item', swapped(RESPONSES.events, 5), GOOD],
  ['its start twice', [...RESPONSES.events.slice(0, 1), ...RESPONSES.events], GOOD],
  [
    'the start of every item twice',
    RESPONSES.events.flatMap((event) => (event.type.endsWith('item.added') ? [event, event] : [event])),
    GOOD,
  ],
  [
    'one index for all items',
    RESPONSES.events.map((event) => ('output_index' in event ? { ...event, output_index: 0 } : event)),
    GOOD,
  ],
  [
    'the end of an item twice',
    RESPONSES.events.flatMap((event) => (event.type.endsWith('item.done') ? [event, event] : [event])),
    GOOD,
  ],
  ['its end alone', RESPONSES.events.slice(-1), GOOD],
  [
    'an end that lists nothing',
    [
      ...RESPONSES.events.slice(0, -1),
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ],
    GOOD,
  ],
  [
    'indexes that are all missing',
    RESPONSES.events.map(({ output_index: _index, ...event }) => event as StreamEvent),
    GOOD,
  ],
];

describe('a stream of messages', () => {
  test.each(MESSAGE_ROWS)('with %s is the same turn', async (_, events, expected) => {
    expect(saying(await ask(MESSAGES, sends(joined(events))))).toEqual(expected);
  });

  test('with two calls under one index runs neither in the place of the other', async () => {
    const { events } = MESSAGES;
    const again = events
      .slice(9, 13)
      .map((event) =>
        event.type === 'content_block_start'
          ? { ...event, content_block: { type: 'tool_use', id: 'toolu_2', name: 'clock', input: {} } }
          : event,
      );
    const outcome = await ask(
      MESSAGES,
      sends(joined([...events.slice(0, 13), ...again, ...events.slice(13)])),
    );
    expect(saying(outcome)).toMatchObject({
      calls: [...GOOD.calls, ['toolu_2', 'clock', { zone: 'UTC' }]],
    });
  });
});

describe('a refusal of messages', () => {
  test('keeps what the service says of it, streamed and as one document', async () => {
    const said = { category: 'cyber', explanation: 'It asks for malware.' };
    const stop = { stop_reason: 'refusal', stop_details: { type: 'refusal', ...said } };
    const [start, ...rest] = MESSAGES.events;
    const events = [start as StreamEvent, { type: 'message_delta', delta: stop }, ...rest.slice(-1)];
    const streamed = await ask(MESSAGES, sends(joined(events)));
    const message = { type: 'message', content: [], ...stop };
    await using server = await startServer((_, answer) => void answer.end(JSON.stringify(message)));
    const whole = await MESSAGES.make(server.url).chat({ messages: [{ role: 'user', content: 'Hi' }] });
    for (const turn of [streamed, whole])
      expect(turn).toMatchObject({ raw: { content: '', finishReason: 'content_filter', refusal: said } });
  });
});

describe('a stream of responses', () => {
  test.each(RESPONSE_ROWS)('with %s is the same turn', async (_, events, expected) => {
    expect(saying(await ask(RESPONSES, sends(joined(events))))).toEqual(expected);
  });

  test('with two calls under one index runs neither in the place of the other', async () => {
    const { events } = RESPONSES;
    const again = JSON.parse(
      JSON.stringify(events.slice(8, 12)).replaceAll('toolu_1', 'toolu_2').replaceAll('fc_1', 'fc_2'),
    ) as StreamEvent[];
    const outcome = await ask(
      RESPONSES,
      sends(joined([...events.slice(0, 12), ...again, ...events.slice(12)])),
    );
    expect(saying(outcome)).toMatchObject({
      calls: [...GOOD.calls, ['toolu_2', 'clock', { zone: 'UTC' }]],
    });
  });

  test('that says it failed, after everything else came, is an error', async () => {
    const response = { status: 'failed', error: { code: 'server_error', message: 'the runner stopped' } };
    const events = [...RESPONSES.events.slice(0, -1), { type: 'response.failed', response }];
    expect(await ask(RESPONSES, sends(joined(events)))).toMatchObject({
      code: 'http',
      serverMessage: 'the runner stopped',
    });
  });

  test.each([
    ['failed', 'The response failed.'],
    ['cancelled', 'The response was cancelled.'],
  ])('that was %s without an error of its own is the same error as one document', async (status, words) => {
    const response = { object: 'response', status, error: null, output: [], usage: null };
    const events = [...RESPONSES.events.slice(0, -1), { type: `response.${status}`, response }];
    const streamed = await ask(RESPONSES, sends(joined(events)));
    await using server = await startServer((_, answer) => void answer.end(JSON.stringify(response)));
    const whole = await RESPONSES.make(server.url)
      .chat({ messages: [{ role: 'user', content: 'What time is it?' }] })
      .catch((error: unknown) => error);
    for (const error of [streamed, whole])
      expect(error).toMatchObject({
        code: 'http',
        status: 200,
        serverMessage: words,
        explanation: { why: expect.stringContaining(words) as string, next: /log of the server/ },
      });
  });
});
