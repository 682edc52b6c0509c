// Parts of a diagnosis: lines that are reported one by one, and the current activity.
import type { Clock } from '../../session';
import type { Connection } from '../connection';
import type { ConnectionService } from '../connection-service';
import type { RequestPlace } from './place';

/** `left out` means not checked, for a reason that the text gives. */
export type Level = 'ok' | 'warning' | 'failed' | 'left out';

export type Section = 'Connection' | 'Way to the server' | 'Server' | 'Model' | 'Protocols';

export interface DiagnosisLine {
  section: Section;
  level: Level;
  /** What was checked, in a word or two. */
  name: string;
  /** What was found; texts from others are in backticks. */
  text: string;
  tookMs?: number | undefined;
  /** What to do, in complete sentences. */
  next?: string | undefined;
}

/** What a diagnosis needs of its front end. */
export interface DiagnosisServices {
  clock: Clock;
  place: RequestPlace;
  connections: Pick<
    ConnectionService,
    | 'face'
    | 'makeProvider'
    | 'explain'
    | 'keyTarget'
    | 'givenKey'
    | 'secretHeaderNames'
    | 'chooseNetwork'
    | 'answeredBefore'
  >;
}

/** A running diagnosis. */
export interface Diagnosis extends DiagnosisServices {
  connection: Connection;
  /** Model for the steps that need one; if undefined, that of the connection. */
  model: string | undefined;
  signal: AbortSignal;
  addLine: (line: DiagnosisLine) => void;
  /** @param what Current activity, such as `Asking for the models`. */
  doing: (what: string) => void;
}

/** Measures the duration of the work. An abort ends the wait even if the work itself cannot be aborted. */
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
