// Keys that are given by the origin that they may be sent to, for a front end without a secret storage. No connection can get the
// key of another origin, wherever its address was written. Nothing can be stored in it.
import type { SecretStore } from '../ports';
import { fromName } from './api-keys';

const refuse = (): Promise<never> => Promise.reject(new Error('keys cannot be stored here'));

/** @param keys By origin, such as `https://api.openai.com` */
export function secretsByOrigin(keys: ReadonlyMap<string, string>): SecretStore {
  return {
    get: (name) => {
      const { binding, kind } = fromName(name);
      const value = kind === 'key' ? keys.get(originIn(binding)) : undefined;
      return Promise.resolve(value === undefined ? undefined : JSON.stringify({ value }));
    },
    store: refuse,
    delete: refuse,
    keys: () => Promise.resolve([]),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

/** The key of a module is bound to its bytes before its origin; here these were allowed by the same person. */
const originIn = (binding: string): string => binding.replace(/^sha256:[\da-f]{64}:/, '');
