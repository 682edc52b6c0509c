// One row of the fault matrix: how a server misbehaves, and what a chat with it must result in. Independent of providers.
import { expect } from 'vitest';
import type { ProviderErrorCode, RetryPolicy } from '../../../src/library';
import type { FaultMoment } from '../../support/servers/fault-server';
import type { Peer } from './peer';

export type Protocol = 'local' | 'hosted';
export type Variant = `${Protocol} streamed` | `${Protocol} unstreamed`;

export const VARIANTS: readonly Variant[] = [
  'local unstreamed',
  'local streamed',
  'hosted unstreamed',
  'hosted streamed',
];

/** API key of the hosted provider; the local one has none. */
export const API_KEY = 'a-key-of-the-matrix';

export interface Expected {
  /** Code of the expected error; absent if a turn is expected. */
  code?: ProviderErrorCode;
  attempts: number;
  /** Texts that the content of the turn, or the message of the error, must contain. */
  words: readonly (string | RegExp)[];
  /** Further expected properties of the turn or error. */
  match?: object;
}

export interface Fault {
  /** Unique among all tables. */
  name: string;
  /** Moment at which the server's script runs. @default 'request' */
  at?: FaultMoment;
  serve: (peer: Peer) => void | Promise<void>;
  expected: Expected;
  /** Expectations of variants that differ; the most specific key wins. */
  except?: Partial<Record<Variant | 'streamed' | 'unstreamed' | Protocol, Expected>>;
  /** @default all */
  variants?: readonly Variant[];
  /** Merged into `{ initialDelayMs: 1 }`. */
  retry?: RetryPolicy;
  /** Number of calls, one after the other; each of them must have the expected result. @default 1 */
  calls?: number;
  /** How often the server's script runs, if not once per attempt; `uncounted` if that depends on the timing. */
  reached?: number | 'uncounted';
  /** The provider's host. @default the server, by http */
  host?: (port: number) => string;
  /** The provider's proxy, if the server acts as one. */
  proxy?: (port: number) => string;
  /** Whether the connection must be closed afterwards. @default when no answer came */
  closes?: boolean;
  /** Whether the server is closed before the call. */
  isGone?: boolean;
  /** @default 'Hello' */
  prompt?: string;
}

export const turn = (
  words: string | RegExp | readonly (string | RegExp)[] = 'fine',
  more: Partial<Expected> = {},
): Expected => ({
  attempts: 1,
  words: [words].flat(),
  ...more,
});

export const fails = (
  code: ProviderErrorCode,
  attempts: number,
  words: string | RegExp | readonly (string | RegExp)[],
  match: object = {},
): Expected => ({ code, attempts, words: [words].flat(), match });

/** A network error, as for an answer that violates HTTP or ends too early. */
export const broken = (
  words: string | RegExp = /does not match the HTTP\/1\.1 protocol|the rules of HTTP|\(UND_ERR_SOCKET\)/,
): Expected => fails('network', 3, words);

/** A turn with exactly this content. */
export const says = (content: string): Expected => turn('', { match: { raw: { content } } });

/** A turn with this number of native calls. */
export const hasCalls = (count: number): Expected =>
  turn('fine', {
    match: { toolCalls: expect.toSatisfy((found) => (found as []).length === count, `are ${count}`) },
  });

export function expectedOf({ expected, except = {} }: Fault, variant: Variant): Expected {
  const [protocol, mode] = variant.split(' ') as [Protocol, 'streamed' | 'unstreamed'];
  return except[variant] ?? except[mode] ?? except[protocol] ?? expected;
}
