import { describe, expect, test } from 'vitest';
import { judgeTurn } from '../../../src/inspect';
import { makeTurn, NATIVE, RESCUED, rejection } from '../../support/turns';

const asked = { toolNames: ['get_weather'] };

describe('judgeTurn', () => {
  test('native calls are native', () => {
    expect(judgeTurn(makeTurn({ native: [NATIVE] }), asked)).toEqual({ kind: 'native', detail: '1 call' });
    expect(judgeTurn(makeTurn({ native: [NATIVE, NATIVE] }), asked).detail).toBe('2 calls');
  });

  test('native calls with arguments that are not JSON are malformed', () => {
    const turn = makeTurn({ native: [NATIVE] });
    turn.exchange.toolCalls = [{ rawArguments: '{"a', parseError: 'Unterminated string' }];
    expect(judgeTurn(turn, asked)).toEqual({
      kind: 'malformed',
      detail: 'the arguments of 1 native call are not JSON',
    });
  });

  test('calls from the text are rescued, with their format', () => {
    expect(judgeTurn(makeTurn({ rescued: [RESCUED] }), asked)).toEqual({
      kind: 'rescued',
      detail: '1 call, hermes-json',
    });
  });

  test('with rescue off there is no call, and what it would take is said', () => {
    const turn = { ...makeTurn({ rescued: [RESCUED] }), toolCalls: [] };
    expect(judgeTurn(turn, asked)).toEqual({
      kind: 'none',
      detail: 'rescue is off; it would take 1 call, hermes-json',
    });
  });

  test('a call that broke off is malformed, one of a tool that was not offered is none', () => {
    expect(judgeTurn(makeTurn({ rejected: [rejection('truncated')] }), asked)).toEqual({
      kind: 'malformed',
      detail: 'left as text, truncated',
    });
    expect(judgeTurn(makeTurn({ rejected: [rejection('unknown-tool')] }), asked)).toEqual({
      kind: 'none',
      detail: 'left as text, unknown-tool',
    });
  });

  test('prose is none, and so is an empty reply and a run without tools', () => {
    const empty = makeTurn({});
    empty.raw.content = '';
    expect(judgeTurn(makeTurn({}), asked)).toEqual({ kind: 'none', detail: 'answered in prose' });
    expect(judgeTurn(empty, asked).detail).toBe('the reply is empty');
    const without = judgeTurn(makeTurn({}), { toolNames: [] });
    expect(without.detail).toBe('answered in prose, no tools were offered');
  });
});
