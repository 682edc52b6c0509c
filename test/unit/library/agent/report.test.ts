import { describe, expect, test } from 'vitest';
import type { AgentStep, ChatTurn } from '../../../../src/library';
import { ProviderError, RunStoppedError } from '../../../../src/library';
import { toRunReport } from '../../../../src/library/agent/report';
import { makeTurn } from '../../../support/session/turns';

const stepOf = (turn: Partial<ChatTurn>): AgentStep => ({
  turn: { ...makeTurn({}), ...turn },
  calls: [],
  results: [],
});
const ENDING = { output: 'Hi', stopReason: 'answer', failedAttempts: 0, resumed: [] } as const;

describe('toRunReport', () => {
  test('adds up usage, and leaves out what the server never sent', () => {
    const steps = [
      stepOf({ usage: { promptTokens: 10, completionTokens: 2 }, attempts: 3 }),
      stepOf({ usage: { promptTokens: 5, cachedTokens: 0 } }),
      stepOf({ usage: {} }),
    ];
    expect(toRunReport(steps, { ...ENDING, failedAttempts: 2 })).toEqual({
      output: 'Hi',
      steps,
      usage: { promptTokens: 15, completionTokens: 2, cachedTokens: 0 },
      attempts: 7,
      stopReason: 'answer',
    });
  });

  test('adds up known costs, and has none if none is known', () => {
    const steps = [stepOf({ usage: { costUsd: 0.25 } }), stepOf({ usage: {} })];
    expect(toRunReport(steps, ENDING)).toMatchObject({ costUsd: 0.25, usage: {} });
    expect(toRunReport(steps.slice(1), ENDING)).not.toHaveProperty('costUsd');
    expect(toRunReport([], ENDING)).not.toHaveProperty('costUsd');
  });
});

describe('RunStoppedError', () => {
  test('is a ProviderError with the report and the ledger of all chats', () => {
    const record = {
      attempt: 1,
      startedAt: 0,
      endMs: 1,
      endedBy: 'server',
      decision: 'done',
      reason: 'It was answered.',
    } as const;
    const report = toRunReport([stepOf({ ledger: [record] }), stepOf({ ledger: [record] })], ENDING);
    const explanation = { what: 'The run was stopped.', why: 'The caller aborted it.', next: '' };
    const error = new RunStoppedError('aborted', explanation, { report, cause: 'enough' });
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({
      name: 'RunStoppedError',
      code: 'aborted',
      message: 'The run was stopped. The caller aborted it.',
      report,
      attempts: 2,
      ledger: [record, record],
      exchange: report.steps[1]?.turn.exchange,
      cause: 'enough',
    });
  });
});
