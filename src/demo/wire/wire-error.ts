// An error response to a request. Thrown by the checks of a protocol, and written in its shape by its wire file.
export class WireError extends Error {
  readonly status: number;
  /** `error.type` of llama-server; the local protocol has no such field. */
  readonly type: string;

  constructor(status: number, message: string, type = 'invalid_request_error') {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.type = type;
  }
}
