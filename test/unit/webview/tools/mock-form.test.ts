import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import type { ToolMock } from '../../../../src/protocol';
import { MockSchema } from '../../../../src/protocol';
import type { MockAnswer, MockCondition, MockPart } from '../../../../webview/tools/mock-form';
import {
  answerOf,
  conditionOf,
  coveringMock,
  describeResult,
  freeCall,
  MOCK_PARTS,
  newMock,
  parseMockPart,
  showMockPart,
  withAnswer,
  withCondition,
} from '../../../../webview/tools/mock-form';
import { fc } from '../../../support/arbitrary/properties';

const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  // JSON has no -0.
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const record = fc
  .dictionary(fc.string(), json, { maxKeys: 4 })
  .filter((value) => !Object.hasOwn(value, '__proto__'))
  .map((value) => ({ ...value }));
const text = fc.string({ unit: 'binary', maxLength: 40 });
const mocks: fc.Arbitrary<ToolMock> = fc
  .tuple(
    fc.record({ when: record, call: fc.integer({ min: 1 }) }, { requiredKeys: [] }),
    fc.oneof(
      fc.record({
        result: fc.oneof(
          json,
          text,
          json.map((value) => JSON.stringify(value)),
        ),
      }),
      fc.record({ error: text }),
      fc.constant({ ask: true as const }),
      fc.constant({ invoke: true as const }),
    ),
    fc.record({ delayMs: fc.integer({ min: 0, max: 600_000 }) }, { requiredKeys: [] }),
  )
  .map((parts) => Object.assign({}, ...parts) as ToolMock);

/** The mock that results from the texts of its form. */
function readForm(mock: ToolMock): Record<string, unknown> {
  const texts = MOCK_PARTS.map((part): [MockPart, string | undefined] => [part, showMockPart(mock, part)]);
  const typed = texts.flatMap(([part, shown]): [string, unknown][] => {
    if (shown === undefined) return [];
    const parsed = parseMockPart(part, shown);
    expect(parsed.problem).toBeUndefined();
    return parsed.value === undefined ? [] : [[part, parsed.value]];
  });
  const answer = answerOf(mock);
  return Object.fromEntries([...typed, ...(answer === 'ask' || answer === 'invoke' ? [[answer, true]] : [])]);
}

describe('the form of a mock', () => {
  test('is read as the mock that it shows', () => {
    fc.assert(
      fc.property(mocks, (mock) => {
        expect(readForm(mock)).toEqual(mock);
      }),
    );
  });

  test('creates valid mocks, and keeps what was not changed', () => {
    const conditions = fc.constantFrom<MockCondition>('always', 'when', 'call', 'both');
    const answers = fc.constantFrom<MockAnswer>('result', 'error', 'ask', 'invoke');
    fc.assert(
      fc.property(mocks, conditions, answers, (mock, condition, answer) => {
        const changed = withAnswer(withCondition(mock, condition, 3), answer);
        expect(v.parse(MockSchema, changed)).toEqual(changed);
        expect([conditionOf(changed), answerOf(changed)]).toEqual([condition, answer]);
        expect(withAnswer(withCondition(mock, conditionOf(mock), 3), answerOf(mock))).toEqual(mock);
        expect(changed.delayMs).toBe(mock.delayMs);
      }),
    );
  });

  test('has no text for a part that the mock does not have', () => {
    expect(showMockPart({ ask: true }, 'result')).toBeUndefined();
    expect(showMockPart({ ask: true }, 'delayMs')).toBe('');
  });
});

