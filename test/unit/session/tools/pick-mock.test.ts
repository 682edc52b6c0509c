import { describe, expect, test } from 'vitest';
import type { DocumentTool, ToolMock } from '../../../../src/protocol';
import { answerOfMock, describeUnmatched, pickMock } from '../../../../src/session';
import { fc } from '../../../support/arbitrary/properties';

const toolWith = (mocks: ToolMock[]): DocumentTool => ({
  name: 'get_weather',
  parameters: { type: 'object', properties: {} },
  offered: true,
  mocks,
});
const indexOf = (mocks: ToolMock[], args: unknown, callNumber = 1): number | undefined =>
  pickMock(mocks, args, callNumber)?.index;
const matches = (when: Record<string, unknown>, args: unknown): boolean =>
  indexOf([{ when, result: 1 }], args) === 0;
const whyNot = (mocks: ToolMock[], args: unknown, callNumber = 1): string =>
  describeUnmatched(toolWith(mocks), args, callNumber);

describe('pickMock', () => {
  test('returns the first matching mock', () => {
    const mocks: ToolMock[] = [
      { when: { city: 'Oslo' }, result: 4 },
      { call: 2, error: 'offline' },
      { when: { city: 'Bergen' }, call: 3, result: 5 },
      { result: 11 },
    ];
    expect(pickMock(mocks, { city: 'Oslo', unit: 'c' }, 2)).toEqual({ mock: mocks[0], index: 0 });
    expect(indexOf(mocks, { city: 'Bergen' }, 2)).toBe(1);
    expect(indexOf(mocks, { city: 'Bergen' }, 3)).toBe(2);
    expect(indexOf(mocks, { city: 'Bergen' }, 4)).toBe(3);
    expect(indexOf(mocks.slice(0, 3), { city: 'Bergen' }, 4)).toBeUndefined();
    expect(indexOf([], {})).toBeUndefined();
  });

  test.each<[Record<string, unknown>, unknown, boolean]>([
    [{}, {}, true],
    [{}, { a: 1 }, true],
    [{}, undefined, true],
    [{}, 'text', false],
    [{ a: 1 }, { a: 1.0, b: 2 }, true],
    [{ a: 0 }, { a: -0 }, true],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: 'Oslo' }, { a: 'oslo' }, false],
    [{ a: null }, { a: null }, true],
    [{ a: null }, {}, false],
    [{ a: {} }, { a: { b: 1 } }, true],
    [{ a: {} }, { a: [] }, false],
    [{ a: [] }, { a: {} }, false],
    [{ a: [] }, { a: [1] }, false],
    [{ a: [{ b: 1 }, 2] }, { a: [{ b: 1, c: 1 }, 2] }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ constructor: {} }, {}, false],
  ])('compares %j with %j: %s', (when, args, isMatch) => {
    expect(matches(when, args)).toBe(isMatch);
  });

  test('treats `__proto__` as an ordinary name', () => {
    const when = JSON.parse('{ "__proto__": { "a": 1 } }') as Record<string, unknown>;
    expect(matches(when, JSON.parse('{ "__proto__": { "a": 1, "b": 2 } }'))).toBe(true);
    expect(matches(when, JSON.parse('{ "__proto__": { "a": 2 } }'))).toBe(false);
    expect(matches(when, {})).toBe(false);
  });

  test('compares values nested 100,000 levels deep, and ends on a cycle', () => {
    const nest = (inner: unknown): Record<string, unknown> => {
      let value = { a: inner };
      for (let level = 0; level < 100_000; level++) value = { a: value };
      return value;
    };
    expect(matches(nest(1), nest(1))).toBe(true);
    expect(matches(nest(1), nest(2))).toBe(false);
    const cycle: Record<string, unknown> = {};
    cycle['a'] = cycle;
    expect(matches(cycle, cycle)).toBe(false);
    expect(matches({ a: 1 }, { ...cycle, a: 1, b: cycle })).toBe(true);
  });

  test('matches any JSON with itself, with more members, or with fewer conditions', () => {
    const add = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(add);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, add(inner)]);
      return Object.fromEntries([...entries, ['more than there was', 1]]);
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (when) => {
        expect(matches(when, when)).toBe(true);
        expect(matches(when, add(when))).toBe(true);
        expect(matches(add(when) as Record<string, unknown>, when)).toBe(false);
        const [first, ...rest] = Object.keys(when);
        if (first === undefined) return;
        const less = Object.fromEntries(rest.map((key) => [key, when[key]]));
        expect(matches(less, when)).toBe(true);
        expect(matches(when, less)).toBe(false);
      }),
    );
  });
});

