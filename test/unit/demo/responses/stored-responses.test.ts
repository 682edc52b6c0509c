import { describe, expect, test } from 'vitest';
import { StoredResponses } from '../../../../src/demo/responses/stored-responses';

const MEGABYTE = 'x'.repeat(1024 * 1024);

describe('StoredResponses', () => {
  test('keeps a response until it is deleted', () => {
    const stored = new StoredResponses();
    stored.keep('a', { response: { id: 'a' }, items: [1] });
    expect(stored.find('a')).toEqual({ response: { id: 'a' }, items: [1] });
    expect([stored.delete('a'), stored.delete('a'), stored.find('a')]).toEqual([true, false, undefined]);
  });

  test('drops the oldest responses when together they are too long', () => {
    const stored = new StoredResponses();
    const ids = Array.from({ length: 10 }, (_, index) => `r${index}`);
    for (const id of ids) stored.keep(id, { response: {}, items: [MEGABYTE] });
    expect(ids.filter((id) => stored.find(id))).toEqual(ids.slice(3));
  });

  test('does not keep a response that is too long alone', () => {
    const stored = new StoredResponses();
    stored.keep('a', { response: {}, items: [MEGABYTE.repeat(9)] });
    stored.keep('b', { response: {}, items: [] });
    expect([stored.find('a'), stored.find('b')]).toEqual([undefined, { response: {}, items: [] }]);
  });
});
