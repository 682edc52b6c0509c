import { describe, expect, test } from 'vitest';
import { judgeTurn } from '../../../src/inspect';
import { makeTurn, NATIVE, RESCUED, rejection } from '../../support/session/turns';

const asked = { toolNames: ['get_weather'], callsBefore: { count: 0, rescued: 0 } };

describe('judgeTurn', () => {
  test('returns “native” for native calls', () => {
    expect(judgeTurn(makeTurn({ native: [NATIVE] }), asked)).toEqual({ kind: 'native', detail: '1 call' });
    expect(judgeTurn(makeTurn({ native: [NATIVE, NATIVE] }), asked).detail).toBe('2 calls');
  });

  test('is malformed when a native call has no name, even beside others', () => {
    const turn = makeTurn({ native: [NATIVE] });
    turn.exchange.toolCalls = [{ rawArguments: '{}' }, { rawArguments: '{}', isNameless: true }];
    expect(judgeTurn(turn, asked)).toEqual({ kind: 'malformed', detail: '1 native call has no name' });
  });

  test('returns “malformed” for native calls with arguments that cannot be read', () => {
    const turn = makeTurn({ native: [NATIVE] });
    turn.exchange.toolCalls = [{ rawArguments: '{"a', parseError: 'Unterminated string' }];
    expect(judgeTurn(turn, asked)).toEqual({
      kind: 'malformed',
      detail: 'the arguments of 1 native call cannot be read',
    });
  });

  test('returns “malformed” for a native call of a tool that was not offered', () => {
    const unknown = { ...NATIVE, name: 'get_wether' };
    expect(judgeTurn(makeTurn({ native: [NATIVE, unknown] }), asked)).toEqual({
      kind: 'malformed',
      detail: '1 native call of a tool that was not offered',
    });
    expect(judgeTurn(makeTurn({ native: [unknown, unknown] }), asked).detail).toBe(
      '2 native calls of tools that were not offered',
    );
  });

  test('returns “rescued” for calls from the text, with their format', () => {
    expect(judgeTurn(makeTurn({ rescued: [RESCUED] }), asked)).toEqual({
      kind: 'rescued',
      detail: '1 call, hermes-json',
    });
  });

  test('returns “none” for calls in the text when rescue is off, and says what rescue would find', () => {
    const turn = { ...makeTurn({ rescued: [RESCUED] }), toolCalls: [] };
    expect(judgeTurn(turn, asked)).toEqual({
      kind: 'none',
      detail: 'rescue is off; would be rescued: 1 call, hermes-json',
    });
    turn.exchange.toolChoice = { choice: 'none', key: 'tool_choice' };
    expect(judgeTurn(turn, asked).detail).toBe('tool choice is none; would be rescued: 1 call, hermes-json');
  });

  test('returns “malformed” for a truncated call, and “none” for a call of an unknown tool', () => {
    expect(judgeTurn(makeTurn({ rejected: [rejection('truncated')] }), asked)).toEqual({
      kind: 'malformed',
      detail: 'left as text, truncated',
    });
    expect(judgeTurn(makeTurn({ rejected: [rejection('unknown-tool')] }), asked)).toEqual({
      kind: 'none',
      detail: 'left as text, unknown-tool',
    });
  });

  test('returns “none” for prose or an empty reply where a tool was offered', () => {
    expect(judgeTurn(makeTurn({}), asked)).toEqual({ kind: 'none', detail: 'answered in prose' });
    const empty = makeTurn({});
    empty.raw.content = '';
    expect(judgeTurn(empty, asked)).toEqual({ kind: 'none', detail: 'the reply is empty' });
  });

  test('returns “answer” for prose where no tool was offered', () => {
    const { kind, detail } = judgeTurn(makeTurn({}), { ...asked, toolNames: [] });
    expect({ kind, detail }).toEqual({ kind: 'answer', detail: 'no tools were offered' });
  });

  test.each([
    [{ count: 1, rescued: 0 }, 'after 1 call'],
    [{ count: 3, rescued: 0 }, 'after 3 calls'],
    [{ count: 1, rescued: 1 }, 'after 1 call, rescued'],
    [{ count: 3, rescued: 3 }, 'after 3 calls, rescued'],
    [{ count: 3, rescued: 2 }, 'after 3 calls, 2 rescued'],
  ])('returns “answer” for prose after calls, and says how the calls came: %o', (callsBefore, detail) => {
    expect(judgeTurn(makeTurn({}), { ...asked, callsBefore })).toEqual({ kind: 'answer', detail });
  });

  test('does not return “answer” for an empty reply, another call or a truncated one after calls', () => {
    const later = { ...asked, callsBefore: { count: 1, rescued: 0 } };
    const empty = makeTurn({});
    empty.raw.content = '';
    expect(judgeTurn(empty, later).kind).toBe('none');
    expect(judgeTurn(makeTurn({ native: [NATIVE] }), later).kind).toBe('native');
    expect(judgeTurn(makeTurn({ rejected: [rejection('truncated')] }), later).kind).toBe('malformed');
  });
});
