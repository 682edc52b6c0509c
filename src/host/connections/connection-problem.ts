// What stops a connection from being used, before anything is sent. Fit to be shown.
export class ConnectionProblem extends Error {
  readonly kind: 'unknown' | 'setting' | 'key';
  constructor(kind: 'unknown' | 'setting' | 'key', message: string) {
    super(message);
    this.name = 'ConnectionProblem';
    this.kind = kind;
  }
}
