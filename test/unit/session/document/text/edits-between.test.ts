import { describe, expect, test } from 'vitest';
import type { DocumentEdit } from '../../../../../src/protocol';
import { editsBetween } from '../../../../../src/session';
import { fc } from '../../../../support/arbitrary/properties';

/** Applies edits to a value. */
function applyTo(root: unknown, edits: readonly DocumentEdit[]): unknown {
  const holder: Record<string | number, unknown> = { root: structuredClone(root) };
  for (const { path, value, isInsertion } of edits) {
    let at = holder;
    const places = ['root', ...path];
    for (const segment of places.slice(0, -1)) at = at[segment] as typeof at;
    const last = places.at(-1) ?? '';
    if (Array.isArray(at) && (isInsertion || value === undefined)) {
      at.splice(Number(last), isInsertion ? 0 : 1, ...(isInsertion ? [value] : []));
    } else if (value === undefined) Reflect.deleteProperty(at, last);
    else at[last] = value;
  }
  return holder['root'];
}

describe('editsBetween', () => {
  test('returns edits only for what differs', () => {
    const before = { name: 'a', parameters: { properties: { city: { type: 'string' } } }, gone: 1 };
    const after = { name: 'a', parameters: { properties: { city: { type: 'number' } } }, added: 2 };
    expect(editsBetween(before, after, ['tools', 0])).toEqual([
      { path: ['tools', 0, 'parameters', 'properties', 'city', 'type'], value: 'number' },
      { path: ['tools', 0, 'gone'] },
      { path: ['tools', 0, 'added'], value: 2 },
    ]);
  });

  test('removes and inserts elements of a list, and leaves the others unchanged', () => {
    const edits = [{ path: ['list', 3] }, { path: ['list', 0] }];
    expect(editsBetween({ list: [1, 2, 3, 4] }, { list: [2, 3] }, [])).toEqual(edits);
    expect(editsBetween({ list: ['b'] }, { list: ['a', 'b', 'c'] }, [])).toEqual([
      { path: ['list', 0], value: 'a', isInsertion: true },
      { path: ['list', 2], value: 'c', isInsertion: true },
    ]);
    expect(editsBetween({ list: [1, 2] }, { list: [3] }, [])).toEqual([{ path: ['list'], value: [3] }]);
  });

  test('replaces an object whose keys were reordered, because a model reads them in order', () => {
    const edits = editsBetween({ parameters: { a: 1, b: 2 } }, { parameters: { b: 2, a: 1 } }, []);
    expect(edits).toEqual([{ path: ['parameters'], value: { b: 2, a: 1 } }]);
  });

  test('never returns a path through the prototype', () => {
    const after = JSON.parse('{ "a": { "__proto__": { "x": 1 } } }') as object;
    const edits = editsBetween({ a: {} }, after, []);
    expect(edits.flatMap(({ path }) => path)).not.toContain('__proto__');
  });

  test('returns edits that turn any value into any other', () => {
    const value = fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }))
      .map((each) => JSON.parse(JSON.stringify(each)) as object);
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(applyTo(before, editsBetween(before, after, []))).toEqual(after);
      }),
    );
  });
});