describe('describeUnmatched', () => {
  test('says that there is no mock', () => {
    expect(whyNot([], {})).toBe('get_weather has no mock, so there is no result to give.');
  });

  test('says that a mock could not be compared', () => {
    expect(whyNot([{ when: { a: { $matches: '(a+)+$' } }, result: 1 }], { a: 'a'.repeat(5_000) })).toBe(
      'The mock of get_weather does not match this call: it cannot be compared with it: (a+)+$ could take too long on a text of 5000 characters.',
    );
  });

  test('names what the nearest mock requires, and what the call contains', () => {
    expect(whyNot([{ when: { city: 'Oslo' }, result: 1 }], { city: 'Bergen' })).toBe(
      'The mock of get_weather does not match this call: it wants city to be "Oslo", and the call has "Bergen".',
    );
    const mocks: ToolMock[] = [
      { when: { city: 'Oslo', unit: 'k' }, result: 1 },
      { when: { place: { at: [1, 2] }, unit: 'c' }, result: 1 },
      { when: { place: { at: [1, 2] }, unit: 'c', day: 1 }, call: 7, result: 1 },
    ];
    expect(whyNot(mocks, { place: { at: [1, 3] }, unit: 'c' })).toBe(
      'None of the 3 mocks of get_weather matches this call: the nearest one wants place.at[1] to be 2, and the call has 3.',
    );
    expect(whyNot(mocks.slice(0, 2), { place: { at: [1, 2] } })).toContain(
      'wants unit to be "c", and the call has none.',
    );
    expect(whyNot([{ when: { a: 1 }, result: 1 }], 'text')).toContain(
      'wants an object of arguments, and the call has text.',
    );
  });

  test('names the number of the call that the nearest mock is for', () => {
    expect(whyNot([{ call: 2, result: 1 }], {}, 3)).toBe(
      'The mock of get_weather does not match this call: it is for the 2nd call, and this is the 3rd.',
    );
  });

  test('is short and never throws for any arguments', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (when, args) => {
        expect(whyNot([{ when, call: 9, result: 1 }], args).length).toBeLessThan(400);
      }),
    );
    expect(
      whyNot([{ when: { a: 'x'.repeat(1e6) }, result: 1 }], { a: '😀'.repeat(1e6) }).length,
    ).toBeLessThan(400);
  });
});

describe('answerOfMock', () => {
  test('returns text unchanged, anything else as JSON', () => {
    expect(answerOfMock({ result: '{"a": 1}' })).toEqual({ content: '{"a": 1}', isError: false });
    expect(answerOfMock({ result: { a: [1, '\uD800'] } })).toEqual({
      content: '{"a":[1,"\\ud800"]}',
      isError: false,
    });
    expect(answerOfMock({ result: null })).toEqual({ content: 'null', isError: false });
    expect(answerOfMock({ result: undefined })).toEqual({ content: '', isError: false });
  });

  test('returns an error, or who gives the result instead', () => {
    expect(answerOfMock({ error: 'offline' })).toEqual({ content: 'offline', isError: true });
    expect(answerOfMock({ ask: true })).toBe('ask');
    expect(answerOfMock({ invoke: true })).toBe('invoke');
  });

  test('reports a result that cannot be serialized', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(answerOfMock({ result: deep })).toMatchObject({ isError: true });
  });
});
