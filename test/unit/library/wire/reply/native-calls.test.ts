import { describe, expect, test } from 'vitest';
import { readCallTexts, readNativeCalls, uniqueId } from '../../../../../src/library/wire/reply/native-calls';

const NAMED = { id: 'b', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } };
const OSLO = '{"city":"Oslo"}';

describe('readNativeCalls', () => {
  test.each([
    ['empty', { id: 'a', function: { name: '', arguments: OSLO } }],
    ['blank', { id: 'a', function: { name: ' \n', arguments: OSLO } }],
    ['null', { id: 'a', function: { name: null, arguments: OSLO } }],
    ['absent', { id: 'a', function: { arguments: OSLO } }],
    ['absent, without an id', { function: { arguments: { city: 'Oslo' } } }],
    ['absent, without a function', { id: 'a', arguments: OSLO }],
  ])('takes an entry whose name is %s for no call, which the exchange has', (_, entry) => {
    for (const entries of [
      [entry, NAMED],
      [NAMED, entry],
    ]) {
      expect(readNativeCalls(entries)).toMatchObject([{ id: 'b', name: 'get_weather' }]);
      expect(readCallTexts(entries)).toEqual([
        { rawArguments: '{"city":"Rome"}' },
        { rawArguments: OSLO, isNameless: true },
      ]);
    }
  });

  test.each([
    ['{}{"city":"Oslo"}', ['{"city":"Oslo"}']],
    ['{ } {"city":"Oslo"}{"city":"Rome"}', ['{"city":"Oslo"}', '{"city":"Rome"}']],
    ['{}{"city":', ['{"city":']],
    ['{}{}', ['{}', '{}']],
    ['{"city":"Oslo"}{}', ['{"city":"Oslo"}', '{}']],
  ])('skips the empty object that relays of Claude put before the arguments: %j', (given, read) => {
    const entries = [{ id: 'a', function: { name: 'get_weather', arguments: given } }];
    expect(readCallTexts(entries).map(({ rawArguments }) => rawArguments)).toEqual(read);
    expect(readNativeCalls(entries)).toHaveLength(read.length);
  });

  test('ignores what is no entry', () => {
    expect(readCallTexts([null, 'get_weather', NAMED])).toHaveLength(1);
    expect(readCallTexts({ 0: NAMED })).toEqual([]);
  });
});

describe('uniqueId', () => {
  test('makes a hundred thousand equal ids unique, with one look at those before', () => {
    const seen = new Map<string, number>();
    const ids = Array.from({ length: 100_000 }, () => uniqueId('x', seen).id);
    expect(new Set(ids).size).toBe(100_000);
    expect(ids.at(-1)).toBe('x_100000');
  });
});
