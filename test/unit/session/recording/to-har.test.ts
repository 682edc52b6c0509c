// What an export as HAR says: the fields that other tools require, and all that *Open Request…* needs to open it again.
import { describe, expect, it } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { findRequests, openRequest, toHar } from '../../../../src/session';
import type { RecordedExchange } from '../../../../src/types';
import { recordedExchange } from '../../../support/recording/recorded-exchange';

const REPLY =
  'data: {"choices":[{"index":0,"delta":{"content":"é"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

const exchange = (changes: Partial<RecordedExchange> = {}): RecordedExchange =>
  recordedExchange({
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/v1/chat/completions?a=b%20c',
      headers: { 'content-type': 'application/json', authorization: 'Bearer ********' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Größe?' }] }),
    },
    response: {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: REPLY,
      isComplete: true,
    },
    headersMs: 20,
    ...changes,
  });

const entryOf = (recorded: RecordedExchange): unknown =>
  (JSON.parse(toHar([recorded], 'Provider Playground 0.1.0')) as { log: { entries: unknown[] } }).log
    .entries[0];

describe('toHar', () => {
  it('has the times, sizes and parts of a request and its reply', () => {
    expect(entryOf(exchange())).toMatchObject({
      startedDateTime: '2026-01-02T03:04:05.006Z',
      time: 400,
      timings: { send: 0, wait: 20, receive: 380 },
      request: {
        method: 'POST',
        httpVersion: 'HTTP/1.1',
        queryString: [{ name: 'a', value: 'b c' }],
        bodySize: Buffer.byteLength(exchange().request.body),
        postData: { mimeType: 'application/json', text: exchange().request.body },
      },
      response: {
        status: 200,
        content: { size: Buffer.byteLength(REPLY), mimeType: 'text/event-stream', text: REPLY },
      },
    });
  });

  it('has status 0 and the reason where there was no reply', () => {
    const { response: _response, headersMs: _headers, ...rest } = exchange();
    const recorded = exchange({
      ...rest,
      response: undefined,
      headersMs: undefined,
      problem: 'It was reset.',
    });
    expect(entryOf(recorded)).toMatchObject({
      comment: 'It was reset.',
      timings: { wait: 400, receive: 0 },
      response: { status: 0, content: { size: 0, text: '' } },
    });
  });

  it('has bytes that are no text in base64', () => {
    const bytes = Buffer.from([0xff, 0xd8, 0x00]).toString('base64');
    const response = { status: 200, headers: {}, body: bytes, isBase64: true, isComplete: true } as const;
    expect(entryOf(exchange({ response }))).toMatchObject({
      response: { content: { size: 3, text: bytes, encoding: 'base64' } },
    });
  });

  it('opens again with its request and its reply', () => {
    const all = [exchange(), exchange({ number: 2 })];
    const found = findRequests(toHar(all, 'Provider Playground 0.1.0'));
    expect(found).toHaveLength(2);
    for (const [index, one] of found.entries()) {
      const { neutral, reply, host } = openRequest(one, PROVIDER_CATALOG);
      expect(one.body).toBe(all[index]?.request.body);
      expect(neutral.messages).toEqual([{ role: 'user', content: 'Größe?' }]);
      expect(host).toBe('http://127.0.0.1:9/v1?a=b%20c');
      expect(reply).toMatchObject({
        status: 200,
        body: REPLY,
        startedAt: all[index]?.startedAt,
        durationMs: 400,
      });
    }
  });
});
