// One row of the fault matrix: how a server misbehaves, and what a chat with it must come to. Knows no provider.
import { expect } from 'vitest';
import type { ProviderErrorCode, RetryPolicy } from '../../../src/library';
import type { FaultMoment } from '../../support/fault-server';
import type { Peer } from './peer';

export type Protocol = 'local' | 'hosted';
export type Variant = `${Protocol} streamed` | `${Protocol} unstreamed`;

export const VARIANTS: readonly Variant[] = [
  'local unstreamed',
  'local streamed',
  'hosted unstreamed',
  'hosted streamed',
];

/** Of the hosted provider; the local one has none. */
export const API_KEY = 'a-key-of-the-matrix';

export interface Expected {
  /** Absent: a turn. */
  code?: ProviderErrorCode;
  attempts: number;
  /** What stands in the content of the turn, or in the message of the error. */
  words: readonly (string | RegExp)[];
  /** More of the turn or of the error. */
  match?: object;
}

export interface Fault {
  /** Unique among all tables. */
  name: string;
  /** @default 'request' */
  at?: FaultMoment;
  serve: (peer: Peer) => void | Promise<void>;
  expected: Expected;
  /** Where one variant differs: the most exact key counts. */
  except?: Partial<Record<Variant | 'streamed' | 'unstreamed' | Protocol, Expected>>;
  /** @default all */
  variants?: readonly Variant[];
  /** Beside `initialDelayMs: 1`. */
  retry?: RetryPolicy;
  /** Calls one after the other; each of them comes to what is expected. @default 1 */
  calls?: number;
  /** How often the server is reached, when that is not once an attempt; `uncounted` when it cannot tell. */
  reached?: number | 'uncounted';
  /** Where the provider is pointed to. @default the server, by http */
  host?: (port: number) => string;
  /** The server is a proxy: where the provider is told to find it. */
  proxy?: (port: number) => string;
  /** Whether its connection must be closed afterwards. @default when no answer came */
  closes?: boolean;
  /** The server is gone before the call. */
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

/** What the client says of an answer that breaks the rules, or that ends too early. */
export const broken = (
  words: string | RegExp = /does not match the HTTP\/1\.1 protocol|the rules of HTTP|\(UND_ERR_SOCKET\)/,
): Expected => fails('network', 3, words);

/** A turn of exactly this content. */
export const says = (content: string): Expected => turn('', { match: { raw: { content } } });

/** A turn with so many native calls. */
export const hasCalls = (count: number): Expected =>
  turn('fine', {
    match: { toolCalls: expect.toSatisfy((found) => (found as []).length === count, `are ${count}`) },
  });

export function expectedOf({ expected, except = {} }: Fault, variant: Variant): Expected {
  const [protocol, mode] = variant.split(' ') as [Protocol, 'streamed' | 'unstreamed'];
  return except[variant] ?? except[mode] ?? except[protocol] ?? expected;
}
