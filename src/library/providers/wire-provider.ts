// What the built-in providers share: an address, JSON over it, and a reply that is read in one piece or while it arrives.
import type { ChatDelta, RawAssistant, TokenUsage } from '../../types';
import { toFormatError } from '../transport/failure';
import type { RequestOptions } from '../transport/prepare-request';
import type { TransportResponse } from '../transport/response';
import type { WireReply, WireRequest } from '../wire/wire-shapes';
import { joinUrl, parseBaseUrl } from './base-url';
import { Providers } from './providers';
import { readDocument, readReply } from './reply';
import type { ReplyStream } from './stream-reply';
import { StreamedReply } from './stream-reply';

export interface ChatProtocol {
  path: string;
  /** @param redact Masks the secrets in what the stream says of an error. */
  createStream: (emit: (delta: ChatDelta) => void, redact: (text: string) => string) => ReplyStream;
  fromReply: (document: unknown) => WireReply | string;
}

export abstract class WireProvider extends Providers {
  #base = new URL('http://localhost');
  #headers: Readonly<Record<string, string>> = {};
  /** By path. */
  readonly #urls = new Map<string, string>();

  /** @returns the address, for a provider's own checks. @throws InvalidOptionsError */
  protected setAddress(host: unknown, headers: Readonly<Record<string, string>> = {}): URL {
    this.#base = parseBaseUrl(host);
    this.#headers = headers;
    this.#urls.clear();
    return this.#base;
  }

  #toUrl(path: string): string {
    const url = this.#urls.get(path) ?? joinUrl(this.#base, path);
    this.#urls.set(path, url);
    return url;
  }

  protected async chatOverWire(wire: WireRequest, protocol: ChatProtocol): Promise<RawAssistant> {
    const { body, ...translation } = wire;
    const { createStream, fromReply, path } = protocol;
    this.noteTranslation(translation);
    // raw may ask for a stream, or forbid it
    const stream =
      body['stream'] === true
        ? new StreamedReply((redact) => createStream(this.deltaSink(), redact))
        : undefined;
    const { response, attempts } = await this.post(path, body, stream?.createReader);
    const read = stream ? stream.read.bind(stream) : readReply;
    const { raw, calls } = read(response, this.describeRequest(), fromReply);
    this.noteTranslation({ toolCalls: calls });
    return { attempts, ...raw };
  }

  protected post(
    path: string,
    body: object,
    createReader?: RequestOptions['createReader'],
  ): Promise<{ response: TransportResponse; attempts: number }> {
    return this.request(this.#toUrl(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#headers },
      body: JSON.stringify(body),
      createReader,
    });
  }

  /** @throws HttpError, ProviderError (`response-format`) */
  protected async getDocument(path: string): Promise<unknown> {
    const { response } = await this.request(this.#toUrl(path), { headers: this.#headers });
    return readDocument(response, this.describeRequest());
  }

  /** Notes what the reply tells of its usage. @throws HttpError, ProviderError (`response-format`) */
  protected async readVectors(
    response: TransportResponse,
    fromReply: (document: unknown) => number[][] | string,
    readUsage: (document: unknown) => TokenUsage,
  ): Promise<number[][]> {
    const request = this.describeRequest();
    const document = await readDocument(response, request);
    const vectors = fromReply(document);
    if (typeof vectors === 'string') throw toFormatError(request, vectors);
    this.noteUsage(readUsage(document));
    return vectors;
  }
}
