// An error response to a request. Thrown by the checks of a protocol, and written in its shape by its wire file.
export class WireError extends Error {
  readonly status: number;
  /** `error.type` of llama-server and OpenAI; the other protocols have no such field or derive it from the status. */
  readonly type: string;
  /** `error.param` and `error.code` of OpenAI's errors; the other protocols have no such fields. */
  readonly place: { param?: string | undefined; code?: string | undefined };

  constructor(
    status: number,
    message: string,
    type = 'invalid_request_error',
    place: WireError['place'] = {},
  ) {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.type = type;
    this.place = place;
  }
}

/** @throws {WireError} 400 */
export function refuse(message: string): never {
  throw new WireError(400, message);
}

/** Whatever else goes wrong is answered too, as real servers do: a closed connection would not say that the request is at fault. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const { message } = error as Error;
  const why = message.includes('call stack') ? 'it is nested too deeply' : message;
  return new WireError(500, `The demo server cannot work on this request: ${why}.`, 'server_error');
}
