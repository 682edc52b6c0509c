// Creates a turn whose exchange is built at first access. Independent of the contents of both.
import { inspect } from 'node:util';
import type { ChatTurn, Exchange } from '../../../types';

/**
 * @param make Called at most once.
 * @returns a turn that behaves like a plain record when it is spread, printed, cloned, inherited from, wrapped in a proxy,
 * or serialised as JSON
 */
export function createTurn(make: () => Exchange, members: Omit<ChatTurn, 'exchange'>): ChatTurn {
  const source: ExchangeSource = { make, made: undefined };
  const turn = Object.defineProperty(new LazyTurn(), SOURCE, { value: source });
  return Object.defineProperty(Object.assign(turn, members), 'exchange', EXCHANGE);
}

interface ExchangeSource {
  readonly make: () => Exchange;
  made: Exchange | undefined;
}

/** A symbol, because neither a proxy nor a copy of the property descriptors has a private field. */
const SOURCE = Symbol('exchange');

class LazyTurn {
  declare exchange: Exchange;
  declare readonly [SOURCE]: ExchangeSource;

  [inspect.custom](): object {
    return Object.assign({}, this);
  }
}

/** All turns share these two functions: closures for each turn would keep it alive until a full garbage collection. */
const EXCHANGE: PropertyDescriptor & ThisType<LazyTurn> = {
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
