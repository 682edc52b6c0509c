import { describe, expect, test } from 'vitest';
import { judgeTurn } from '../../../src/inspect';
import { makeTurn, NATIVE, RESCUED, rejection } from '../../support/turns';

const asked = { toolNames: ['get_weather'], callsBefore: { count: 0, rescued: 0 } };

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

  test('a native call of a tool that was not offered is malformed', () => {
    const unknown = { ...NATIVE, name: 'get_wether' };
    expect(judgeTurn(makeTurn({ native: [NATIVE, unknown] }), asked)).toEqual({
      kind: 'malformed',
      detail: '1 native call of a tool that was not offered',
    });
    expect(judgeTurn(makeTurn({ native: [unknown, unknown] }), asked).detail).toBe(
      '2 native calls of tools that were not offered',
    );
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
    turn.exchange.request.body = '{"tool_choice":"none"}';
    expect(judgeTurn(turn, asked).detail).toBe('tool choice is none; it would take 1 call, hermes-json');
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

  test('prose is none where a tool was offered, and so is an empty reply', () => {
    expect(judgeTurn(makeTurn({}), asked)).toEqual({ kind: 'none', detail: 'answered in prose' });
    const empty = makeTurn({});
    empty.raw.content = '';
    expect(judgeTurn(empty, asked)).toEqual({ kind: 'none', detail: 'the reply is empty' });
  });

  test('prose is an answer where no tool was offered', () => {
    const { kind, detail } = judgeTurn(makeTurn({}), { ...asked, toolNames: [] });
    expect({ kind, detail }).toEqual({ kind: 'answer', detail: 'no tools were offered' });
  });

  test.each([
    [{ count: 1, rescued: 0 }, 'after 1 call'],
    [{ count: 3, rescued: 0 }, 'after 3 calls'],
    [{ count: 1, rescued: 1 }, 'after 1 call, rescued'],
    [{ count: 3, rescued: 3 }, 'after 3 calls, rescued'],
    [{ count: 3, rescued: 2 }, 'after 3 calls, 2 rescued'],
  ])('prose after calls is an answer, and says how they came: %o', (callsBefore, detail) => {
    expect(judgeTurn(makeTurn({}), { ...asked, callsBefore })).toEqual({ kind: 'answer', detail });
  });

  test('calls before make no answer of a reply that is empty, makes another call or breaks one off', () => {
    const later = { ...asked, callsBefore: { count: 1, rescued: 0 } };
    const empty = makeTurn({});
    empty.raw.content = '';
    expect(judgeTurn(empty, later).kind).toBe('none');
    expect(judgeTurn(makeTurn({ native: [NATIVE] }), later).kind).toBe('native');
    expect(judgeTurn(makeTurn({ rejected: [rejection('truncated')] }), later).kind).toBe('malformed');
  });
});
