// What every connection may be given, whatever it speaks.
import type { NetworkOptions } from './network-options';
import type { RetryPolicy } from './retry-policy';

/** What every connection may be given, whatever it speaks. */
export interface TransportCredentials {
  /** Retry and time limit. `false`: one attempt; `true` or absent: the defaults. */
  retry?: RetryPolicy | boolean | undefined;
  /** Extra headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** A proxy and certificates. @default a direct connection with Node's own certificates */
  network?: NetworkOptions | undefined;
}
