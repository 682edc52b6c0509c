import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/library';
import { findOpenCalls, toAnswer, withAnswers } from '../../../../src/library/agent/open-calls';
import { callOf, OSLO } from './agent-fixtures';

const BERGEN = callOf('get_weather', { city: 'Bergen' }, 'id_bergen');
const question: Message = { role: 'user', content: 'How is it?' };
const asked: Message = { role: 'assistant', content: '', toolCalls: [OSLO, BERGEN] };
const given: Message = { role: 'tool', content: 'cold', toolCallId: BERGEN.id };

describe('findOpenCalls', () => {
  test.each([
    ['every call of a turn without answers', [question, asked], [OSLO, BERGEN]],
    ['only those without an answer', [question, asked, given], [OSLO]],
    ['those of a turn that a further message follows', [question, asked, given, question], [OSLO]],
    ['none of a turn that is not the last', [asked, { role: 'assistant', content: 'Hi' }], []],
    ['none of a conversation without a turn', [question], []],
    ['none of an empty conversation', [], []],
  ] satisfies [string, Message[], unknown[]][])('finds %s', (_title, messages, calls) => {
    expect(findOpenCalls(messages)).toEqual(calls);
  });
});

describe('two calls with one id', () => {
  const twin = callOf('get_weather', { city: 'Bergen' }, OSLO.id);
  const twins: Message = { role: 'assistant', content: '', toolCalls: [OSLO, twin] };
  const answer = (content: string): Message => ({ role: 'tool', content, toolCallId: OSLO.id });

  test('need two results, and the first result belongs to the first call', () => {
    expect(findOpenCalls([twins, answer('cold')])).toEqual([twin]);
    expect(findOpenCalls([twins, answer('cold'), answer('wet')])).toEqual([]);
    expect(withAnswers([twins, answer('cold')], [answer('wet')])).toEqual([
      twins,
      answer('cold'),
      answer('wet'),
    ]);
  });
});

describe('withAnswers', () => {
  test('handles a turn with very many calls in linear time', () => {
    const calls = Array.from({ length: 30_000 }, (_, index) => callOf('get_weather', {}, `id_${index}`));
    const answers = calls.map(({ id }): Message => ({ role: 'tool', content: 'cold', toolCallId: id }));
    const asking: Message = { role: 'assistant', content: '', toolCalls: calls };
    const messages = withAnswers([asking], answers.toReversed());
    expect(messages).toEqual([asking, ...answers]);
  });

  test('inserts the answers after their turn, in the order of its calls', () => {
    const answer = toAnswer(
      { callId: OSLO.id, name: 'x', args: {}, output: 'no', isError: true },
      'get_weather',
    );
    expect(withAnswers([question, asked, given, question], [answer])).toEqual([
      question,
      asked,
      { role: 'tool', content: 'no', toolName: 'get_weather', toolCallId: OSLO.id, isError: true },
      given,
      question,
    ]);
  });
});
