// A provider over the models of the editor, for lanes: no address, no key, no HTTP. What VS Code does not tell is not made up. Part of
// the engine; independent of vscode.
import { t } from '@vscode/l10n';
import { Buffer } from 'node:buffer';
import { ProviderError, Providers } from '../../library';
import type { CallContext, ProviderCredentials } from '../../library';
import type {
  AttemptRecord,
  ExchangeRequest,
  Message,
  ModelInfo,
  RawAssistant,
  SamplingParams,
  ServerInfo,
  ToolType,
} from '../../types';
import type { EditorModel, EditorModels } from './editor-model';
import { fromModelName, OWN_VENDOR, toModelName } from './editor-model';
import { explainEmptyList, explainFailure } from './explain-failure';
import { ReceivedParts } from './received-parts';
import type { TranslatedChat } from './to-editor-request';
import { toEditorRequest } from './to-editor-request';

interface EditorModelCredentials extends ProviderCredentials {
  /** Name of the model, with its vendor. */
  model: string;
  /** Loads what talks to the editor. */
  models: () => Promise<EditorModels>;
  /** Is told each list of all models; undefined for an empty one. */
  onListed?: ((listed: ServerInfo | undefined) => void) | undefined;
}

/** How a request that is passed on inside of the editor is named in its record, before the name of the model. */
const SCHEME = 'vscode-lm:';

export class EditorModelProvider extends Providers {
  readonly #model: string;
  readonly #models: () => Promise<EditorModels>;
  readonly #onListed: EditorModelCredentials['onListed'];

  constructor({ model, models, onListed, ...credentials }: EditorModelCredentials) {
    super();
    this.configure(credentials);
    this.#model = model;
    this.#models = models;
    this.#onListed = onListed;
  }

  protected override get takesToolChoice(): boolean {
    return true;
  }

  /** Never called: `chatIn` replaces it, because only that is told of the call. */
  protected override chatInternal(): Promise<RawAssistant> {
    return Promise.reject(new Error('chatIn was not called'));
  }

  protected override async chatIn(
    call: CallContext,
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams,
  ): Promise<RawAssistant> {
    const model = await this.#find();
    const { vendor } = model;
    const chat = toEditorRequest({ vendor, messages, tools, sampling, toolChoice: call.toolChoice });
    if (typeof chat === 'string')
      throw new ProviderError('unsupported', { what: t('Nothing was sent.'), why: chat, next: '' });
    note(call, model, chat);
    return this.#ask(call, model, chat);
  }

  async #ask(call: CallContext, model: EditorModel, { request }: TranslatedChat): Promise<RawAssistant> {
    const startedAt = Date.now();
    const start = performance.now();
    const elapsedMs = (): number => performance.now() - start;
    const parts = new ReceivedParts(elapsedMs, this.deltaSink(call));
    const asked = toRecord(call, model);
    call.attempts = 1;
    call.onAttempt?.({
      attempt: 1,
      header: () => undefined,
      evidence: () => {
        const { response } = parts;
        return { request: asked, ...(response && { response }) };
      },
    });
    call.onProgress?.({ phase: 'reading', attempt: 1, maxAttempts: 1, since: startedAt, ledger: [] });
    const end = (how: Pick<AttemptRecord, 'endedBy' | 'decision' | 'reason'>): void =>
      void call.ledger.push({ attempt: 1, startedAt, endMs: elapsedMs(), ...how });
    try {
      for await (const part of await model.send(request, call.signal)) parts.add(part);
      // A reply that was cancelled may end like any other.
      call.signal?.throwIfAborted();
      parts.isComplete = true;
      end({ endedBy: 'server', decision: 'done', reason: t('VS Code ended the reply. It tells no status.') });
      return { ...parts.reply, attempts: 1 };
    } catch (error) {
      if (call.signal?.aborted) {
        end({ endedBy: 'caller', decision: 'stop', reason: t('It was stopped.') });
        throw error;
      }
      const failure = explainFailure(error, model, toPartial(parts.reply));
      end({ endedBy: 'server', decision: 'stop', reason: failure.explanation.what });
      throw failure;
    }
  }

  /** The models of now: what a lane names may have been signed out, or come back. @throws ProviderError */
  async #find(): Promise<EditorModel> {
    const name = fromModelName(this.#model);
    if (!name || name.vendor === OWN_VENDOR) {
      throw new ProviderError('unsupported', {
        what: t('No model of VS Code is called “{0}”.', this.#model),
        why: t('A name is that of the vendor and that of the model, such as `copilot/gpt-4o`.'),
        next: t('Pick a model from the list.'),
      });
    }
    const found = await (await this.#models()).select(name);
    const model = found.find(({ vendor, id }) => vendor === name.vendor && id === name.id);
    if (model) return model;
    throw explainFailure(Object.assign(new Error(''), { code: 'NotFound' }), name);
  }

  async #list(): Promise<ModelInfo[]> {
    const models = await this.#models();
    const usable = (await models.select()).filter(({ vendor }) => vendor !== OWN_VENDOR);
    if (usable.length === 0) {
      this.#onListed?.(undefined);
      throw new ProviderError('unsupported', {
        answered: t('with an empty list'),
        ...explainEmptyList(models.places()),
      });
    }
    const listed = [...new Map(usable.map((model) => [toModelName(model), toInfo(model)])).values()];
    this.#onListed?.({ models: listed });
    return listed;
  }

  protected override async listModelsInternal(): Promise<string[]> {
    return (await this.#list()).map(({ id }) => id);
  }

  protected override async describeServerInternal(): Promise<ServerInfo> {
    return { models: await this.#list() };
  }
}

const toInfo = (model: EditorModel): ModelInfo => ({
  id: toModelName(model),
  ...(model.maxInputTokens > 0 && { maxContextLength: model.maxInputTokens }),
});

/** Notes what is asked where the record of the call, and of its errors, looks for it. */
function note(call: CallContext, model: EditorModel, chat: TranslatedChat): void {
  const { request, sent, dropped, replaced, changed } = chat;
  const { vendor, id, name, family, version, maxInputTokens } = model;
  const asked = { model: { vendor, id, name, family, version, maxInputTokens }, ...request };
  const body = Buffer.from(JSON.stringify(asked));
  call.request = { method: 'sendRequest', url: `${SCHEME}${toModelName(model)}`, headers: {}, body };
  call.translation = {
    sent,
    dropped,
    overridden: [],
    // VS Code hands over arguments as objects: how they were written is not known.
    toolCalls: () => [],
    replaced,
    changed,
    toolChoice: call.toolChoice && { choice: call.toolChoice, key: 'toolMode' },
  };
}

/** There are no secrets in it. */
function toRecord({ request }: CallContext, model: EditorModel): ExchangeRequest {
  const body = request?.body?.toString('utf8') ?? '';
  return { method: 'sendRequest', url: `${SCHEME}${toModelName(model)}`, headers: {}, body };
}

const toPartial = ({ content, reasoning, toolCalls }: ReceivedParts['reply']) => ({
  content,
  ...(reasoning !== undefined && { reasoning }),
  toolCalls: toolCalls.map(({ id, name, arguments: value }) => ({
    id,
    name,
    arguments: JSON.stringify(value),
  })),
});
