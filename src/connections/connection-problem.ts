// Why a connection cannot be used, before anything is sent. The message is fit to be shown.
export class ConnectionProblem extends Error {
  readonly kind: 'unknown' | 'setting' | 'key';
  /** The next step, where `kind` does not imply it. */
  readonly next: string | undefined;

  constructor(kind: 'unknown' | 'setting' | 'key', message: string, next?: string) {
    super(message);
    this.name = 'ConnectionProblem';
    this.kind = kind;
    this.next = next;
  }
}

/** Compares the name, because each bundled chunk has its own copy of the class. */
export const isConnectionProblem = (thrown: unknown): thrown is ConnectionProblem =>
  thrown instanceof Error && thrown.name === 'ConnectionProblem';
