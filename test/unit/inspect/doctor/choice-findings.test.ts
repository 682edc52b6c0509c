// A tool choice that the server did not obey: with recorded replies of real servers, and the replies that must stay without a
// finding.
import { describe, expect, test } from 'vitest';
import { findingsOf, turnOfProtocol } from '../../../support/diagnosis/diagnosis';
import { LIST, toMadeTurn } from '../../../support/session/made-turns';
import { NATIVE, WEATHER } from '../../../support/session/turns';
import type { ChatTurn, Finding, ToolChoice } from '../../../../src/types';

const TOOLS = [WEATHER, LIST];
const FLIGHTS = { ...NATIVE, id: 'c2', name: LIST.name };

const ofChoice = (turn: ChatTurn): Finding[] =>
  findingsOf(turn, { tools: TOOLS }).filter(({ cause }) => cause === 'choice-ignored');

/** A reply with these native calls, to a request with this choice. */
const turnWith = (
  native: NonNullable<Parameters<typeof toMadeTurn>[0]['native']>,
  choice: ToolChoice,
  body: Record<string, unknown> = { tool_choice: choice },
): ChatTurn =>
  toMadeTurn(
    {
      native,
      content: native.length > 0 ? '' : 'It is warm.',
      finishReason: native.length > 0 ? 'tool_calls' : 'stop',
      url: 'http://h/v1/messages',
      body,
      change: ({ exchange }) => (exchange.toolChoice = { choice, key: 'tool_choice' }),
    },
    TOOLS,
  );

describe('disobeyedChoiceFindings', () => {
  test('names a call that llama-server made although the choice forbids it', async () => {
    const { turn } = await turnOfProtocol('llamacpp-messages-choice-none');
    const [found, ...others] = ofChoice(turn);
    expect(found?.what).toBe(
      'The request forbids tool calls, and the server sent 1. This server does not enforce the tool choice.',
    );
    expect(found?.evidence).toEqual([
      { place: 'request, `/tool_choice`', quote: '{"type":"none"}' },
      { place: 'answer', quote: 'get_weather' },
    ]);
    expect(others).toEqual([]);
  });

  test('names a call of another tool than the one that is demanded', () => {
    const [found] = ofChoice(turnWith([FLIGHTS], { tool: WEATHER.name }));
    expect(found?.what).toContain(
      'allows only a call of `get_weather`, and the server sent one of `find_flights`',
    );
  });

  test.each([
    { parallel_tool_calls: false },
    { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  ])('names several calls where one at a time is allowed: %j', (body) => {
    const [found] = ofChoice(turnWith([NATIVE, FLIGHTS], 'auto', body));
    expect(found?.what).toContain('allows one tool call in a reply, and the server sent 2');
    expect(ofChoice(turnWith([NATIVE], 'auto', body))).toEqual([]);
  });

  test.each([
    ['several calls where they are allowed', turnWith([NATIVE, FLIGHTS], 'auto')],
    ['a call that is demanded', turnWith([NATIVE], 'required')],
    ['a call of the tool that is demanded', turnWith([NATIVE], { tool: WEATHER.name })],
    ['no call where none is allowed', turnWith([], 'none')],
  ])('says nothing of %s', (_, turn) => {
    expect(ofChoice(turn)).toEqual([]);
  });
});
