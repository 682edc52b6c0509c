import { describe, expect, test } from 'vitest';
import { boundOutcome } from '../../../../src/host/runs/bound-outcome';
import { CutTexts } from '../../../../src/host/runs/cut-texts';
import type { RunOutcome } from '../../../../src/protocol';
import { makeTurn, NATIVE } from '../../../support/turns';

const HUGE = 'a'.repeat(1_200_000);

function outcomeOf(content: string): RunOutcome {
  const turn = makeTurn({ native: [{ ...NATIVE, arguments: { text: HUGE } }] });
  turn.assistant = { role: 'assistant', content, toolCalls: turn.toolCalls };
  turn.raw.content = content;
  return {
    runId: 'r1',
    connectionId: 'demo',
    connectionLabel: 'Demo',
    model: 'm',
    startedAt: 0,
    durationMs: 0,
    verdict: { kind: 'native', detail: '' },
    turn,
    ledger: [],
    findings: [],
  };
}

describe('boundOutcome', () => {
  test('an outcome of common size is left as it is', () => {
    const outcome = { ...outcomeOf('short'), turn: makeTurn({ native: [NATIVE] }) };
    expect(boundOutcome(outcome, new CutTexts())).toEqual(outcome);
  });

  test('every text is cut with a word that says so', () => {
    const { turn } = boundOutcome(outcomeOf(HUGE), new CutTexts());
    expect(turn?.raw.content).toMatch(/^a{1000000}… \(200000 more characters are not shown\)$/);
    expect(JSON.stringify(turn?.toolCalls).length).toBeLessThan(300_000);
  });

  test('what the next request repeats can be restored: the text and the arguments', () => {
    const texts = new CutTexts();
    const { turn } = boundOutcome(outcomeOf(HUGE), texts);
    expect(turn?.assistant.content.length).toBeLessThan(HUGE.length);
    const [message] = texts.restore(turn ? [{ ...turn.assistant, toolCalls: turn.toolCalls }] : []);
    expect(message?.content).toBe(HUGE);
    expect(message?.toolCalls?.[0]?.arguments).toEqual({ text: HUGE });
  });
});
