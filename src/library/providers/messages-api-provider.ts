// The provider for Anthropic's Messages API, and for every server that speaks it.
import type { Message, ToolType } from '../../types';
import { HttpError } from '../errors';
import { checkText } from '../util/check-options';
import type { JsonRecord } from '../util/json';
import { toRecord, toText } from '../util/json';
import { keepName } from '../util/keep-name';
import { MessagesStream } from '../wire/messages/messages-stream';
import { fromMessagesReply, readMessagesCallTexts, toMessagesRequest } from '../wire/messages/messages-wire';
import { NO_ROUTE } from '../wire/no-route';
import { isEventStream } from '../wire/reply/server-sent-events';
import { boundTo } from '../wire/request/replay';
import { asksForStream } from '../wire/request/write-request';
import type { WireRequest } from '../wire/wire-shapes';
import { toCountBody } from '../wire/token-count';
import { withVersion } from './base-url';
import { unsupported } from './call/call-error';
import { markOwnCode } from './call/own-code';
import type { MessagesApiCredentials } from './credentials';
import type { KeyHeader } from './key-header';
import { toKeyHeader } from './key-header';
import { KeyedProvider } from './keyed-provider';
import type { ChatProtocol, ChatSettings } from './wire-provider';

/** Default options of connections to the Messages API. Frozen. */
export const MESSAGES_API_DEFAULTS = Object.freeze({
  host: 'https://api.anthropic.com',
  model: 'claude-haiku-4-5',
});

export const MESSAGES_API_KEY_HEADERS = [
  { id: 'api-key', header: 'x-api-key', prefix: '' },
  { id: 'bearer', header: 'authorization', prefix: 'Bearer ' },
] as const satisfies readonly KeyHeader[];

export const MESSAGES_API_CHAT_PATH = '/messages';

/** The service requires it; other servers ignore it. https://docs.claude.com/en/api/versioning */
const VERSION = { 'anthropic-version': '2023-06-01' };

/** How many models are asked for at once, and how many such lists are read. */
const MODEL_PAGES = { limit: '1000', most: 10 };

export const MESSAGES_API_CHAT = {
  path: MESSAGES_API_CHAT_PATH,
  asksForStream: (body) => asksForStream(body, false),
  createStream: (emit, redact) => new MessagesStream(emit, redact),
  isStream: isEventStream,
  readCallTexts: readMessagesCallTexts,
  fromReply: (document) => fromMessagesReply(document, ''),
} satisfies ChatProtocol;

/** Speaks Anthropic's Messages API: `POST {host}/v1/messages`. It has no embeddings. */
export class MessagesApiProvider extends KeyedProvider {
  static {
    keepName(this, 'MessagesApiProvider');
    markOwnCode(this.prototype);
  }

  readonly #model: string;
  readonly #origin: string;

  protected readonly protocol: ChatProtocol;

  /** @throws InvalidOptionsError */
  constructor(credentials: MessagesApiCredentials) {
    super();
    this.configure(credentials);
    const { host = MESSAGES_API_DEFAULTS.host, model = MESSAGES_API_DEFAULTS.model } = credentials;
    const key = toKeyHeader(credentials, MESSAGES_API_KEY_HEADERS);
    this.#origin = this.setAddress(withVersion(host), { ...VERSION, ...key }).origin;
    checkText('model', model);
    this.#model = model;
    this.protocol = {
      ...MESSAGES_API_CHAT,
      fromReply: (document) => boundTo(this.#origin, fromMessagesReply(document, model)),
    };
  }

  protected toWire(tools: ToolType[], messages: Message[], settings: ChatSettings): WireRequest {
    const input = { model: this.#model, origin: this.#origin, tools, messages, ...settings };
    return toMessagesRequest(input, this.raw);
  }

  protected override countBody(body: JsonRecord): Promise<number> {
    return this.countAt(`${MESSAGES_API_CHAT_PATH}/count_tokens`, toCountBody(body, 'messages'));
  }

  protected override embedInternal(): Promise<number[][]> {
    return Promise.reject(
      unsupported(this.constructor.name, 'make embeddings', {
        why: 'The Messages API has no embeddings.',
        next: "Use a connection of another protocol: Ollama's, or the hosted chat-completion API.",
      }),
    );
  }

  /** The service sends its list in pages. */
  protected override async getModels(): Promise<unknown> {
    const first = toRecord(await this.#getFirstModels());
    const entries = [first['data']];
    let page = first;
    while (page['has_more'] === true && entries.length < MODEL_PAGES.most) {
      const after = toText(page['last_id']);
      if (after === undefined) break;
      page = toRecord(await this.getDocument('/models', { limit: MODEL_PAGES.limit, after_id: after }));
      entries.push(page['data']);
    }
    return entries.length === 1 ? first : { ...first, data: entries.flat() };
  }

  /** Several services that speak the protocol have no list of models. */
  async #getFirstModels(): Promise<unknown> {
    try {
      return await this.getDocument('/models', { limit: MODEL_PAGES.limit });
    } catch (error) {
      if (!(error instanceof HttpError) || !NO_ROUTE.has(error.status)) throw error;
      throw unsupported(this.constructor.name, 'list its models', {
        why: `The server has no \`/v1/models\` (${error.status}).`,
        next: 'Type the name of a model, as the pages of the server give it. If nothing answers there, check the address.',
      });
    }
  }
}
