import { describe, expect, test } from 'vitest';
import { completeReply } from '../../../../../src/library/providers/call/complete-reply';
import { createCallContext } from '../../../../../src/library/transport/call-context';

const complete = (reply: unknown): unknown => completeReply(reply, createCallContext({}));
const EMPTY = { content: '', toolCalls: [], usage: {}, attempts: 0 };

describe('completeReply', () => {
  test.each([
    ['nothing', undefined, EMPTY],
    ['nulls', { content: null, toolCalls: null, usage: null, finishReason: null, model: 5 }, EMPTY],
    [
      'invalid counts',
      { usage: { promptTokens: null, completionTokens: -1, cachedTokens: 2 } },
      { ...EMPTY, usage: { cachedTokens: 2 } },
    ],
    [
      'unknown members',
      { content: 'hi', debug: { deep: true }, finishReason: 'stop', reasoning: 'because', attempts: 2 },
      { ...EMPTY, content: 'hi', finishReason: 'stop', reasoning: 'because', attempts: 2 },
    ],
  ])('leaves out %s', (_, reply, completed) => {
    expect(complete(reply)).toEqual(completed);
  });

  test('completes a call with an id, empty arguments and its source', () => {
    expect(complete({ toolCalls: [{ name: 'f', extraContent: { a: 1 }, debug: 1 }] })).toEqual({
      ...EMPTY,
      toolCalls: [
        {
          id: expect.stringMatching(/^[0-9A-Za-z]{9}$/),
          name: 'f',
          arguments: {},
          source: 'native',
          extraContent: { a: 1 },
        },
      ],
    });
  });

  test('makes the repeated ids of calls unique', () => {
    const call = { id: 'a', name: 'f', arguments: {} };
    expect(complete({ toolCalls: [call, { ...call, id: 'a_2' }, call] })).toMatchObject({
      toolCalls: [{ id: 'a' }, { id: 'a_2' }, { id: 'a_3' }],
    });
  });

  test.each<[given: unknown, read: unknown]>([
    ['{"city": "Oslo"}', { city: 'Oslo' }],
    ['', {}],
    [null, {}],
    ['{"city": "Os', '{"city": "Os'],
    [[1], [1]],
  ])('reads the arguments %j as those of a server', (given, read) => {
    const reply = { toolCalls: [{ name: 'f', arguments: given }] };
    expect(complete(reply)).toMatchObject({ toolCalls: [{ arguments: read }] });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['parent'] = cyclic;
  cyclic['first'] = cyclic;
  let doubling: unknown = {};
  for (let level = 0; level < 60; level += 1) doubling = { a: doubling, b: doubling };
  const calls = (args: unknown): object => ({ toolCalls: [{ name: 'f', arguments: args }] });

  test.each([
    ['a text', 'hi', 'no object'],
    ['content that is a number', { content: 42 }, 'not a text'],
    ['calls that are not a list', { toolCalls: {} }, 'not a list'],
    ['a call that is null', { toolCalls: [null] }, 'toolCalls[0] has no name'],
    ['a call without a name', { toolCalls: [{ name: '' }] }, 'toolCalls[0] has no name'],
    ['arguments with a bigint', calls({ n: 1n }), 'arguments of toolCalls[0]'],
    ['arguments with a function', calls({ run: () => 1 }), 'arguments of toolCalls[0]'],
    ['arguments that contain themselves', calls(cyclic), 'arguments of toolCalls[0]'],
    ['arguments that double with each level', calls(doubling), 'arguments of toolCalls[0]'],
  ])('refuses %s with an explanation', (_, reply, words) => {
    expect(complete(reply)).toContain(words);
  });

  test('accepts arguments that contain one object twice', () => {
    const oslo = { city: 'Oslo' };
    expect(complete(calls({ from: oslo, to: oslo }))).toMatchObject(calls({ from: oslo, to: oslo }));
  });
});
