// A turn whose exchange is made when it is first looked at. Knows nothing of what is in it.
import { inspect } from 'node:util';
import type { ChatTurn, Exchange } from '../../types';

/**
 * @param make Called once at most.
 * @returns a turn that spreads, prints, clones, is inherited from, stands behind a proxy and is written as JSON like any
 * record.
 */
export function createTurn(make: () => Exchange, members: Omit<ChatTurn, 'exchange'>): ChatTurn {
  const source: ExchangeSource = { make, made: undefined };
  const turn = Object.defineProperty(new Turn(), SOURCE, { value: source });
  return Object.defineProperty(Object.assign(turn, members), 'exchange', EXCHANGE);
}

interface ExchangeSource {
  readonly make: () => Exchange;
  made: Exchange | undefined;
}

/** Not a private field, which is there neither behind a proxy nor in a copy of the descriptors. */
const SOURCE = Symbol('exchange');

class Turn {
  declare exchange: Exchange;
  declare readonly [SOURCE]: ExchangeSource;

  [inspect.custom](): object {
    return Object.assign({}, this);
  }
}

/** The same two functions for every turn: functions of its own would keep each turn alive until a full collection. */
const EXCHANGE: PropertyDescriptor & ThisType<Turn> = {
  enumerable: true,
  configurable: true,
  get() {
    const source = this[SOURCE];
    return (source.made ??= source.make());
  },
  set(exchange: Exchange) {
    const value = { value: exchange, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(this, 'exchange', value);
  },
};
