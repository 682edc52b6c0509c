import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { PROTOCOLS, WEATHER_TOOL, toRequest, userMessage, weatherResult } from '../ask-model';
import type { Protocol } from '../ask-model';
import { SNOW } from '../oslo';
import { openRequest } from '../raw-request';

interface BrokenReply {
  status: number | undefined;
  /** The part that arrived before the connection broke. */
  body: string;
  /** Code of the client's error; undefined if the client noticed no break. */
  code: string | undefined;
}

let server: DemoServer;
beforeEach(async () => {
  server = await startDemoServer();
});
afterEach(() => server.close());

async function ask(protocol: Protocol, stream: boolean, more: readonly object[] = []): Promise<BrokenReply> {
  const messages = [userMessage('What is the weather in Oslo?'), ...more];
  const question = { protocol, model: 'cut-off', messages, tools: [WEATHER_TOOL] };
  const { url, ...request } = toRequest(server, question, stream);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    openRequest(url, request).on('response', resolve).on('error', reject);
  });
  const reply: BrokenReply = { status: response.statusCode, body: '', code: undefined };
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) reply.body += chunk.toString();
  } catch (error) {
    reply.code = (error as NodeJS.ErrnoException).code;
  }
  return reply;
}

describe.each(PROTOCOLS)('cutOff in the %s protocol', (protocol) => {
  test.each([
    ['its call', []],
    ['its answer', weatherResult(protocol, SNOW)],
  ])('breaks off in the middle of the JSON with %s', async (_, more) => {
    const reply = await ask(protocol, false, more);
    expect(reply).toMatchObject({ status: 200, code: 'ECONNRESET' });
    expect(reply.body).toMatch(/^{"/);
    expect(() => JSON.parse(reply.body)).toThrow(SyntaxError);
  });

  test.each([
    ['its call', []],
    ['its answer', weatherResult(protocol, SNOW)],
  ])('breaks off after some complete chunks of a stream with %s', async (_, more) => {
    const reply = await ask(protocol, true, more);
    expect(reply).toMatchObject({ status: 200, code: 'ECONNRESET' });
    const lines = reply.body.split('\n').filter((line) => /^(?:data: )?{/.test(line));
    const chunks = lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as Record<string, unknown>);
    expect(chunks.length).toBeGreaterThan(1);
    expect(reply.body).not.toMatch(/"done":true|"finish_reason":"|\[DONE]|message_delta|response\.completed/);
  });

  test('breaks off at every attempt', async () => {
    const codes = [await ask(protocol, false), await ask(protocol, false)].map(({ code }) => code);
    expect(codes).toEqual(['ECONNRESET', 'ECONNRESET']);
  });
});
