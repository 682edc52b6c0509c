import { describe, expect, test } from 'vitest';
import type { ReplayData } from '../../../../src/library';
import { isPaused } from '../../../../src/library';
import { makeTurn, NATIVE } from '../../../support/session/turns';

const REPLAY: ReplayData = { provider: 'messages', data: { content: [] } };

const judge = (
  finishReason: string | undefined,
  replay: ReplayData | undefined = REPLAY,
  calls = 0,
): boolean => {
  const { assistant, raw } = makeTurn({});
  const toolCalls = Array.from({ length: calls }, () => NATIVE);
  return isPaused({ assistant: { ...assistant, replay, toolCalls }, raw: { ...raw, finishReason } });
};

describe('isPaused', () => {
  test.each(['pause_turn', 'compaction'])('is true for a reply that can be sent back after %s', (reason) => {
    expect(judge(reason)).toBe(true);
  });

  test.each([
    ['the reply has ended', judge('stop')],
    ['no reason is known', judge(undefined)],
    ['the reply calls tools, which are answered first', judge('pause_turn', REPLAY, 1)],
    ['its data must not be sent', judge('pause_turn', { ...REPLAY, isWithheld: true })],
  ])('is false when %s', (_, judged) => {
    expect(judged).toBe(false);
  });

  test('is false when there is nothing to send back', () => {
    const { assistant, raw } = makeTurn({});
    expect(isPaused({ assistant, raw: { ...raw, finishReason: 'pause_turn' } })).toBe(false);
  });
});
