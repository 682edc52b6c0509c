// Whose code failed: that of whoever wrote a provider, or the library's own. Knows no provider.
import { ProviderError } from '../errors';

/** What a provider implements. */
const METHODS = ['chatInternal', 'embedInternal', 'listModelsInternal'] as const;

export type ProviderMethod = (typeof METHODS)[number];

const ownMethods = new WeakSet<object>();
const ownPrototypes = new WeakSet<object>();

/** @param prototype Of a built-in provider: what its own methods throw is a fault of the library. */
export function markOwnCode(prototype: object): void {
  ownPrototypes.add(prototype);
  for (const name of METHODS) {
    const method: unknown = Reflect.get(prototype, name);
    if (typeof method === 'function') ownMethods.add(method);
  }
}

/** Whether all of its code is the library's own: a class that extends a built-in one may have changed any part of it. */
export const isBuiltIn = (provider: object): boolean =>
  ownPrototypes.has(Reflect.getPrototypeOf(provider) ?? {});

/** An exception of other people's code; what was thrown is its cause. */
export class ForeignError extends Error {
  constructor(thrown: unknown) {
    super('A provider threw.', { cause: thrown });
    this.name = 'ForeignError';
  }
}

/** @returns a ForeignError for an exception of a method that is not the library's own; a ProviderError as it is */
export function toForeignError(
  error: unknown,
  provider: object,
  method: ProviderMethod | undefined,
): unknown {
  if (method === undefined || error instanceof ProviderError) return error;
  const implementation: unknown = Reflect.get(provider, method);
  const isOwn = typeof implementation === 'function' && ownMethods.has(implementation);
  return isOwn ? error : new ForeignError(error);
}
