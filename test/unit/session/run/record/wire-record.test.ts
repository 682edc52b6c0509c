import { describe, expect, test } from 'vitest';
import type { AttemptEvidence, AttemptRecord } from '../../../../../src/library';
import { readWireRecord, toWireRecord } from '../../../../../src/session/run/record/wire-record';
import { makeSetup } from '../../../../support/session/make-setup';
import type { ObservedRun } from '../../../../../src/session/run/record/wire-record';

const SETUP = await makeSetup();
const REQUEST = { method: 'POST', url: 'http://h/', headers: {}, body: '{"a":1}' };
const answer = (body: string, more = {}): AttemptEvidence['response'] => ({
  status: 200,
  headers: {},
  body,
  isComplete: true,
  ...more,
});
const ended = (attempt: number, decision: AttemptRecord['decision'] = 'retry'): AttemptRecord => ({
  attempt,
  startedAt: 0,
  endMs: 1,
  endedBy: 'server',
  decision,
  reason: '',
});

function toRun(evidence: [attempt: number, AttemptEvidence][], more: Partial<ObservedRun> = {}): ObservedRun {
  return {
    attempts: evidence.map(([attempt, found]) => ({ attempt, evidence: () => found })),
    ledger: [],
    setup: SETUP,
    exchange: undefined,
    secrets: [],
    ...more,
  };
}

describe('toWireRecord', () => {
  test('stores each request once, and gives each attempt a unique name', () => {
    const other = { ...REQUEST, body: 'other' };
    const record = toWireRecord(
      toRun(
        [
          [1, { request: REQUEST }],
          [1, { request: REQUEST, response: answer('a') }],
          [2, { request: REQUEST, response: answer('b') }],
          // A custom provider sends a second request.
          [1, { request: other, response: answer('c') }],
        ],
        { ledger: [ended(1, 'reconnect'), ended(1), ended(2, 'done'), ended(1, 'done')] },
      ),
    );
    expect(record.requests).toMatchObject([REQUEST, other]);
    expect(record.attempts.map(({ name, request }) => [name, request])).toEqual([
      ['attempt-1-reconnect', 0],
      ['attempt-1', 0],
      ['attempt-2', 0],
      ['attempt-1-2', 1],
    ]);
    expect(record.attempts.map(({ response }) => response?.body)).toEqual([undefined, 'a', 'b', 'c']);
  });

  test('keeps the latest answers completely if there is no room for all, and counts the omitted bytes', () => {
    const body = 'é'.repeat(6 * 1024 * 1024);
    const run = toRun([1, 2, 3].map((attempt) => [attempt, { request: REQUEST, response: answer(body) }]));
    const lengths = toWireRecord(run).attempts.map(({ response }) => [
      response?.body.length,
      response?.omittedBytes,
    ]);
    const room = 16 * 1024 * 1024 - REQUEST.body.length - 2 * body.length;
    expect(lengths).toEqual([
      [room, (body.length - room) * 2],
      [body.length, undefined],
      [body.length, undefined],
    ]);
  });

  test('contains a hash of each body, unless a secret in it was masked', () => {
    const masked = { ...REQUEST, isBodyMasked: true as const };
    const { requests } = toWireRecord(
      toRun([
        [1, { request: { ...REQUEST, body: 'abc' } }],
        [2, { request: masked }],
      ]),
    );
    expect(requests.map(({ bodySha256 }) => bodySha256)).toEqual([
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      undefined,
    ]);
  });

  test('redacts the secrets of its connection everywhere', async () => {
    const secret = 'canary-0123456789';
    const request = { ...REQUEST, url: `http://h/${secret}`, headers: { a: secret }, body: secret };
    const run = toRun([[1, { request, response: answer(secret, { headers: { b: secret } }) }]], {
      secrets: [secret],
      setup: await makeSetup({ tools: [{ name: 't', parameters: { description: secret } }] }),
    });
    expect(JSON.stringify(toWireRecord(run))).not.toContain('canary');
  });
});

describe('readWireRecord', () => {
  const record = toWireRecord(
    toRun([[1, { request: REQUEST, response: answer('a', { arrivals: [1, 2] }) }]]),
  );

  test('reads a stored record', () => {
    expect(readWireRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  test.each([
    ['nothing', undefined],
    ['text', 'x'],
    ['another version', { version: 2 }],
    ['no list of attempts', { ...record, attempts: {} }],
    ['an attempt whose request is missing', { ...record, attempts: [{ name: 'a', request: 7 }] }],
    ['an attempt without a name', { ...record, attempts: [{ request: 0 }] }],
    ['a body that is not text', { ...record, requests: [{ ...REQUEST, body: 5 }] }],
    ['header values that are not text', { ...record, requests: [{ ...REQUEST, headers: { a: {} } }] }],
    [
      'times that are not numbers',
      { ...record, attempts: [{ name: 'a', request: 0, response: answer('', { arrivals: ['x'] }) }] },
    ],
    ['a tool of null', { ...record, tools: [null] }],
    ['sampling of null', { ...record, sampling: null }],
  ])('refuses %s', (_, stored) => {
    expect(readWireRecord(stored)).toBeUndefined();
  });
});
