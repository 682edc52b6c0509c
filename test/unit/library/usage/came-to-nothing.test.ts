import { describe, expect, test } from 'vitest';
import type { RawAssistant } from '../../../../src/library';
import { cameToNothing } from '../../../../src/library';
import { makeTurn, NATIVE } from '../../../support/session/turns';

const judge = (raw: Partial<RawAssistant>): boolean => {
  const turn = makeTurn({});
  return cameToNothing({ ...turn, raw: { ...turn.raw, content: '', ...raw } });
};

describe('cameToNothing', () => {
  test('is true if tokens were counted without text, reasoning or call', () => {
    expect(judge({ usage: { completionTokens: 7 } })).toBe(true);
    expect(judge({ usage: { completionTokens: 7 }, content: ' \n' })).toBe(true);
  });

  test.each<[what: string, raw: Partial<RawAssistant>]>([
    ['there is text', { content: 'Hello', usage: { completionTokens: 7 } }],
    ['there is reasoning', { reasoning: 'Hm.', usage: { completionTokens: 7 } }],
    ['there is a call', { toolCalls: [NATIVE], usage: { completionTokens: 7 } }],
    ['only the end token was counted', { usage: { completionTokens: 1 } }],
    ['no tokens were counted', { usage: {} }],
    ['all tokens were hidden reasoning', { usage: { completionTokens: 64, reasoningTokens: 64 } }],
  ])('is false if %s', (_, raw) => {
    expect(judge(raw)).toBe(false);
  });
});
