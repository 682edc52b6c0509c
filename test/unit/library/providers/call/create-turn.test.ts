import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTurn } from '../../../../../src/library/providers/call/create-turn';
import { makeTurn } from '../../../../support/session/turns';

const { exchange, ...members } = makeTurn({});

describe('createTurn', () => {
  test('creates the exchange on first access, once', () => {
    let made = 0;
    const turn = createTurn(() => ({ ...exchange, dropped: [String((made += 1))] }), members);
    expect(made).toBe(0);
    expect(turn.exchange.dropped).toEqual(['1']);
    expect(turn.exchange).toBe(turn.exchange);
    expect(made).toBe(1);
  });

  test.each<[string, (turn: object) => object]>([
    ['a proxy of the turn', (turn) => new Proxy(turn, {})],
    ['an object that inherits from the turn', (turn) => Object.create(turn) as object],
    [
      'a copy of its descriptors',
      (turn) => Object.defineProperties({}, Object.getOwnPropertyDescriptors(turn)),
    ],
    ['a spread copy', (turn) => ({ ...turn })],
    ['a structured clone', (turn) => structuredClone(turn)],
    ['its JSON', (turn) => JSON.parse(JSON.stringify(turn)) as object],
    ['the frozen turn', (turn) => Object.freeze(turn)],
  ])('returns the exchange through %s', (_, use) => {
    const used = use(createTurn(() => exchange, members));
    expect(used).toHaveProperty('exchange', exchange);
  });

  test('allows the exchange to be replaced', () => {
    const turn = createTurn(() => exchange, members);
    const other = { ...exchange, dropped: ['topK'] };
    const heir = Object.create(turn) as typeof turn;
    heir.exchange = other;
    expect([heir.exchange.dropped, turn.exchange.dropped]).toEqual([['topK'], []]);
    turn.exchange = other;
    expect(turn.exchange).toBe(other);
  });

  test('is printed and listed like a plain object', () => {
    const turn = createTurn(() => exchange, members);
    expect(Object.keys(turn).toSorted()).toEqual(Object.keys(makeTurn({})).toSorted());
    expect(inspect(turn)).toContain('http://host/');
  });
});
