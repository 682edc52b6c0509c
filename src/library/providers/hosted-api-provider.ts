// The provider for a hosted chat-completion API, and for every endpoint that speaks the same protocol.
import type { Message, RawAssistant, SamplingParams, ToolType } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkText } from '../util/check-options';
import { fromHostedApiEmbeddings } from '../wire/embeddings-wire';
import type { TokenLimitKey } from '../wire/hosted-api-wire';
import { fromHostedApiModels, fromHostedApiReply, toHostedApiRequest } from '../wire/hosted-api-wire';
import { HostedApiStream } from '../wire/hosted-api-stream';
import { joinUrl, parseBaseUrl } from './base-url';
import type { HostedApiCredentials } from './credentials';
import { Providers } from './providers';
import { readDocument, readReply, readVectors } from './reply';
import { StreamedReply } from './stream-reply';

export const HOSTED_API_DEFAULTS = Object.freeze({
  host: 'https://api.openai.com/v1',
  model: 'gpt-4o-mini',
  embedModel: 'text-embedding-3-small',
});

const TOKEN_LIMIT_KEYS = new Set<string>(['max_tokens', 'max_completion_tokens']);

export class HostedApiProvider extends Providers {
  readonly #base: URL;
  readonly #model: string;
  readonly #embedModel: string;
  readonly #authorization: Record<string, string>;
  readonly #tokenLimitKey: TokenLimitKey;

  /** @throws InvalidOptionsError */
  constructor(credentials: HostedApiCredentials) {
    super();
    this.configure(credentials);
    this.#base = parseBaseUrl(credentials.host ?? HOSTED_API_DEFAULTS.host);
    this.#model = credentials.model ?? HOSTED_API_DEFAULTS.model;
    checkText('model', this.#model);
    this.#embedModel = credentials.embedModel ?? HOSTED_API_DEFAULTS.embedModel;
    checkText('embedModel', this.#embedModel);
    this.#authorization = toAuthorization(credentials);
    this.#tokenLimitKey = credentials.tokenLimitKey ?? 'max_tokens';
    if (!TOKEN_LIMIT_KEYS.has(this.#tokenLimitKey)) {
      throw new InvalidOptionsError('tokenLimitKey', "must be 'max_tokens' or 'max_completion_tokens'");
    }
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams = {},
  ): Promise<RawAssistant> {
    const input = {
      model: this.#model,
      tools,
      messages,
      sampling,
      raw: this.raw,
      isStreaming: this.isFollowed,
    };
    const { body, ...translation } = toHostedApiRequest(input, this.#tokenLimitKey);
    this.noteTranslation(translation);
    // raw may ask for a stream, or forbid it
    const stream =
      body['stream'] === true
        ? new StreamedReply(() => new HostedApiStream((delta) => this.emitDelta(delta)))
        : undefined;
    const { response, attempts } = await this.request(joinUrl(this.#base, '/chat/completions'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#authorization },
      body: JSON.stringify(body),
      createReader: stream?.createReader,
    });
    const read = stream ? stream.read.bind(stream) : readReply;
    const { raw, calls } = await read(response, this.describeRequest(), fromHostedApiReply);
    this.noteTranslation({ toolCalls: calls });
    return { ...raw, attempts };
  }

  protected override async embedInternal(texts: string[]): Promise<number[][]> {
    const { response } = await this.request(joinUrl(this.#base, '/embeddings'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#authorization },
      body: JSON.stringify({ model: this.#embedModel, input: texts }),
    });
    return readVectors(response, this.describeRequest(), (document) =>
      fromHostedApiEmbeddings(document, texts.length),
    );
  }

  protected override async listModelsInternal(): Promise<string[]> {
    const { response } = await this.request(joinUrl(this.#base, '/models'), { headers: this.#authorization });
    return fromHostedApiModels(await readDocument(response, this.describeRequest()));
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
