// A refusal of a request, thrown by the checks of either protocol and written by that protocol's wire file.
export class WireError extends Error {
  readonly status: number;
  /** llama-server's `error.type`; the local protocol does not write it. */
  readonly type: string;

  constructor(status: number, message: string, type = 'invalid_request_error') {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.type = type;
  }
}
