// What a diagnosis of a connection is made of: lines that are told one by one, and what is being done meanwhile. Knows no
// vscode.
import type { Providers } from '../../library';
import type { ErrorInfo } from '../../protocol';
import type { Clock } from '../../session';
import type { Connection } from '../connections/connection';
import type { ProviderRequest } from '../connections/connection-service';
import type { NetworkChoice } from '../network/resolve-network';
import type { Place } from './place';

/** `left out`: not looked at, for a reason that the text says. */
export type Level = 'ok' | 'warning' | 'failed' | 'left out';

export type Section = 'Connection' | 'Way to the server' | 'Server' | 'Model';

export interface DiagnosisLine {
  section: Section;
  level: Level;
  /** What was looked at, in a word or two. */
  name: string;
  /** What was seen; what others wrote is in backticks. */
  text: string;
  tookMs?: number | undefined;
  /** What to do, in whole sentences. */
  next?: string | undefined;
}

export interface KeyFinding {
  recipient: string;
  /** When it was given; absent when none is stored. */
  given?: { givenAt?: number | undefined; isSessionOnly: boolean } | undefined;
}

/** What a diagnosis needs of the extension. */
export interface DiagnosisServices {
  clock: Clock;
  place: Place;
  /** @throws ConnectionProblem, InvalidOptionsError */
  makeProvider: (request: ProviderRequest) => Promise<Providers>;
  /** What was thrown, in words and without a secret. */
  explain: (error: unknown, connection: Connection) => Promise<ErrorInfo>;
  /** Who gets the key of the connection, and whether one is stored; undefined when it needs none. */
  findKey: (connection: Connection) => Promise<KeyFinding | undefined>;
  /** The names of the secret headers that its requests have. */
  findHeaders: (connection: Connection) => Promise<string[]>;
  chooseNetwork: (origin: string) => NetworkChoice;
}

/** One diagnosis under way. */
export interface Diagnosis extends DiagnosisServices {
  connection: Connection;
  /** The model of the steps that need one; absent: that of the connection. */
  model: string | undefined;
  signal: AbortSignal;
  tell: (line: DiagnosisLine) => void;
  /** @param what Such as `Asking for the models`. */
  doing: (what: string) => void;
}

/** Measures, and lets a stop end the wait even where the work itself cannot be stopped. */
export async function measure<T>(
  { clock, signal }: Pick<Diagnosis, 'clock' | 'signal'>,
  work: () => Promise<T>,
): Promise<{ value: T; tookMs: number }> {
  signal.throwIfAborted();
  const start = clock.elapsed();
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const value = await Promise.race([work(), stopped]);
    return { value, tookMs: clock.elapsed() - start };
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
