// Reads the response of a chat for a built-in provider, with one result whether it is a stream or not, and whether or not a
// stream was asked for.
import type { CallContext } from '../../transport/call-context';
import type { FailedRequest } from '../../transport/failure/failure';
import { toFormatError, toTransportError } from '../../transport/failure/failure';
import type { TransportResponse } from '../../transport/answer/response';
import type { StreamReader } from '../../transport/client/stream-reader';
import { StreamFailure } from '../../transport/client/stream-reader';
import { redactPartial } from '../../transport/redact/redact-error';
import { checkDocument, checkTextLength } from '../../wire/reply/reply-limit';
import { refuseServerError } from '../../wire/reply/server-words';
import type { Reply, ReplyReader } from './reply';
import { readReply } from './reply';

export interface ReplyStream extends StreamReader {
  /** The reply as the document of an unstreamed reply. */
  document: () => unknown;
}

type CreateStream = (redact: (text: string) => string) => ReplyStream;

/** Keeps the stream of the last attempt, which is the one that succeeded. */
export class ChatReply {
  readonly #call: Pick<CallContext, 'partial'>;
  readonly #create: CreateStream;
  readonly #isStream: (text: string) => boolean;
  #last: ReplyStream | undefined;

  /** @param isStream Whether a whole body is a stream. */
  constructor(call: Pick<CallContext, 'partial'>, create: CreateStream, isStream: (text: string) => boolean) {
    this.#call = call;
    this.#create = create;
    this.#isStream = isStream;
  }

  /** For a request that asks for a stream. */
  readonly createReader = (redact: (text: string) => string): StreamReader =>
    (this.#last = this.#create(redact));

  /**
   * For a request that asks for none: some servers and relays send a stream all the same.
   * @throws StreamFailure for an error document, for a document that is too large, and for what such a stream does wrong
   */
  readonly refuseText = (text: string, redact: (text: string) => string): void => {
    this.#last = undefined;
    if (!this.#isStream(text)) {
      checkDocument(text);
      return refuseServerError(text, redact);
    }
    const stream = this.#create(redact);
    this.#last = stream;
    this.#call.partial = () => stream.partial();
    stream.push(Buffer.from(text));
    stream.end();
  };

  /** @throws HttpError, ProviderError (`response-format`) */
  read(response: TransportResponse, request: FailedRequest, reader: ReplyReader): Reply {
    try {
      const reply = this.#read(response, request, reader);
      const { content, reasoning = '' } = reply.raw;
      checkTextLength(content.length + reasoning.length);
      return reply;
    } catch (error) {
      if (!(error instanceof StreamFailure)) throw error;
      const partial = this.#call.partial?.();
      throw toTransportError(
        { kind: error.kind, error },
        { ...request, ...(partial && { partial: redactPartial(partial, request.redact) }) },
      );
    }
  }

  #read(response: TransportResponse, request: FailedRequest, reader: ReplyReader): Reply {
    if (!response.ok || !this.#last) return readReply(response, request, reader);
    const document = this.#last.document();
    const raw = reader.fromReply(document);
    if (typeof raw === 'string') throw toFormatError(request, raw);
    const toolCalls = reader.readCallTexts(document);
    return { raw, toolCalls: () => toolCalls };
  }
}
