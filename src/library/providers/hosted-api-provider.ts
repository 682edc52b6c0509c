// The provider for a hosted chat-completion API, and for every endpoint that speaks the same protocol.
import type { Message, RenderedPrompt, ServerInfo, ToolType } from '../../types';
import { HttpError, InvalidOptionsError, ProviderError } from '../errors';
import { checkText } from '../util/check-options';
import type { JsonRecord } from '../util/json';
import { toRecord } from '../util/json';
import { fromHostedApiEmbeddings, toEmbedBody } from '../wire/embeddings-wire';
import type { TokenLimitKey } from '../wire/hosted-api/hosted-api-body';
import {
  fromHostedApiReply,
  readHostedApiCallTexts,
  readUsage,
  toHostedApiRequest,
} from '../wire/hosted-api/hosted-api-wire';
import {
  fromChatTokenizeReply,
  fromDetokenizeReply,
  fromTemplateReply,
  fromTokenizeReply,
  toChatTokenizeBody,
  toDetokenizeBody,
  toTemplateBody,
  toTokenizeBody,
} from '../wire/hosted-api/hosted-api-prompt';
import { toRenderedPrompt } from '../wire/rendered-prompt';
import { HostedApiStream } from '../wire/hosted-api/hosted-api-stream';
import { NO_ROUTE } from '../wire/no-route';
import { isEventStream } from '../wire/reply/server-sent-events';
import { asksForStream } from '../wire/request/write-request';
import { needsShortIds, shortenIds } from '../wire/request/short-ids';
import type { HostedApiCredentials } from './credentials';
import { findService } from './known-servers';
import type { WireRequest } from '../wire/wire-shapes';
import type { ChatProtocol, ChatSettings } from './wire-provider';
import { markOwnCode } from './call/own-code';
import type { KeyHeader } from './key-header';
import { toKeyHeader } from './key-header';
import { KeyedProvider } from './keyed-provider';
import type { VectorProblem } from '../util/check-vectors';
import { keepName } from '../util/keep-name';

/** Default options of hosted connections. Frozen. */
export const HOSTED_API_DEFAULTS = Object.freeze({
  host: 'https://api.openai.com/v1',
  model: 'gpt-4o-mini',
  embedModel: 'text-embedding-3-small',
});

export const HOSTED_API_KEY_HEADERS = [
  { id: 'bearer', header: 'authorization', prefix: 'Bearer ' },
  { id: 'api-key', header: 'api-key', prefix: '' },
] as const satisfies readonly KeyHeader[];

/** The path of a request, as copied from documentation, or a version that is there twice. */
const REQUEST_PATH =
  /(\/(?:(?:chat\/)?completions|embeddings|messages|models|responses)|(?<=(\/v\d+))\2)\/*$/;

export const findRequestPath = (host: string): string | undefined => REQUEST_PATH.exec(host)?.[1];

const TOKEN_LIMIT_KEYS = new Set<string>(['max_tokens', 'max_completion_tokens']);

export const HOSTED_API_CHAT_PATH = '/chat/completions';

export const HOSTED_API_CHAT = {
  path: HOSTED_API_CHAT_PATH,
  asksForStream: (body) => asksForStream(body, false),
  createStream: (emit, redact, offered) => new HostedApiStream(emit, redact, offered),
  isStream: isEventStream,
  readCallTexts: readHostedApiCallTexts,
  fromReply: (document) => fromHostedApiReply(document, ''),
} satisfies ChatProtocol;

/** Speaks the OpenAI chat-completion protocol: `POST {host}/chat/completions` and `/embeddings`. */
export class HostedApiProvider extends KeyedProvider {
  static {
    keepName(this, 'HostedApiProvider');
    markOwnCode(this.prototype);
  }

  readonly #model: string;
  readonly #embedModel: string;
  readonly #tokenLimitKey: TokenLimitKey;
  readonly #needsShortIds: boolean;
  /** Name of the known service at its address; undefined for any other server. */
  readonly #service: string | undefined;

  protected readonly protocol: ChatProtocol;

