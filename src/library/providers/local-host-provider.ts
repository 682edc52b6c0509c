// The provider for a self-hosted local model server that speaks Ollama's protocol.
import type { Message, ModelInfo, RenderedPrompt, ServerInfo, ToolType } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkText } from '../util/check-options';
import { parseJson, toRecord, toText } from '../util/json';
import type { JsonRecord } from '../util/json';
import {
  fromLocalHostEmbedding,
  fromLocalHostEmbeddings,
  isMissingRoute,
  readLocalHostEmbedUsage,
  toEmbedBody,
  toOldEmbedBody,
} from '../wire/embeddings-wire';
import { fromLocalHostModels, markRunning, withLocalHostDetails } from '../wire/local-host/local-host-models';
import {
  fromLocalHostReply,
  readLocalHostCallTexts,
  STREAMS_BY_DEFAULT,
  toLocalHostRequest,
} from '../wire/local-host/local-host-wire';
import { fromRenderReply, rendersPrompts, toRenderBody } from '../wire/local-host/local-host-prompt';
import { toRenderedPrompt } from '../wire/rendered-prompt';
import { asksForStream } from '../wire/request/write-request';
import { isObjectStream, LocalHostStream } from '../wire/local-host/local-host-stream';
import type { LocalHostCredentials } from './credentials';
import { readDocument } from './call/reply';
import type { WireRequest } from '../wire/wire-shapes';
import type { ChatProtocol, ChatSettings } from './wire-provider';
import { markOwnCode } from './call/own-code';
import { WireProvider } from './wire-provider';
import type { VectorProblem } from '../util/check-vectors';
import { keepName } from '../util/keep-name';

export const LOCAL_HOST_CHAT_PATH = '/api/chat';

export const LOCAL_HOST_CHAT: ChatProtocol = {
  path: LOCAL_HOST_CHAT_PATH,
  asksForStream: (body) => asksForStream(body, STREAMS_BY_DEFAULT),
  createStream: (emit, redact) => new LocalHostStream(emit, redact),
  isStream: isObjectStream,
  fromReply: fromLocalHostReply,
  readCallTexts: readLocalHostCallTexts,
};

/** Speaks Ollama's protocol: `POST {host}/api/chat` and `/api/embed`. Sends no credentials. */
export class LocalHostProvider extends WireProvider {
  static {
    keepName(this, 'LocalHostProvider');
    markOwnCode(this.prototype);
  }

  readonly #model: string;
  readonly #embedModel: string;

  protected readonly protocol = LOCAL_HOST_CHAT;

  /** @throws InvalidOptionsError */
  constructor(credentials: LocalHostCredentials) {
    super();
    this.configure(credentials);
    refuseProtocolPath(this.setAddress(credentials.host));
    checkText('model', credentials.model);
    this.#model = credentials.model;
    this.#embedModel = credentials.embedModel ?? credentials.model;
    checkText('embedModel', this.#embedModel);
  }

  protected toWire(tools: ToolType[], messages: Message[], settings: ChatSettings): WireRequest {
    return toLocalHostRequest({ model: this.#model, tools, messages, ...settings }, this.raw);
  }

  protected override async embedInternal(texts: string[]): Promise<number[][]> {
    const { response } = await this.post('/api/embed', toEmbedBody(this.#embedModel, texts));
    if (isMissingRoute(response.status, parseJson(await response.text()))) return this.#embedOneByOne(texts);
    const fromReply = (document: unknown): number[][] | VectorProblem =>
      fromLocalHostEmbeddings(document, texts.length);
    return this.readVectors(response, fromReply, readLocalHostEmbedUsage);
  }

  /** For servers that do not have `/api/embed` yet; they accept one text per request. */
  async #embedOneByOne(texts: string[]): Promise<number[][]> {
    const vectors: number[][] = [];
    for (const text of texts) {
      const { response } = await this.post('/api/embeddings', toOldEmbedBody(this.#embedModel, text));
      vectors.push(...(await this.readVectors(response, fromLocalHostEmbedding, readLocalHostEmbedUsage)));
    }
    return vectors;
  }

  protected override async listModelsInternal(): Promise<string[]> {
    return (await this.#readTags()).map(({ id }) => id);
  }

  async #readTags(): Promise<ModelInfo[]> {
    return this.readModels(await this.getDocument('/api/tags'), fromLocalHostModels);
  }

  protected override async describeServerInternal(): Promise<ServerInfo> {
    const models = await this.#readTags();
    const running = await this.findDocument('/api/ps');
    const version = toText(toRecord(await this.findDocument('/api/version'))['version']);
    return {
      ...(version !== undefined && { product: 'ollama', version }),
      models: running === undefined ? models : markRunning(models, running),
    };
  }

  protected override async describeModelInternal(model: ModelInfo): Promise<ModelInfo> {
    const { response } = await this.post('/api/show', { model: model.id });
    return withLocalHostDetails(model, await readDocument(response, this.describeRequest()));
  }

  protected override async renderBody(body: JsonRecord): Promise<RenderedPrompt> {
    const { version } = toRecord(await this.findDocument('/api/version'));
    if (!rendersPrompts(version)) {
      const known = toText(version)?.slice(0, 40) ?? 'unknown';
      throw this.cannotRender(
        `Its version is ${known}; a version that cannot render would generate a reply.`,
      );
    }
    const made = await this.postBeside(LOCAL_HOST_CHAT_PATH, toRenderBody(body));
    const text = this.require(fromRenderReply(made), 'The answer has no rendered prompt.');
    const running = await this.findDocument('/api/ps');
    const id = String(body['model']);
    const names = [id, `${id}:latest`].map((name) => ({ id: name }));
    const contextLength = markRunning(names, running).find(({ isRunning }) => isRunning)?.contextLength;
    return toRenderedPrompt(text, body, { contextLength });
  }
}

/** The provider appends the path of the protocol; with a path in the host, every request would get a 404. */
function refuseProtocolPath(base: URL): void {
  const [, suffix] = /\/(v1|api)\/*$/.exec(base.pathname) ?? [];
  if (suffix === undefined) return;
  throw new InvalidOptionsError(
    'host',
    `must not end in /${suffix}: the local provider adds /api/chat itself` +
      (suffix === 'v1' ? '; for an OpenAI-compatible server use the hosted provider' : ''),
  );
}
