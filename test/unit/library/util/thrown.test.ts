import { describe, expect, test } from 'vitest';
import { findErrorCode } from '../../../../src/library/transport/failure/error-code';
import { causesOf, describeThrown, toError } from '../../../../src/library/util/thrown';

const circular = (): Error => {
  const [inner, outer] = [new Error('inner'), new Error('outer')];
  [inner.cause, outer.cause] = [outer, inner];
  return outer;
};

function refuse(): never {
  throw new Error('not for you');
}

/** Throws at whatever is done with it. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('causesOf', () => {
  test('lists an error and its causes, the outermost first', () => {
    const error = new Error('a', { cause: new Error('b', { cause: 'no error' }) });
    expect(causesOf(error).map(({ message }) => message)).toEqual(['a', 'b']);
    expect(causesOf('no error')).toEqual([]);
    expect(causesOf(revoked())).toEqual([]);
  });

  test('ends for causes that form a circle', () => {
    expect(
      causesOf(circular())
        .slice(0, 3)
        .map(({ message }) => message),
    ).toEqual(['outer', 'inner', 'outer']);
    expect(findErrorCode(circular())).toBeUndefined();
  });
});

describe('findErrorCode', () => {
  const coded = (code: string): Error => Object.assign(new Error(code), { code });
  /** Node gives an error of several addresses the code of the first one. */
  const toSeveral = (...codes: string[]): Error =>
    Object.assign(new AggregateError(codes.map(coded)), { code: codes[0] });

  test.each([
    [['ECONNREFUSED', 'ECONNREFUSED'], 'ECONNREFUSED'],
    [['ETIMEDOUT', 'ECONNREFUSED'], 'ECONNREFUSED'],
    [['ENETUNREACH', 'ECONNREFUSED'], 'ECONNREFUSED'],
    [['ECONNREFUSED', 'ETIMEDOUT'], 'ECONNREFUSED'],
    [['ENETUNREACH', 'ETIMEDOUT'], 'ENETUNREACH'],
  ])('of the addresses %j prefers one that answered', (codes, expected) => {
    expect(findErrorCode(toSeveral(...codes))).toBe(expected);
    expect(findErrorCode(new Error('outer', { cause: toSeveral(...codes) }))).toBe(expected);
  });

  test('is that of the innermost cause that has one', () => {
    const inner = Object.assign(new Error('inner', { cause: new Error('none') }), { code: 'INNER' });
    expect(findErrorCode(Object.assign(new Error('outer', { cause: inner }), { code: 'OUTER' }))).toBe(
      'INNER',
    );
    expect(findErrorCode(new AggregateError([]))).toBeUndefined();
  });
});

test.each<[unknown, string]>([
  [new Error('no such city'), 'no such city'],
  [new RangeError(), 'RangeError'],
  ['text', 'text'],
  [undefined, 'undefined'],
  [Symbol('x'), 'Symbol(x)'],
  [Object.assign(Object.create(null), { code: 404 }), '{"code":404}'],
  [{ big: 1n }, 'an object that is not an error'],
  [{ toJSON: () => undefined }, 'an object that is not an error'],
])('%o is described as %s', (thrown, words) => {
  expect(describeThrown(thrown)).toBe(words);
  expect(toError(thrown)).toBeInstanceOf(Error);
});

test('an object that throws when it is read is described, too', () => {
  const unreadable = Object.defineProperty(new Error('x'), 'message', { get: refuse });
  for (const thrown of [unreadable, revoked()]) {
    expect(describeThrown(thrown)).toBe('an object that is not an error');
    expect(toError(thrown)).toBeInstanceOf(Error);
  }
});