  /** @throws InvalidOptionsError */
  constructor(credentials: HostedApiCredentials) {
    super();
    this.configure(credentials);
    const address = this.setAddress(
      credentials.host ?? HOSTED_API_DEFAULTS.host,
      toKeyHeader(credentials, HOSTED_API_KEY_HEADERS),
    );
    this.#needsShortIds = needsShortIds(address.hostname);
    this.#service = findService(address.host)?.label;
    this.#model = credentials.model ?? HOSTED_API_DEFAULTS.model;
    checkText('model', this.#model);
    const model = this.#model;
    this.protocol = { ...HOSTED_API_CHAT, fromReply: (document) => fromHostedApiReply(document, model) };
    this.#embedModel = credentials.embedModel ?? HOSTED_API_DEFAULTS.embedModel;
    checkText('embedModel', this.#embedModel);
    this.#tokenLimitKey = credentials.tokenLimitKey ?? 'max_tokens';
    if (!TOKEN_LIMIT_KEYS.has(this.#tokenLimitKey)) {
      throw new InvalidOptionsError('tokenLimitKey', "must be 'max_tokens' or 'max_completion_tokens'");
    }
  }

  protected toWire(tools: ToolType[], given: Message[], settings: ChatSettings): WireRequest {
    const messages = this.#needsShortIds ? shortenIds(given) : given;
    const input = { model: this.#model, tools, messages, ...settings };
    return toHostedApiRequest(input, this.raw, this.#tokenLimitKey);
  }

  protected override async embedInternal(texts: string[]): Promise<number[][]> {
    const { response } = await this.post('/embeddings', toEmbedBody(this.#embedModel, texts));
    const fromReply = (document: unknown): number[][] | VectorProblem =>
      fromHostedApiEmbeddings(document, texts.length);
    return this.readVectors(response, fromReply, (document) => readUsage(toRecord(document)['usage']));
  }

  /** Nothing is sent to a known service: none of them renders. A server of no known product is asked as llama-server. */
  protected override async renderBody(body: JsonRecord): Promise<RenderedPrompt> {
    if (this.#service !== undefined) throw this.cannotRender(`${this.#service} has no route for it.`);
    const { product, models } = await this.#describe();
    if (product === 'vllm') return this.#renderByTokens(body);
    if (product === 'lm-studio') throw this.cannotRender('LM Studio has no route for it.');
    const model = models.length === 1 ? models[0] : models.find(({ id }) => id === body['model']);
    return this.#renderByTemplate(body, model?.contextLength);
  }

  /** Nothing when the list cannot be read, as behind a gateway. */
  async #describe(): Promise<ServerInfo> {
    try {
      return await this.describeServerInternal();
    } catch (error) {
      if (isAnswer(error)) return { models: [] };
      throw error;
    }
  }

  async #renderByTemplate(body: JsonRecord, contextLength: number | undefined): Promise<RenderedPrompt> {
    const made = await this.#ask('/apply-template', toTemplateBody(body));
    const text = this.require(fromTemplateReply(made), 'The answer has no rendered prompt.');
    const counted = await this.postBeside('/tokenize', toTokenizeBody(text, body)).catch(orUnread);
    const pieces = fromTokenizeReply(counted);
    return toRenderedPrompt(text, body, { pieces, tokens: pieces?.length, contextLength });
  }

  async #renderByTokens(body: JsonRecord): Promise<RenderedPrompt> {
    const answer = fromChatTokenizeReply(await this.#ask('/tokenize', toChatTokenizeBody(body)));
    const { ids, ...reported } = this.require(answer, 'The answer has no tokens.');
    const text = fromDetokenizeReply(await this.postBeside('/detokenize', toDetokenizeBody(ids, body)));
    return toRenderedPrompt(this.require(text, 'The answer has no text for the tokens.'), body, reported);
  }

  /** @throws ProviderError (`unsupported` when the server has no such route) */
  async #ask(path: string, body: JsonRecord): Promise<unknown> {
    try {
      return await this.postBeside(path, body);
    } catch (error) {
      if (!(error instanceof HttpError) || !NO_ROUTE.has(error.status)) throw error;
      throw this.cannotRender(`It has no \`${path}\` (${error.status}).`);
    }
  }
}

/** Whether the server answered, but not with what was asked for. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ProviderError && /^(http|response-format)$/.test(error.code);

function orUnread(error: unknown): undefined {
  if (!isAnswer(error)) throw error;
}
