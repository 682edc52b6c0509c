// What an error keeps of a partial answer, over real sockets: status, headers, bytes, and the reply so far.
import { afterAll, describe, expect, test } from 'vitest';
import type { ProviderError, Providers, RetryPolicy } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import type { ToolType } from '../../../src/types';
import { failure } from '../../support/failure';
import type { Answer } from '../../support/servers/http-server';
import { startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const toEvents = (documents: unknown[]): string =>
  documents.map((document) => `data: ${JSON.stringify(document)}\n\n`).join('');
const toLines = (documents: unknown[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');
const delta = (members: object) => ({ choices: [{ index: 0, delta: members }] });

const SIDES = {
  local: {
    make: (host: string, retry: RetryPolicy): Providers => new LocalHostProvider({ host, model: 'm', retry }),
    begun: toLines([
      { message: { thinking: 'Hm, ' }, done: false },
      { message: { content: 'Let me' }, done: false },
      { message: { tool_calls: [{ function: { name: 'look', arguments: { at: 1 } } }] }, done: false },
    ]),
    partial: {
      content: 'Let me',
      reasoning: 'Hm, ',
      toolCalls: [{ name: 'look', arguments: '{"at":1}' }],
    },
    silent: toLines([{ message: { thinking: 'Hm, hm' }, done: false }]),
    error: toLines([{ error: 'the runner stopped' }]),
  },
  hosted: {
    make: (host: string, retry: RetryPolicy): Providers =>
      new HostedApiProvider({ host, apiKey: '', auth: 'none', retry }),
    begun: toEvents([
      delta({ reasoning_content: 'Hm, ' }),
      delta({ content: 'Let me' }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"at":' } }] }),
    ]),
    partial: {
      content: 'Let me',
      reasoning: 'Hm, ',
      toolCalls: [{ id: 'a', name: 'look', arguments: '{"at":' }],
    },
    silent: toEvents([delta({ reasoning_content: 'Hm, hm' })]),
    error: toEvents([{ error: { code: 500, message: 'the runner stopped', type: 'server_error' } }]),
  },
};
type Side = keyof typeof SIDES;
const sides = Object.keys(SIDES) as Side[];

interface Ask {
  answer: Answer;
  isStreamed?: boolean;
  timeoutMs?: number;
  /** Called once something has arrived. */
  onBegun?: (clock: FakeClock, stop: () => void) => void;
  tools?: readonly ToolType[];
}

async function fail(
  side: Side,
  { answer, isStreamed = true, timeoutMs, onBegun, tools = [] }: Ask,
): Promise<ProviderError> {
  await using server = await startServer(answer);
  const clock = new FakeClock();
  const stop = new AbortController();
  let pieces = 0;
  const provider = SIDES[side].make(server.url, { maxAttempts: 1, timeoutMs });
  const call = clock.run(() =>
    provider.chat({
      messages: HELLO,
      tools: [...tools],
      signal: stop.signal,
      ...(isStreamed && { onDelta: () => void (pieces += 1) }),
    }),
  );
  const failed = failure(call);
  if (onBegun) {
    await expect.poll(() => pieces).toBeGreaterThan(2);
    onBegun(clock, () => stop.abort());
  }
  return await failed;
}

const begin =
  (text: string, after?: (response: Parameters<Answer>[1]) => void): Answer =>
  (_, response) => {
    response.writeHead(200, { 'x-request-id': 'r-1' });
    response.write(text, () => after?.(response));
  };

describe.each(sides)('a %s stream that fails keeps its response and everything that had arrived', (side) => {
  const { begun, partial } = SIDES[side];
  const response = { status: 200, headers: { 'x-request-id': 'r-1' }, body: begun };

  test.each<[string, string, Ask]>([
    ['breaks off', 'truncated-stream', { answer: begin(begun, (sent) => sent.destroy()) }],
    ['ends without its end mark', 'truncated-stream', { answer: begin(begun, (sent) => sent.end()) }],
    [
      'exceeds its timeout',
      'timeout',
      { answer: begin(begun), timeoutMs: 5000, onBegun: (clock) => clock.advance(5000) },
    ],
    ['is stopped', 'aborted', { answer: begin(begun), onBegun: (_, stop) => stop() }],
  ])('when it %s', async (_, code, ask) => {
    const error = await fail(side, ask);
    expect(error).toMatchObject({ code, exchange: { response } });
    expect(error.partial).toEqual(partial);
  });

  test('when it contains an error', async () => {
    const body = begun + SIDES[side].error;
    const error = await fail(side, { answer: begin(body, (sent) => sent.end()) });
    expect(error).toMatchObject({ code: 'http', serverMessage: 'the runner stopped' });
    expect(error).toMatchObject({ partial, exchange: { response: { ...response, body } } });
  });

  test('and counts reasoning in the error when no character of the answer had arrived', async () => {
    const error = await fail(side, {
      answer: begin(SIDES[side].silent, (sent) => sent.destroy()),
    });
    expect(error.message).toContain('0 characters and 6 of reasoning had arrived.');
    expect(error.partial).toEqual({ content: '', reasoning: 'Hm, hm' });
  });
});

test('the message of the error counts tool calls that had begun', async () => {
  const { begun } = SIDES.hosted;
  const error = await fail('hosted', { answer: begin(begun, (sent) => sent.destroy()) });
  expect(error.message).toContain(
    '6 characters, 4 of reasoning and the beginning of 1 tool call had arrived.',
  );
});

test('the message of an error inside a stream contains its code', async () => {
  const { error: body } = SIDES.hosted;
  const error = await fail('hosted', { answer: begin(body, (sent) => sent.end()) });
  expect(error.message).toContain('was answered with an error inside the stream (500), 1 ');
});

describe.each(sides)('an unstreamed %s answer that fails keeps its response as far as it arrived', (side) => {
  const head = { 'content-length': '100', 'x-request-id': 'r-1' };
  const response = { status: 200, headers: { 'x-request-id': 'r-1' }, body: '{"mess' };

  test('when it breaks off', async () => {
    const error = await fail(side, {
      isStreamed: false,
      answer: (_, sent) => void sent.writeHead(200, head).write('{"mess', () => sent.destroy()),
    });
    expect(error).toMatchObject({ code: 'network', exchange: { response } });
  });

  test('when its encoding was not requested', async () => {
    const headers = { 'content-encoding': 'rot13' };
    const error = await fail(side, {
      isStreamed: false,
      answer: (_, sent) => void sent.writeHead(200, headers).end('zrff'),
    });
    expect(error).toMatchObject({
      code: 'response-format',
      exchange: { response: { status: 200, headers } },
    });
    expect(error.message).toContain('the encoding rot13');
  });
});

describe.each(sides)('a %s stream that breaks off within a tool call in the text', (side) => {
  const whole = '<tool_call>{"name": "look", "arguments": {"at": 1}}</tool_call>';
  const toStream = (text: string): string =>
    side === 'local'
      ? toLines([{ message: { content: text }, done: false }])
      : toEvents([delta({ content: text })]);
  const look: ToolType = {
    name: 'look',
    description: '',
    parameters: { type: 'object', properties: { at: { type: 'integer' } } },
  };
  const failAfter = (text: string, tools: readonly ToolType[]): Promise<ProviderError> =>
    fail(side, { answer: begin(toStream(text), (sent) => sent.destroy()), tools });

  test('has an error that reports complete and truncated calls', async () => {
    const { rescue } = await failAfter(whole + whole.slice(0, 40), [look]);
    expect(rescue?.calls).toMatchObject([{ name: 'look', arguments: { at: 1 } }]);
    expect(rescue?.rejected).toMatchObject([{ reason: 'truncated' }]);
  });

  test('has an error without a rescue report when no tools were offered', async () => {
    const error = await failAfter(whole, []);
    expect(error).toMatchObject({ partial: { content: whole }, rescue: undefined });
  });
});

test('an error reports no calls in the text beside native ones', async () => {
  const { begun } = SIDES.hosted;
  const look = { name: 'look', description: '', parameters: { type: 'object', properties: {} } };
  const error = await fail('hosted', { answer: begin(begun, (sent) => sent.destroy()), tools: [look] });
  expect(error.rescue).toBeUndefined();
});
