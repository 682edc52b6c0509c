import { describe, expect, it } from 'vitest';
import { findServerWords } from '../../../../src/library/transport/server-words/find-server-words';
import { failureReason, failureScope, isLostCall } from '../../../../src/session/evaluation/failure-reason';
import type { RunRecord } from '../../../../src/session/run/record/run-record';

const failed = (error: object, words?: string): RunRecord =>
  ({ error: { title: '', what: '', why: '', next: '', ...error }, ...(words && { words }) }) as RunRecord;

describe('failureReason', () => {
  it.each<[string, object, string]>([
    ['too many requests', { code: 'http', status: 429 }, 'infrastructure'],
    ['a conflict', { code: 'http', status: 409 }, 'infrastructure'],
    ['an overloaded service', { code: 'http', status: 529 }, 'infrastructure'],
    ['a reset', { code: 'network' }, 'infrastructure'],
    ['half a stream', { code: 'truncated-stream' }, 'infrastructure'],
    ['a wrong key', { code: 'http', status: 401 }, 'setup'],
    ['an unknown model', { code: 'http', status: 404 }, 'setup'],
    ['a bad request', { code: 'http', status: 400 }, 'setup'],
    ['a certificate', { code: 'network', causes: ['self-signed certificate in chain'] }, 'setup'],
    ['a certificate by its code', { code: 'network', causes: ['CERT_HAS_EXPIRED'] }, 'setup'],
    ['its own time limit', { code: 'timeout' }, 'time'],
  ])('of %s', (_title, error, expected) => {
    expect(failureReason(failed(error))).toBe(expected);
  });

  it.each<[string, number, string]>([
    [
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.\n[code] content_filter",
      400,
      'request',
    ],
    ["This model's maximum context length is 4096 tokens.", 400, 'request'],
    ['You exceeded your current quota\n[code] insufficient_quota', 429, 'setup'],
  ])('follows the words of the server: %s', (said, status, expected) => {
    const record = failed({ code: 'http', status }, findServerWords(said, status)?.cause);
    expect(failureReason(record)).toBe(expected);
    expect(isLostCall(record)).toBe(false);
  });
});

describe('failureScope', () => {
  it.each<[string, RunRecord, string]>([
    ['a wrong key', failed({ code: 'http', status: 401 }), 'connection'],
    ['an empty account', failed({ code: 'http', status: 429 }, 'quota'), 'connection'],
    ['a certificate', failed({ code: 'network' }), 'connection'],
    ['an unknown model', failed({ code: 'http', status: 404 }), 'lane'],
  ])('of %s', (_title, record, expected) => {
    expect(failureScope(record)).toBe(expected);
  });
});
