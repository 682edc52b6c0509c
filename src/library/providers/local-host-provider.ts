// The provider for a self-hosted local model server that speaks Ollama's protocol.
import type { Message, RawAssistant, SamplingParams, ToolType } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkText } from '../util/check-options';
import { parseJson } from '../util/json';
import { fromLocalHostEmbedding, fromLocalHostEmbeddings, isMissingRoute } from '../wire/embeddings-wire';
import { fromLocalHostModels, fromLocalHostReply, toLocalHostRequest } from '../wire/local-host-wire';
import { LocalHostStream } from '../wire/local-host-stream';
import { joinUrl, parseBaseUrl } from './base-url';
import type { LocalHostCredentials } from './credentials';
import { Providers } from './providers';
import { readDocument, readReply, readVectors } from './reply';
import { StreamedReply } from './stream-reply';

export class LocalHostProvider extends Providers {
  readonly #base: URL;
  readonly #model: string;
  readonly #embedModel: string;

  /** @throws InvalidOptionsError */
  constructor(credentials: LocalHostCredentials) {
    super();
    this.configure(credentials);
    this.#base = parseBaseUrl(credentials.host);
    checkText('model', credentials.model);
    refuseProtocolPath(this.#base);
    this.#model = credentials.model;
    this.#embedModel = credentials.embedModel ?? credentials.model;
    checkText('embedModel', this.#embedModel);
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams = {},
  ): Promise<RawAssistant> {
    const { body, ...translation } = toLocalHostRequest({
      model: this.#model,
      tools,
      messages,
      sampling,
      raw: this.raw,
      isStreaming: this.isFollowed,
    });
    this.noteTranslation(translation);
    // raw may ask for a stream, or forbid it
    const stream =
      body['stream'] === true
        ? new StreamedReply(() => new LocalHostStream((delta) => this.emitDelta(delta)))
        : undefined;
    const { response, attempts } = await this.request(joinUrl(this.#base, '/api/chat'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      createReader: stream?.createReader,
    });
    const read = stream ? stream.read.bind(stream) : readReply;
    const { raw, calls } = await read(response, this.describeRequest(), fromLocalHostReply);
    this.noteTranslation({ toolCalls: calls });
    return { ...raw, attempts };
  }

  protected override async embedInternal(texts: string[]): Promise<number[][]> {
    const body = { model: this.#embedModel, input: texts };
    const { response } = await this.#post('/api/embed', body);
    if (isMissingRoute(response.status, parseJson(await response.text()))) return this.#embedOneByOne(texts);
    return readVectors(response, this.describeRequest(), (document) =>
      fromLocalHostEmbeddings(document, texts.length),
    );
  }

  /** Servers before `/api/embed` take one text a request. */
  async #embedOneByOne(texts: string[]): Promise<number[][]> {
    const vectors: number[][] = [];
    for (const prompt of texts) {
      const { response } = await this.#post('/api/embeddings', { model: this.#embedModel, prompt });
      vectors.push(...(await readVectors(response, this.describeRequest(), fromLocalHostEmbedding)));
    }
    return vectors;
  }

  #post(path: string, body: object): ReturnType<LocalHostProvider['request']> {
    return this.request(joinUrl(this.#base, path), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  protected override async listModelsInternal(): Promise<string[]> {
    const { response } = await this.request(joinUrl(this.#base, '/api/tags'));
    return fromLocalHostModels(await readDocument(response, this.describeRequest()));
  }
}

/** The path of the protocol is added here; with one in the host every request would be a 404. */
function refuseProtocolPath(base: URL): void {
  const [, suffix] = /\/(v1|api)\/*$/.exec(base.pathname) ?? [];
  if (suffix === undefined) return;
  throw new InvalidOptionsError(
    'host',
    `must not end in /${suffix}: the local provider adds /api/chat itself` +
      (suffix === 'v1' ? '; for an OpenAI-compatible server use the hosted provider' : ''),
  );
}
