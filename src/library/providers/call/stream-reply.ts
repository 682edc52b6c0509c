// Reads the streamed response for a built-in provider; gives the same reply as an unstreamed response.
import type { FailedRequest } from '../../transport/failure/failure';
import { toFormatError } from '../../transport/failure/failure';
import type { TransportResponse } from '../../transport/answer/response';
import type { StreamReader } from '../../transport/client/stream-reader';
import type { Reply, ReplyReader } from './reply';
import { readReply } from './reply';

export interface ReplyStream extends StreamReader {
  /** The reply as the document of an unstreamed reply. */
  document: () => unknown;
}

type CreateStream = (redact: (text: string) => string) => ReplyStream;

/** Keeps the reader of the last attempt, which is the one that succeeded. */
export class StreamedReply {
  readonly #create: CreateStream;
  #last: ReplyStream | undefined;

  constructor(create: CreateStream) {
    this.#create = create;
  }

  readonly createReader = (redact: (text: string) => string): StreamReader =>
    (this.#last = this.#create(redact));

  /** @throws HttpError, ProviderError (`response-format`) */
  read(response: TransportResponse, request: FailedRequest, reader: ReplyReader): Reply {
    if (!response.ok || !this.#last) return readReply(response, request, reader);
    const document = this.#last.document();
    const raw = reader.fromReply(document);
    if (typeof raw === 'string') throw toFormatError(request, raw);
    const toolCalls = reader.readCallTexts(document);
    return { raw, toolCalls: () => toolCalls };
  }
}
