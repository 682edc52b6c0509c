// The base class of the built-in providers: a base URL, JSON requests, and replies that are read whole or as a stream.
import type {
  ChatDelta,
  Message,
  ModelInfo,
  RawAssistant,
  RenderedPrompt,
  SamplingParams,
  TokenUsage,
  ToolType,
} from '../../types';
import { HttpError, ProviderError } from '../errors';
import type { CallContext } from '../transport/call-context';
import { createCallContext, currentCall, NO_TRANSLATION } from '../transport/call-context';
import { toFormatError } from '../transport/failure/failure';
import { fixHeaders } from '../transport/headers';
import type { RequestOptions } from '../transport/prepare-request';
import type { TransportResponse } from '../transport/answer/response';
import type { VectorProblem } from '../util/check-vectors';
import { parseJson, toRecord } from '../util/json';
import type { JsonRecord } from '../util/json';
import { fromCountReply, isMissingRoute } from '../wire/token-count';
import { refuseServerError } from '../wire/reply/server-words';
import type { WireInput, WireRequest } from '../wire/wire-shapes';
import { joinUrl, parseBaseUrl } from './base-url';
import { unsupported } from './call/call-error';
import { isBuiltIn } from './call/own-code';
import { Providers } from './providers';
import type { AskedPrompt } from './call-options';
import type { ReplyReader } from './call/reply';
import { readDocument } from './call/reply';
import type { ReplyStream } from './call/stream-reply';
import { ChatReply } from './call/stream-reply';

export interface ChatProtocol extends ReplyReader {
  path: string;
  /** Whether the server answers a body with a stream. */
  asksForStream: (body: Readonly<Record<string, unknown>>) => boolean;
  /**
   * @param redact Masks the secrets in errors that the stream contains.
   * @param offered Names of the offered tools.
   */
  createStream: (
    emit: (delta: ChatDelta) => void,
    redact: (text: string) => string,
    offered: readonly string[],
  ) => ReplyStream;
  /** Whether a whole body is a stream, or ends like one; asked where no stream was asked for. */
  isStream: (text: string) => boolean;
}

/** The settings of one chat. */
export type ChatSettings = Pick<WireInput, 'sampling' | 'toolChoice' | 'isStreaming'>;

type SendRequest = (url: string, options: RequestOptions) => Promise<AnsweredRequest>;

/** The result of `request`. */
interface AnsweredRequest {
  response: TransportResponse;
  attempts: number;
}

const toSettings = ({ onDelta, toolChoice }: CallContext, sampling: SamplingParams): ChatSettings => ({
  sampling,
  toolChoice,
  isStreaming: onDelta !== undefined,
});

export abstract class WireProvider extends Providers {
  #base = new URL('http://localhost');
  #headers: Readonly<Record<string, string>> = {};
  #jsonHeaders: Readonly<Record<string, string>> = {};
  /** Complete URLs by their path. */
  readonly #urls = new Map<string, string>();

  /** @returns the base URL, for further checks by the provider. @throws InvalidOptionsError */
  protected setAddress(host: unknown, headers: Readonly<Record<string, string>> = {}): URL {
    this.#base = parseBaseUrl(host);
    this.#headers = fixHeaders(headers);
    this.#jsonHeaders = fixHeaders({ 'content-type': 'application/json', ...headers });
    this.#urls.clear();
    return this.#base;
  }

  protected override get takesBody(): boolean {
    return true;
  }

