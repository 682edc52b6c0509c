// The provider for a hosted chat-completion API, and for every endpoint that speaks the same protocol.
import type { Message, RawAssistant, SamplingParams, ToolType } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkText } from '../util/check-options';
import { toRecord } from '../util/json';
import { fromHostedApiEmbeddings, toEmbedBody } from '../wire/embeddings-wire';
import type { TokenLimitKey } from '../wire/hosted-api-body';
import {
  fromHostedApiModels,
  fromHostedApiReply,
  readUsage,
  toHostedApiRequest,
} from '../wire/hosted-api-wire';
import { HostedApiStream } from '../wire/hosted-api-stream';
import type { HostedApiCredentials } from './credentials';
import type { ChatProtocol } from './wire-provider';
import { WireProvider } from './wire-provider';

/** What a hosted connection uses where nothing is given. Frozen. */
export const HOSTED_API_DEFAULTS = Object.freeze({
  host: 'https://api.openai.com/v1',
  model: 'gpt-4o-mini',
  embedModel: 'text-embedding-3-small',
});

const TOKEN_LIMIT_KEYS = new Set<string>(['max_tokens', 'max_completion_tokens']);

const CHAT: ChatProtocol = {
  path: '/chat/completions',
  createStream: (emit, redact) => new HostedApiStream(emit, redact),
  fromReply: fromHostedApiReply,
};

/** Speaks the OpenAI chat-completion protocol: `POST {host}/chat/completions` and `/embeddings`. */
export class HostedApiProvider extends WireProvider {
  readonly #model: string;
  readonly #embedModel: string;
  readonly #tokenLimitKey: TokenLimitKey;

  /** @throws InvalidOptionsError */
  constructor(credentials: HostedApiCredentials) {
    super();
    this.configure(credentials);
    this.setAddress(credentials.host ?? HOSTED_API_DEFAULTS.host, toAuthorization(credentials));
    this.#model = credentials.model ?? HOSTED_API_DEFAULTS.model;
    checkText('model', this.#model);
    this.#embedModel = credentials.embedModel ?? HOSTED_API_DEFAULTS.embedModel;
    checkText('embedModel', this.#embedModel);
    this.#tokenLimitKey = credentials.tokenLimitKey ?? 'max_tokens';
    if (!TOKEN_LIMIT_KEYS.has(this.#tokenLimitKey)) {
      throw new InvalidOptionsError('tokenLimitKey', "must be 'max_tokens' or 'max_completion_tokens'");
    }
  }

  protected chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams = {},
  ): Promise<RawAssistant> {
    const { raw, isFollowed: isStreaming } = this;
    const input = { model: this.#model, tools, messages, sampling, isStreaming };
    return this.chatOverWire(toHostedApiRequest(input, raw, this.#tokenLimitKey), CHAT);
  }

  protected override async embedInternal(texts: string[]): Promise<number[][]> {
    const { response } = await this.post('/embeddings', toEmbedBody(this.#embedModel, texts));
    const fromReply = (document: unknown): number[][] | string =>
      fromHostedApiEmbeddings(document, texts.length);
    return this.readVectors(response, fromReply, (document) => readUsage(toRecord(document)['usage']));
  }

  protected override async listModelsInternal(): Promise<string[]> {
    return fromHostedApiModels(await this.getDocument('/models'));
  }
}

function toAuthorization({ apiKey, auth = 'bearer' }: HostedApiCredentials): Record<string, string> {
  if (auth === 'none') return {};
  if (auth !== 'bearer' && auth !== 'api-key') {
    throw new InvalidOptionsError('auth', "must be 'bearer', 'api-key' or 'none'");
  }
  checkText('apiKey', apiKey);
  if (/[^\x21-\x7e]/.test(apiKey)) {
    throw new InvalidOptionsError(
      'apiKey',
      'must be printable ASCII without blanks, as it goes into a header',
    );
  }
  return auth === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'api-key': apiKey };
}
