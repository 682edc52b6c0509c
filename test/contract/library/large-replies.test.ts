// Replies that are larger than any model writes: what of them is read, and what is refused, whole or streamed.
import { afterAll, describe, expect, test } from 'vitest';
import type { ProviderError } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { REPLY_LIMIT } from '../../../src/library/wire/reply/reply-limit';
import { failure } from '../../support/failure';
import { startServer } from '../../support/servers/http-server';

afterAll(closeConnections);

type Side = 'hosted' | 'local';
const SIDES: Side[] = ['hosted', 'local'];
/** Whether the caller listens to the reply, and whether the server sends a stream. */
const WAYS = [
  ['whole', false, false],
  ['whole, although a stream was asked for', true, false],
  ['streamed', true, true],
] as const;
const CASES = SIDES.flatMap((side) => WAYS.map((way) => [side, ...way] as const));

const times = (count: number, make: (index: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);
const call = (side: Side, args: string): object => ({
  function: { name: 'get_weather', arguments: side === 'local' ? (JSON.parse(args) as object) : args },
});

/** The documents of a stream, or the only one. */
interface Said {
  content?: string;
  calls?: object[];
}

function write(side: Side, said: readonly Said[], isStream: boolean): string {
  const documents = said.map(({ content = '', calls = [] }, index) => {
    const isLast = index === said.length - 1;
    const entries = calls.map((entry, at) => ({ index: index * calls.length + at, ...entry }));
    const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: entries }) };
    if (side === 'local') return { message, done: isLast };
    const choice = { index: 0, finish_reason: isLast ? 'stop' : null };
    return { choices: [{ ...choice, [isStream ? 'delta' : 'message']: message }] };
  });
  if (side === 'local' || !isStream) return documents.map((one) => JSON.stringify(one)).join('\n');
  return documents.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + 'data: [DONE]\n\n';
}

async function ask(side: Side, body: string, isListening: boolean, status = 200) {
  await using server = await startServer((_, response) => response.writeHead(status).end(body));
  const options = { host: server.url, model: 'm', retry: false };
  const provider =
    side === 'local'
      ? new LocalHostProvider(options)
      : new HostedApiProvider({ ...options, apiKey: '', auth: 'none' });
  const onDelta = isListening ? (): void => undefined : undefined;
  return await provider.chat({ messages: [{ role: 'user', content: 'Hi' }], tools: [], onDelta });
}

const refusal = async (...asked: Parameters<typeof ask>): Promise<ProviderError> => failure(ask(...asked));

/** One document, or one for each part. */
const inParts = (isStream: boolean, parts: Said[]): Said[] =>
  isStream
    ? parts
    : [
        {
          content: parts.map(({ content = '' }) => content).join(''),
          calls: parts.flatMap(({ calls = [] }) => calls),
        },
      ];

describe.each(CASES)('a reply of the %s side, %s', (side, _way, isListening, isStream) => {
  const OSLO = '{"city":"Oslo"}';

  test('has at most 1,000 calls', async () => {
    const many = (count: number): Said[] =>
      inParts(
        isStream,
        Array.from({ length: count }, () => ({ calls: [call(side, OSLO)] })),
      );
    const { toolCalls } = await ask(side, write(side, many(REPLY_LIMIT.calls), isStream), isListening);
    expect(toolCalls).toHaveLength(REPLY_LIMIT.calls);
    const error = await refusal(side, write(side, many(REPLY_LIMIT.calls + 1), isStream), isListening);
    expect(error).toMatchObject({ code: 'response-too-large', attempts: 1 });
    expect(error.explanation.what).toMatch(
      / was answered with a reply that is too large to be read, 1 attempt /,
    );
    expect(error.explanation.why).toBe('The reply has more than 1,000 tool calls.');
    expect(error.explanation.next).toContain('maxTokens');
    // What came is kept.
    expect(error.exchange?.response?.body).toContain('get_weather');
    if (isStream) expect(error.partial?.toolCalls?.length).toBeGreaterThanOrEqual(REPLY_LIMIT.calls);
  });

  test('keeps the arguments of a call as text when those of all have too many values', async () => {
    const list = (count: number): string => `{"list":[${times(count, String)}]}`;
    const said = inParts(isStream, [
      { calls: [call(side, list(15_000))] },
      { calls: [call(side, list(6_000))] },
    ]);
    const turn = await ask(side, write(side, said, isStream), isListening);
    expect(turn.toolCalls.map(({ arguments: value }) => typeof value)).toEqual(['object', 'string']);
    expect(turn.toolCalls[1]?.arguments).toBe(list(6_000));
    expect(turn.exchange.toolCalls).toMatchObject([
      { rawArguments: list(15_000) },
      {
        rawArguments: list(6_000),
        parseError: 'the reply has more than 20,000 values in the arguments of its calls',
      },
    ]);
    expect(turn.exchange.toolCalls[0]).not.toHaveProperty('parseError');
  });

  test('has at most 4 Mi characters of text', async () => {
    const part = 'It is cold in Oslo. '.repeat(REPLY_LIMIT.text / 4 / 20);
    const body = write(
      side,
      inParts(
        isStream,
        Array.from({ length: 5 }, () => ({ content: part })),
      ),
      isStream,
    );
    const error = await refusal(side, body, isListening);
    expect(error.code).toBe('response-too-large');
    expect(error.explanation.why).toBe('The reply has more than 4,194,304 characters of text.');
    if (isStream) expect(error.partial?.content.length).toBeGreaterThan(3_000_000);
  });

  test('is not parsed when a document of it has more than 200,000 values', async () => {
    const odd = `,"usage":{${times(REPLY_LIMIT.values, (at) => `"key${at}":1`)}}`;
    const whole = write(side, [{ content: 'Cold.' }], isStream);
    const at = whole.lastIndexOf('}');
    const error = await refusal(side, whole.slice(0, at) + odd + whole.slice(at), isListening);
    expect(error.code).toBe('response-too-large');
    expect(error.explanation.why).toBe('The reply has more than 200,000 values in one document.');
    expect(error.exchange?.response?.body).toContain('"key199999":1');
  });

  test('may have a picture of megabytes beside its text', async () => {
    const picture = `,"images":["${'A'.repeat(5_000_000)}"]`;
    const body = write(side, [{ content: 'Cold.' }], isStream).replace(
      '"content":"Cold."',
      (found) => found + picture,
    );
    expect((await ask(side, body, isListening)).raw.content).toBe('Cold.');
  });
});

test('a document of more than 16 Mi characters is not parsed', async () => {
  const body = `{"choices":[{"message":{"content":"Cold."}}],"picture":"${'A'.repeat(REPLY_LIMIT.document)}"}`;
  const error = await refusal('hosted', body, true);
  expect(error.explanation.why).toBe('The reply has more than 16,777,216 characters in one document.');
});

test('joined calls count one by one', async () => {
  const joined = (count: number): string =>
    write('hosted', [{ calls: [call('hosted', '{"city":"Oslo"}'.repeat(count))] }], false);
  expect((await ask('hosted', joined(1_000), false)).toolCalls).toHaveLength(1_000);
  expect(await refusal('hosted', joined(1_001), false)).toMatchObject({ code: 'response-too-large' });
});

test('an error with more values than any needs is read as text', async () => {
  const body = `{"error":{"message":"bad","details":[${times(100_001, String)}]}}`;
  const error = await refusal('hosted', body, false, 400);
  expect(error).toMatchObject({ code: 'http', status: 400 });
  expect(error.explanation.why).toMatch(/^The server says: \{"error":\{"message":"bad"/);
});
