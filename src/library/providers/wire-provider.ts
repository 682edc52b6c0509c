// What the built-in providers share: an address, JSON over it, and a reply that is read in one piece or while it arrives.
import type { ChatDelta, RawAssistant, TokenUsage } from '../../types';
import { ProviderError } from '../errors';
import { toFormatError } from '../transport/failure';
import type { RequestOptions } from '../transport/prepare-request';
import type { TransportResponse } from '../transport/response';
import type { WireRequest } from '../wire/wire-shapes';
import { joinUrl, parseBaseUrl } from './base-url';
import { Providers } from './providers';
import type { ReplyReader } from './reply';
import { readDocument, readReply } from './reply';
import type { ReplyStream } from './stream-reply';
import { StreamedReply } from './stream-reply';

export interface ChatProtocol extends ReplyReader {
  path: string;
  /** @param redact Masks the secrets in what the stream says of an error. */
  createStream: (emit: (delta: ChatDelta) => void, redact: (text: string) => string) => ReplyStream;
}

/** What `request` comes to. */
interface AnsweredRequest {
  response: TransportResponse;
  attempts: number;
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

  protected chatOverWire(wire: WireRequest, protocol: ChatProtocol): Promise<RawAssistant> {
    const { json, isStream, ...translation } = wire;
    const { createStream, path } = protocol;
    this.noteTranslation(translation);
    const stream = isStream
      ? new StreamedReply((redact) => createStream(this.deltaSink(), redact))
      : undefined;
    // what reads the reply holds nothing of what was sent while the answer is waited for
    return this.#post(path, json, stream?.createReader).then(this.#toReplyReader(stream, protocol));
  }

  #toReplyReader(
    stream: StreamedReply | undefined,
    reader: ReplyReader,
  ): (answered: AnsweredRequest) => RawAssistant {
    return ({ response, attempts }) => {
      const request = this.describeRequest();
      const { raw, toolCalls } = stream
        ? stream.read(response, request, reader)
        : readReply(response, request, reader);
      this.noteTranslation({ toolCalls });
      return { attempts, ...raw };
    };
  }

  protected post(path: string, body: object): Promise<AnsweredRequest> {
    return this.#post(path, JSON.stringify(body));
  }

  #post(path: string, json: string, createReader?: RequestOptions['createReader']): Promise<AnsweredRequest> {
    return this.request(this.#toUrl(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#headers },
      body: json,
      createReader,
    });
  }

  /** @throws HttpError, ProviderError (`response-format`) */
  protected getDocument(path: string): Promise<unknown> {
    return this.#get(this.#toUrl(path));
  }

  /** Of a route beside the protocol, which a server may not have: then, and when its answer cannot be read, undefined. */
  protected async findDocument(path: string): Promise<unknown> {
    const root = new URL(this.#base);
    root.pathname = root.pathname.replace(/\/v1\/*$/, '');
    try {
      return await this.#get(joinUrl(root, path));
    } catch (error) {
      if (error instanceof ProviderError && /^(http|response-format)$/.test(error.code)) return undefined;
      throw error;
    }
  }

  async #get(url: string): Promise<unknown> {
    const { response } = await this.request(url, { headers: this.#headers });
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