  #toUrl(path: string): string {
    const url = this.#urls.get(path) ?? joinUrl(this.#base, path);
    this.#urls.set(path, url);
    return url;
  }

  protected abstract readonly protocol: ChatProtocol;

  protected abstract toWire(tools: ToolType[], messages: Message[], settings: ChatSettings): WireRequest;

  protected chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams = {},
  ): Promise<RawAssistant> {
    const call = currentCall() ?? createCallContext({});
    const wire = this.toWire(tools, messages, toSettings(call, sampling));
    // Calls `this.request`, because a class that extends a built-in one may override it.
    return this.#exchange(call, tools, wire, (url, options) => this.request(url, options));
  }

  protected override chatIn(
    call: CallContext,
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams,
  ): Promise<RawAssistant> {
    if (!isBuiltIn(this)) return super.chatIn(call, tools, messages, sampling);
    const wire = this.toWire(tools, messages, toSettings(call, sampling));
    return this.#exchange(call, tools, wire, (url, options) => this.requestIn(call, url, options));
  }

  #exchange(
    call: CallContext,
    tools: readonly ToolType[],
    wire: WireRequest,
    send: SendRequest,
  ): Promise<RawAssistant> {
    const { createStream, isStream: isStreamText, path } = this.protocol;
    const { json, isStream, sent, dropped, overridden, replaced, toolChoice } = this.#withGivenBody(
      wire,
      call,
    );
    call.translation = {
      sent,
      dropped: withoutEmpty(dropped),
      overridden: withoutEmpty(overridden),
      toolCalls: NO_TRANSLATION.toolCalls,
      replaced: withoutEmpty(replaced),
      toolChoice,
    };
    const offered = tools.map(({ name }) => name);
    const create = (redact: (text: string) => string) => createStream(this.deltaSink(call), redact, offered);
    const reply = new ChatReply(call, create, isStreamText);
    const { createReader, refuseText } = reply;
    const options = this.#toPost(json, isStream ? { createReader } : { refuseText });
    // A closure of its own, which does not keep the request body alive while the response is awaited.
    return send(this.#toUrl(path), options).then(this.#toReplyReader(call, reply));
  }

  /** Replaces the body by that of the caller, which is parsed only to learn what it says about streaming and calling tools. */
  #withGivenBody(wire: WireRequest, { body }: CallContext): WireRequest {
    if (body === undefined) return wire;
    const fields = toRecord(parseJson(body));
    const isStream = this.protocol.asksForStream(fields);
    return { ...wire, json: body, isStream, toolChoice: this.readToolChoice(fields) };
  }

  protected override async renderPromptInternal(...prompt: AskedPrompt): Promise<RenderedPrompt> {
    return this.renderBody(this.#toBody(...prompt));
  }

  protected override async countTokensInternal(...prompt: AskedPrompt): Promise<number> {
    return this.countBody(this.#toBody(...prompt));
  }

  /** The body that a chat would have: that of the caller or else the provider's own. */
  #toBody(...[tools, messages, sampling]: AskedPrompt): JsonRecord {
    const { body, toolChoice } = currentCall() ?? {};
    const made = (): string =>
      this.toWire(tools, messages, { sampling, toolChoice, isStreaming: false }).json;
    return toRecord(parseJson(body ?? made()));
  }

  /** Asks the server to render the prompt of a chat request. @throws ProviderError */
  protected renderBody(_body: JsonRecord): Promise<RenderedPrompt> {
    return Promise.reject(this.cannotRender('Its protocol has no way to do it.'));
  }

  /** The error of a server that does not render prompts. */
  protected cannotRender(why: string): ProviderError {
    return unsupported(this.constructor.name, 'show the rendered prompt', {
      why,
      next: 'Servers that can: llama-server, vLLM, and Ollama from 0.12 through its own protocol. Ask one of them with the same model, or look at the log of the server.',
    });
  }

  /** Asks the server for the number of tokens of a chat request. @throws ProviderError */
  protected countBody(_body: JsonRecord): Promise<number> {
    return Promise.reject(this.cannotCount('Its protocol has no route for it.'));
  }

  /** Asks a route of the protocol. @throws ProviderError (`unsupported` when the server does not have it) */
  protected async countAt(path: string, body: JsonRecord): Promise<number> {
    const { response } = await this.post(path, body);
    const text = await response.text();
    if (isMissingRoute(response.status, text, body))
      throw this.cannotCount(`It has no \`${path}\` (${response.status}).`);
    const count = fromCountReply(await readDocument(response, this.describeRequest()));
    return this.require(count, 'The answer has no number of tokens.');
  }

  /** The error of a server that does not count tokens. */
  protected cannotCount(why: string): ProviderError {
    return unsupported(this.constructor.name, 'count tokens', {
      why,
      next: 'Connections that can: those of the Messages or the Responses API, where the server has the route, as their own services have. `renderPrompt` counts those of a prompt of llama-server and vLLM. Every reply also reports the tokens of its prompt.',
    });
  }

  #toReplyReader(call: CallContext, reply: ChatReply): (answered: AnsweredRequest) => RawAssistant {
    return ({ response, attempts }) => {
      const request = this.describeRequest(call);
      const { raw, toolCalls } = reply.read(response, request, this.protocol);
      if (call.translation) call.translation.toolCalls = toolCalls;
      return { attempts, ...raw };
    };
  }

  protected post(path: string, body: object): Promise<AnsweredRequest> {
    return this.request(
      this.#toUrl(path),
      this.#toPost(JSON.stringify(body), { refuseText: refuseServerError }),
    );
  }

  #toPost(json: string, reading: Pick<RequestOptions, 'createReader' | 'refuseText'>): RequestOptions {
    return { method: 'POST', headers: this.#jsonHeaders, body: json, ...reading };
  }

  /** @throws HttpError, ProviderError (`response-format`) */
  protected getDocument(path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const url = new URL(this.#toUrl(path));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return this.#get(url.href);
  }

  /** Reads a list of models from its document. @throws ProviderError (`response-format`) */
  protected readModels(
    document: unknown,
    fromReply: (document: unknown) => ModelInfo[] | string,
  ): ModelInfo[] {
    const models = fromReply(document);
    if (typeof models === 'string') throw toFormatError(this.describeRequest(), models);
    return models;
  }

  /**
   * The document of a route outside the protocol; undefined when the server does not have it, or the response cannot be
   * read.
   * @throws HttpError 401: llama-server may list its models to everybody, and ask for a key at all other routes
   */
  protected async findDocument(path: string): Promise<unknown> {
    try {
      return await this.#get(this.#toRootUrl(path));
    } catch (error) {
      if (error instanceof HttpError && error.status === 401) throw error;
      if (error instanceof ProviderError && /^(http|response-format)$/.test(error.code)) return undefined;
      throw error;
    }
  }

  /** The document that such a route answers a body with. @throws HttpError, ProviderError (`response-format`) */
  protected async postBeside(path: string, body: object): Promise<unknown> {
    const options = this.#toPost(JSON.stringify(body), { refuseText: refuseServerError });
    const { response } = await this.request(this.#toRootUrl(path), options);
    return readDocument(response, this.describeRequest());
  }

  /** What was read from a document of the server. @throws ProviderError (`response-format`) when it is undefined */
  protected require<Value>(value: Value | undefined, problem: string): Value {
    if (value === undefined) throw toFormatError(this.describeRequest(), problem);
    return value;
  }

  #toRootUrl(path: string): string {
    const root = new URL(this.#base);
    root.pathname = root.pathname.replace(/\/v1\/*$/, '');
    return joinUrl(root, path);
  }

  async #get(url: string): Promise<unknown> {
    const { response } = await this.request(url, { headers: this.#headers, refuseText: refuseServerError });
    return readDocument(response, this.describeRequest());
  }

  /** Reads vectors, and adds the reported usage to that of the call. @throws HttpError, ProviderError (`response-format`) */
  protected async readVectors(
    response: TransportResponse,
    fromReply: (document: unknown) => number[][] | VectorProblem,
    readUsage: (document: unknown) => TokenUsage,
  ): Promise<number[][]> {
    const request = { ...this.describeRequest(), advice: NO_VECTORS };
    const document = await readDocument(response, request);
    const vectors = fromReply(document);
    if (!Array.isArray(vectors)) throw toFormatError(request, vectors);
    this.noteUsage(readUsage(document));
    return vectors;
  }
}

/** For a server that does not say why. */
const NO_VECTORS =
  'Check that this server has embeddings and that the model embeds; then the log of the server: a text may be too long or empty.';

const NOTHING: string[] = [];

/** The same empty list for all calls under way, of which most have several. */
const withoutEmpty = (list: string[]): string[] => (list.length === 0 ? NOTHING : list);