describe('parseMockPart', () => {
  test.each<[MockPart, string, string]>([
    ['when', '{"city"', 'This is not JSON: '],
    ['when', '["Oslo"]', 'The arguments to match are an object'],
    ['when', '', 'This is not JSON: '],
    ['call', '0', 'A call number is a whole number, 1 or more.'],
    ['call', '1e3', 'A call number'],
    ['call', '9007199254740993', 'A call number'],
    ['delayMs', '-1', 'A delay is a whole number'],
    ['delayMs', '600001', 'A delay is a whole number'],
    ['result', '{"__proto__": 1}', 'A key cannot be named'],
  ])('reports the error in the %s %s', (part, typed, problem) => {
    expect(parseMockPart(part, typed).problem).toMatch(new RegExp(`^${problem}`));
  });

  it('reads a result that is JSON as its value, anything else as text', () => {
    expect(parseMockPart('result', '{"a": 1}')).toEqual({ value: { a: 1 } });
    expect(parseMockPart('result', '"42"')).toEqual({ value: '42' });
    expect(parseMockPart('result', '{"a": ')).toEqual({ value: '{"a": ' });
    expect(showMockPart({ result: '42' }, 'result')).toBe('"42"');
    expect(parseMockPart('delayMs', ' ')).toEqual({ value: undefined });
  });
});

describe('describeResult', () => {
  it('says whether the result is stored as JSON or as text', () => {
    expect(describeResult('[1]')).toBe('Stored as JSON.');
    expect(describeResult('It is cold.')).toBe('Stored as text.');
    expect(describeResult(' {"a"')).toBe('Stored as text: this is not JSON yet.');
  });
});

describe('withAnswer', () => {
  it('keeps a text for the next kind of answer, but no invalid value', () => {
    expect(withAnswer({ result: 'offline' }, 'error')).toEqual({ error: 'offline' });
    expect(withAnswer({ call: 1, error: 'offline', delayMs: 5 }, 'result')).toEqual({
      call: 1,
      result: 'offline',
      delayMs: 5,
    });
    expect(withAnswer({ result: { a: 1 } }, 'error')).toEqual({ error: '' });
  });
});

describe('coveringMock', () => {
  const oslo: ToolMock = { when: { city: 'Oslo' }, ask: true };

  test.each<[string, ToolMock[], number | undefined]>([
    ['one after a mock without a condition', [{ ask: true }, oslo], 0],
    ['one after an empty object of arguments', [{ when: {}, ask: true }, oslo], 0],
    ['one that asks for the same and more', [oslo, { when: { city: 'Oslo', unit: 'c' }, ask: true }], 0],
    ['one that asks for less', [oslo, { when: {}, ask: true }], undefined],
    ['one of other values', [oslo, { when: { city: 'Rome' }, ask: true }], undefined],
    [
      'the same call number',
      [
        { call: 2, ask: true },
        { call: 2, when: { city: 'Oslo' }, ask: true },
      ],
      0,
    ],
    [
      'another call number',
      [
        { call: 2, ask: true },
        { call: 1, ask: true },
      ],
      undefined,
    ],
    ['any call after a numbered one', [{ call: 1, ask: true }, { ask: true }], undefined],
    [
      'lists of another length',
      [
        { when: { at: [1] }, ask: true },
        { when: { at: [1, 2] }, ask: true },
      ],
      undefined,
    ],
    [
      'lists that hold the same',
      [
        { when: { at: [{}] }, ask: true },
        { when: { at: [{ a: 1 }] }, ask: true },
      ],
      0,
    ],
    ['an inherited key', [{ when: { constructor: {} }, ask: true }, oslo], undefined],
    ['the first one', [oslo], undefined],
  ])('finds the mock that covers the last one of a list, if any: %s', (_what, list, covering) => {
    expect(coveringMock(list, list.length - 1)).toBe(covering);
  });

  it('accepts deep conditions', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`);
    const mock: ToolMock = { when: deep as Record<string, unknown>, ask: true };
    expect(coveringMock([mock, mock], 1)).toBe(0);
  });
});

describe('newMock', () => {
  it('is reached, whatever mocks exist', () => {
    fc.assert(
      fc.property(fc.array(mocks, { maxLength: 5 }), (list) => {
        const { at, mock } = newMock(list);
        expect(coveringMock(list.toSpliced(at, 0, mock), at)).toBeUndefined();
      }),
    );
    expect(newMock([{ call: 1, ask: true }, { ask: true }])).toEqual({
      at: 1,
      mock: { call: 2, result: '' },
    });
    expect(
      freeCall([
        { call: 1, ask: true },
        { call: 3, ask: true },
      ]),
    ).toBe(2);
  });
});
