// The options that every connection accepts, whatever its protocol, and the secrets in the fields of any provider.
import { isRecord } from '../util/json';
import type { NetworkOptions } from './client/network-options';
import type { RetryPolicy } from './retry/retry-policy';

/** Options of every connection, whatever its protocol. */
export interface TransportCredentials {
  /** Retries and time limit. `false`: one attempt; `true` or absent: the defaults. */
  retry?: RetryPolicy | boolean | undefined;
  /** Additional headers for every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Proxy and certificates. @default a direct connection with Node's own certificates */
  network?: NetworkOptions | undefined;
}

/** Names of credential fields that contain a secret, also in custom providers; `tokenLimitKey` does not. */
const SECRET_FIELD = /^(?!tokenLimitKey$).*(key$|secret|pass|token$|credential)/i;

/** Fields whose members are no credentials. The secrets in headers and in the network options are found by their values. */
const OPTIONS = new Set(['costPer1kTokens', 'headers', 'network', 'raw', 'retry', 'sampling']);

/** How deep the fields of a custom provider are searched for secrets. */
const MAX_LEVELS = 4;

/** The texts in fields with the name of a secret, also in objects such as `oauth: { clientSecret }`. */
export function secretsInFields(credentials: object): string[] {
  const fields = Object.entries(credentials).filter(([name]) => !OPTIONS.has(name));
  return fields.flatMap(([name, value]) => secretsIn(name, value, MAX_LEVELS));
}

function secretsIn(name: string, value: unknown, levels: number): string[] {
  if (typeof value === 'string') return SECRET_FIELD.test(name) ? [value] : [];
  // An instance of a class, such as a client, is no credential.
  if (levels === 0 || !isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return [];
  return Object.entries(value).flatMap(([inner, member]) => secretsIn(inner, member, levels - 1));
}
