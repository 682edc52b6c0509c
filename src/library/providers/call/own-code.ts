// Determines whose code failed: that of the author of a custom provider, or the library's own. Independent of the providers.
import { ProviderError } from '../../errors';

/** The methods that a provider implements. */
const METHODS = [
  'chatInternal',
  'embedInternal',
  'listModelsInternal',
  'describeServerInternal',
  'describeModelInternal',
  'renderPromptInternal',
  'countTokensInternal',
] as const;

export type ProviderMethod = (typeof METHODS)[number];

const ownMethods = new WeakSet<object>();
const ownPrototypes = new WeakSet<object>();

/** @param prototype Prototype of a built-in provider; what its own methods throw is an error of the library. */
export function markOwnCode(prototype: object): void {
  ownPrototypes.add(prototype);
  for (const name of METHODS) {
    const method: unknown = Reflect.get(prototype, name);
    if (typeof method === 'function') ownMethods.add(method);
  }
}

/**
 * Whether all of the provider's code is the library's own; a class that extends a built-in one may override any part of it.
 */
export const isBuiltIn = (provider: object): boolean =>
  ownPrototypes.has(Reflect.getPrototypeOf(provider) ?? {});

/** An exception from code that is not the library's own; `cause` is what was thrown. */
export class ForeignError extends Error {
  constructor(thrown: unknown) {
    super('A provider threw.', { cause: thrown });
    this.name = 'ForeignError';
  }
}

/** @returns a ForeignError for an exception of a method that is not the library's own; any other error unchanged */
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
