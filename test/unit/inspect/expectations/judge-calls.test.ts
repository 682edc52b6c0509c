import { describe, expect, test } from 'vitest';
import { judgeExpectation } from '../../../../src/inspect';
import { firstIssue } from '../../../../src/session/tools/schema/check-against-schema';
import type { JudgedExpectation, Expectation, SampleCall } from '../../../../src/types';

const call = (name: string, args: unknown = {}): SampleCall => ({
  name,
  arguments: args,
  step: 1,
  source: 'native',
});
const inCity = (city: string): SampleCall => call('get_weather', { city });

const judge = (expectation: Expectation, calls: SampleCall[], text = ''): JudgedExpectation =>
  judgeExpectation(
    expectation,
    0,
    { calls, text, outcome: 'native', spent: {}, hasRates: false },
    { tools: [], checkSchema: firstIssue },
  );

describe('judgeCalls', () => {
  test('notes what would have been rescued, also where no call is expected', () => {
    const given = {
      calls: [],
      text: '',
      outcome: 'none' as const,
      spent: {},
      hasRates: false,
      unread: ['hermes-json'],
    };
    expect(judgeExpectation({ calls: [] }, 0, given, { tools: [], checkSchema: firstIssue })).toMatchObject({
      verdict: 'passed',
      message: 'No call was made. The reply holds a call as text (hermes-json); rescue is off.',
    });
  });
});

describe('the departure of calls', () => {
  const two = [{ tool: 'get_weather', arguments: { city: 'Oslo' } }, { tool: 'orders' }];

  test.each([
    ['no call', two, [], { kind: 'no-call', expected: 'get_weather', made: '' }],
    ['a call', [], [call('open')], { kind: 'call', expected: '', made: 'open' }],
    [
      'another tool',
      two,
      [inCity('Bergen'), call('open')],
      { kind: 'other-tool', expected: 'orders', made: 'open' },
    ],
    ['a call less', two, [inCity('Oslo')], { kind: 'other-count', expected: 'orders', made: '' }],
    [
      'a further call',
      [{ tool: 'orders' }],
      [call('orders'), call('orders')],
      { kind: 'other-count', expected: '', made: 'orders' },
    ],
    [
      'other arguments',
      two,
      [call('orders'), inCity('Bergen')],
      { kind: 'other-arguments', expected: 'get_weather', made: 'get_weather' },
    ],
  ])('is %s', (_name, calls, made, departure) => {
    expect(judge({ calls }, made).departure).toEqual(departure);
  });

  test('is absent where the calls are not the reason', () => {
    expect(judge({ calls: [], text: 'x' }, [], 'y').departure).toBeUndefined();
  });
});
