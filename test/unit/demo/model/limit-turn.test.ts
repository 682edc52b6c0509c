import { describe, expect, test } from 'vitest';
import { limitTurn } from '../../../../src/demo/model/limit-turn';
import type { DemoTurn } from '../../../../src/demo/model/scenario';

const turn = (content: string, argumentsText?: string): DemoTurn => ({
  kind: 'turn',
  content,
  toolCalls: argumentsText === undefined ? [] : [{ name: 'four', argumentsText }],
});

describe('limitTurn', () => {
  test('truncates the content at the token limit and reports it', () => {
    expect(limitTurn(turn('123456789'), { maxTokens: 2 })).toMatchObject({
      content: '12345678',
      finishReason: 'length',
    });
  });

  test('keeps a turn that fits or has no limit', () => {
    const whole = turn('12345678', '{"a": 1}');
    for (const maxTokens of [undefined, -1, 5]) expect(limitTurn(whole, { maxTokens })).toEqual(whole);
  });

  test('returns one token for a limit of 0', () => {
    expect(limitTurn(turn('12345678'), { maxTokens: 0 }).content).toBe('1234');
  });

  test('truncates a call within its arguments, and drops a call for which no token is left', () => {
    expect(limitTurn(turn('', '{"a": 1}'), { maxTokens: 2 }).toolCalls).toEqual([
      { name: 'four', argumentsText: '{"a"' },
    ]);
    expect(limitTurn(turn('123', '{"a": 1}'), { maxTokens: 1 }).toolCalls).toEqual([]);
  });

  test('never splits a character', () => {
    expect(limitTurn(turn('abc🌞'), { maxTokens: 1 }).content).toBe('abc');
  });

  test('ends before the first stop sequence, which is not part of the reply, and names it', () => {
    expect(limitTurn(turn('tick tock tick', '{}'), { stop: ['', 'tick tick', 'tock', 'ck t'] })).toEqual({
      ...turn('ti'),
      stopSequence: 'ck t',
    });
  });
});
