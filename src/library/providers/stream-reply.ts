// A streamed answer of a built-in provider → the same reply as an unstreamed one.
import type { FailedRequest } from '../transport/failure';
import { toFormatError } from '../transport/failure';
import type { TransportResponse } from '../transport/response';
import type { StreamReader } from '../transport/stream-reader';
import type { WireReply } from '../wire/wire-shapes';
import type { Reply } from './reply';
import { readReply } from './reply';

export interface ReplyStream extends StreamReader {
  /** The reply in the shape of an unstreamed one. */
  document: () => unknown;
}

/** Keeps the reader of the last attempt, which is the one that succeeded. */
export class StreamedReply {
  readonly #create: () => ReplyStream;
  #last: ReplyStream | undefined;

  constructor(create: () => ReplyStream) {
    this.#create = create;
  }

  readonly createReader = (): StreamReader => (this.#last = this.#create());

  /** @throws HttpError, ProviderError (`response-format`) */
  async read(
    response: TransportResponse,
    request: FailedRequest,
    fromReply: (document: unknown) => WireReply | string,
  ): Promise<Reply> {
    if (!response.ok || !this.#last) return readReply(response, request, fromReply);
    const reply = fromReply(this.#last.document());
    if (typeof reply === 'string') throw toFormatError(request, reply);
    return reply;
  }
}
