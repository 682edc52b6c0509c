// Returns the error of a call that is expected to fail.
import { expect } from 'vitest';
import { ProviderError } from '../../src/library';

export async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}
