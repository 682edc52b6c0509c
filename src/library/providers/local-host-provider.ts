// The provider for a self-hosted local model server that speaks Ollama's protocol.
import type { Message, RawAssistant, SamplingParams, ToolType } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkText } from '../util/check-options';
import { fromLocalHostModels, fromLocalHostReply, toLocalHostRequest } from '../wire/local-host-wire';
import { LocalHostStream } from '../wire/local-host-stream';
import { joinUrl, parseBaseUrl } from './base-url';
import type { LocalHostCredentials } from './credentials';
import { Providers } from './providers';
import { readDocument, readReply } from './reply';
import { StreamedReply } from './stream-reply';

export class LocalHostProvider extends Providers {
  readonly #base: URL;
  readonly #model: string;

  /** @throws InvalidOptionsError */
  constructor(credentials: LocalHostCredentials) {
    super();
    this.configure(credentials);
    this.#base = parseBaseUrl(credentials.host);
    checkText('model', credentials.model);
    refuseProtocolPath(this.#base);
    this.#model = credentials.model;
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
