import { describe, expect, test } from 'vitest';
import { CallPlaces } from '../../../../src/session/run/call-places';
import type { RunRecord } from '../../../../src/session/run/run-record';
import type { RunItem } from '../../../../src/session/transcript';

function replied(ids: readonly string[], onRead: () => void = () => undefined): RunItem {
  const toolCalls = ids.map((id) => ({
    get id() {
      onRead();
      return id;
    },
    name: 't',
  }));
  const record = { turn: { toolCalls } } as unknown as RunRecord;
  return { kind: 'run', id: 'r', record, results: new Map(), asked: new Set() };
}
const answer = { content: '', isError: false, source: 'mock' as const };

describe('CallPlaces', () => {
  test('finds the calls with an id and without a result, each once', () => {
    const [places, item] = [new CallPlaces(), replied(['a', 'b', 'a', '__proto__', 'a'])];
    item.results.set(0, answer);
    expect(places.take(item, 'a')).toBe(2);
    expect(places.take({ ...item }, 'a')).toBe(4);
    expect(places.take(item, 'a')).toBeUndefined();
    expect(places.take(item, '__proto__')).toBe(3);
    expect(places.take(item, 'gone')).toBeUndefined();
    expect(places.take({ ...item, record: undefined }, 'b')).toBeUndefined();
  });

  test('reads each call of a reply once, whatever the number of results', () => {
    let reads = 0;
    const ids = Array.from({ length: 5_000 }, (_, index) => (index % 2 ? `${index}` : 'same'));
    const [places, item] = [new CallPlaces(), replied(ids, () => reads++)];
    for (const id of ids) item.results.set(places.take({ ...item }, id) ?? -1, answer);
    expect([...item.results.keys()].toSorted((one, other) => one - other)).toEqual([...ids.keys()]);
    expect(reads).toBe(5_000);
  });
});
