// Writes the record of one attempt: what happened, and what was decided. Independent of the retry policy.
import type { AttemptRecord } from '../../../types';
import type { AttemptResult } from '../attempt';
import { readRateLimits } from '../answer/rate-limits';
import { findErrorCode } from '../failure/error-code';
import type { RetryDecision } from './retry';

export function toAttemptRecord(
  { status, headersMs, response, received, failure }: AttemptResult,
  { attempt, startedAt, endMs }: Pick<AttemptRecord, 'attempt' | 'startedAt' | 'endMs'>,
): AttemptRecord {
  const headers = (received ?? response)?.headers;
  const rateLimits = headers && readRateLimits(headers, startedAt + (headersMs ?? 0));
  return {
    attempt,
    startedAt,
    ...(headersMs !== undefined && { headersMs: Math.round(headersMs) }),
    endMs: Math.round(endMs),
    ...(status !== undefined && { status }),
    ...endOf(failure),
    ...(rateLimits && { rateLimits }),
    decision: 'done',
    reason: response ? `${response.status}, ended by the server.` : '',
  };
}

export function recordDecision(record: AttemptRecord | undefined, decision: RetryDecision | undefined): void {
  if (!record || !decision) return;
  record.decision = decision.decision;
  record.reason = decision.reason;
  delete record.delayMs;
  delete record.delaySource;
  if (decision.decision === 'retry') {
    record.delayMs = decision.delayMs;
    record.delaySource = decision.delaySource;
  }
}

export function recordReconnect(record: AttemptRecord | undefined): void {
  if (!record) return;
  record.decision = 'reconnect';
  record.reason = 'The server had closed a connection that was kept open; a new one is opened at once.';
}

/** Records what ended a body that was passed on unread. */
export function recordBrokenBody(
  record: AttemptRecord | undefined,
  failure: Parameters<typeof endOf>[0],
  timeoutMs: number | undefined,
): void {
  if (!record) return;
  Object.assign(record, endOf(failure));
  record.decision = 'stop';
  record.reason = 'The body was handed on, and did not end.';
  if (failure?.kind === 'timeout') record.endMs = Math.max(record.endMs, Math.round(timeoutMs ?? 0));
}

function endOf(failure: AttemptResult['failure']): Pick<AttemptRecord, 'endedBy' | 'errorCode'> {
  if (!failure || failure.kind === 'answer') return { endedBy: 'server' };
  const errorCode = findErrorCode(failure.error);
  const endedBy = ENDED_BY[failure.kind];
  return { endedBy, ...(errorCode !== undefined && { errorCode }) };
}

const ENDED_BY = {
  network: 'network',
  timeout: 'timeout',
  caller: 'caller',
  // A body over the limit is cut off by the library, on behalf of the caller.
  'too-large': 'caller',
  truncated: 'network',
  document: 'server',
  format: 'server',
} as const;
