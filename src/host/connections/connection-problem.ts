// What stops a connection from being used, before anything is sent. Fit to be shown.
export class ConnectionProblem extends Error {
  readonly kind: 'unknown' | 'setting' | 'key';
  /** What to do, where the kind alone does not say it. */
  readonly next: string | undefined;

  constructor(kind: 'unknown' | 'setting' | 'key', message: string, next?: string) {
    super(message);
    this.name = 'ConnectionProblem';
    this.kind = kind;
    this.next = next;
  }
}

/** By its name: each file that ships has a class of its own. */
export const isConnectionProblem = (thrown: unknown): thrown is ConnectionProblem =>
  thrown instanceof Error && thrown.name === 'ConnectionProblem';
