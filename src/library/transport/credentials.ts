// The options that every connection accepts, whatever its protocol.
import type { NetworkOptions } from './network-options';
import type { RetryPolicy } from './retry-policy';

/** Options of every connection, whatever its protocol. */
export interface TransportCredentials {
  /** Retries and time limit. `false`: one attempt; `true` or absent: the defaults. */
  retry?: RetryPolicy | boolean | undefined;
  /** Additional headers for every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Proxy and certificates. @default a direct connection with Node's own certificates */
  network?: NetworkOptions | undefined;
}
