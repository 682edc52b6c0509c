// The provider for OpenAI's Responses API, and for every server that speaks it.
import type { Message, ToolType } from '../../types';
import { checkText } from '../util/check-options';
import type { JsonRecord } from '../util/json';
import { keepName } from '../util/keep-name';
import { isEventStream } from '../wire/reply/server-sent-events';
import { boundTo } from '../wire/request/replay';
import { asksForStream } from '../wire/request/write-request';
import { ResponsesStream } from '../wire/responses/responses-stream';
import {
  fromResponsesReply,
  readResponsesCallTexts,
  toResponsesRequest,
} from '../wire/responses/responses-wire';
import type { WireRequest } from '../wire/wire-shapes';
import { toCountBody } from '../wire/token-count';
import { withVersion } from './base-url';
import { unsupported } from './call/call-error';
import { markOwnCode } from './call/own-code';
import type { ResponsesApiCredentials } from './credentials';
import { HOSTED_API_DEFAULTS, HOSTED_API_KEY_HEADERS } from './hosted-api-provider';
import { toKeyHeader } from './key-header';
import { KeyedProvider } from './keyed-provider';
import type { ChatProtocol, ChatSettings } from './wire-provider';

export const RESPONSES_API_CHAT_PATH = '/responses';

export const RESPONSES_API_CHAT = {
  path: RESPONSES_API_CHAT_PATH,
  asksForStream: (body) => asksForStream(body, false),
  createStream: (emit, redact) => new ResponsesStream(emit, redact),
  isStream: isEventStream,
  readCallTexts: readResponsesCallTexts,
  fromReply: (document) => fromResponsesReply(document, ''),
} satisfies ChatProtocol;

/** Speaks OpenAI's Responses API: `POST {host}/responses`, with the whole conversation each time. It makes no embeddings. */
export class ResponsesApiProvider extends KeyedProvider {
  static {
    keepName(this, 'ResponsesApiProvider');
    markOwnCode(this.prototype);
  }

  readonly #model: string;
  readonly #origin: string;

  protected readonly protocol: ChatProtocol;

  /** @throws InvalidOptionsError */
  constructor(credentials: ResponsesApiCredentials) {
    super();
    this.configure(credentials);
    const { host = HOSTED_API_DEFAULTS.host, model = HOSTED_API_DEFAULTS.model } = credentials;
    this.#origin = this.setAddress(
      withVersion(host),
      toKeyHeader(credentials, HOSTED_API_KEY_HEADERS),
    ).origin;
    checkText('model', model);
    this.#model = model;
    this.protocol = {
      ...RESPONSES_API_CHAT,
      fromReply: (document) => boundTo(this.#origin, fromResponsesReply(document, model)),
    };
  }

  protected toWire(tools: ToolType[], messages: Message[], settings: ChatSettings): WireRequest {
    const input = { model: this.#model, origin: this.#origin, tools, messages, ...settings };
    return toResponsesRequest(input, this.raw);
  }

  protected override countBody(body: JsonRecord): Promise<number> {
    return this.countAt(`${RESPONSES_API_CHAT_PATH}/input_tokens`, toCountBody(body, 'responses'));
  }

  protected override embedInternal(): Promise<number[][]> {
    return Promise.reject(
      unsupported(this.constructor.name, 'make embeddings', {
        why: 'The Responses API has no embeddings.',
        next: 'Use a connection to the hosted chat-completion API of the same service or server.',
      }),
    );
  }
}
