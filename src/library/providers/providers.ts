// The base class of every provider: one public `chat`, whatever the back end. Knows no protocol.
import { AsyncResource } from 'node:async_hooks';
import type {
  CallProgress,
  ChatDelta,
  ChatTurn,
  Message,
  RawAssistant,
  SamplingParams,
  TokenCost,
  ToolType,
} from '../../types';
import { normalizeToolCallEnvelope } from '../rescue/envelope';
import { parser } from '../rescue/parser';
import { checkSampling } from '../sampling/check-sampling';
import { mergeSampling } from '../sampling/merge-sampling';
import type { CallContext, Translation } from '../transport/call-context';
import { callContext, createCallContext } from '../transport/call-context';
import { HttpTransport } from '../transport/http-transport';
import { checkRates } from '../usage/cost';
import { callSafely } from '../util/call-safely';
import { checkRecord, checkType } from '../util/check-options';
import { pruneUndefined } from '../util/prune-undefined';
import { toCallError, unsupported } from './call-error';
import { toChatTurn } from './chat-turn';
import type { ProviderCredentials } from './credentials';
import { handUp } from './exchange';

/** One call of `chat`. */
export interface ChatOptions {
  /** Offered to the model; none of them is run. @default [] */
  tools?: readonly ToolType[] | undefined;
  messages: readonly Message[];
  /** Wins over the provider's own sampling key by key. */
  sampling?: SamplingParams | undefined;
  /** Ends the call in every phase, the waits included; the socket is closed. */
  signal?: AbortSignal | undefined;
  /**
   * Takes the reply while it arrives, in order; the turn is the same as without it. From the first piece on nothing is
   * tried again. What it throws is ignored.
   */
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Told at each change of phase; complete each time. What it throws is ignored. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** The base class of every provider. A custom one extends it, calls `configure`, and implements `chatInternal`. */
export abstract class Providers extends HttpTransport {
  /** See the exports of the same names. */
  protected readonly parser = parser;
  protected readonly normalizeToolCallEnvelope = normalizeToolCallEnvelope;
  protected readonly pruneUndefined = pruneUndefined;

  #sampling: SamplingParams = {};
  #raw: Readonly<Record<string, unknown>> | undefined;
  #rescueToolCalls = true;
  #costPer1kTokens: TokenCost | undefined;

  /**
   * Absorbs sampling, retry, cost, raw and rescue; a custom provider calls it from its constructor.
   * @throws InvalidOptionsError
   */
  protected configure(credentials: ProviderCredentials): void {
    this.configureTransport(credentials);
    checkSampling(credentials.sampling);
    checkRecord('raw', credentials.raw);
    checkType('rescueToolCalls', credentials.rescueToolCalls, 'boolean');
    checkRates(credentials.costPer1kTokens);
    this.#sampling = mergeSampling({}, credentials.sampling);
    this.#raw = credentials.raw;
    this.#rescueToolCalls = credentials.rescueToolCalls ?? true;
    this.#costPer1kTokens = credentials.costPer1kTokens;
  }

  /** Whether it was given cost rates: without them no call has a `costUsd`. */
  get hasRates(): boolean {
    return this.#costPer1kTokens !== undefined;
  }

  /** The keys that a provider merges into its request body, last. */
  protected get raw(): Readonly<Record<string, unknown>> | undefined {
    return this.#raw;
  }

  /**
   * One exchange with the back end; what a custom provider implements.
   * @param sampling Merged already.
   */
  protected abstract chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant>;

  /**
   * Sends the conversation and returns the turn: the reply as the server sent it, the tool calls (native ones, or else
   * those rescued from the text), usage, and every attempt. Never runs a tool. Called inside the `chatInternal` of another
   * provider, it stops with that one's call, which then carries its attempts and its exchange.
   * @throws ProviderError with the ledger and the redacted exchange.
   */
  async chat(options: ChatOptions): Promise<ChatTurn> {
    const tools = [...(options.tools ?? [])];
    const outer = callContext.getStore();
    const context = createCallContext(followedBy(options, outer));
    try {
      checkSampling(options.sampling);
      const raw = await callContext.run(context, () =>
        this.chatInternal(tools, [...options.messages], mergeSampling(this.#sampling, options.sampling)),
      );
      return toChatTurn(raw, context, {
        tools,
        rescueToolCalls: this.#rescueToolCalls,
        costPer1kTokens: this.#costPer1kTokens,
        redactor: this.redactor,
      });
    } catch (error) {
      throw toCallError(error, context, { provider: this.constructor.name, redactor: this.redactor });
    } finally {
      handUp(context, this.redactor, outer);
    }
  }

  /**
   * @param text Sent as it is.
   * @returns the vector of the text. Whether it has unit length is the server's business (Ollama and llama-server: yes).
   * @throws ProviderError (`unsupported` for a provider without embeddings, `response-format` for an empty or missing vector)
   */
  async embed(text: string, options?: { signal?: AbortSignal | undefined }): Promise<number[]> {
    const [vector] = await this.embedMany([text], options);
    return vector ?? [];
  }

  /** One vector a text, in the order of the texts; one request where the server takes several. @throws ProviderError as `embed` */
  async embedMany(
    texts: readonly string[],
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<number[][]> {
    if (texts.length === 0) return [];
    return this.#trace(options.signal, () => this.embedInternal([...texts]));
  }

  /** What a custom provider with embeddings implements: one vector a text, in their order. */
  protected embedInternal(_texts: string[]): Promise<number[][]> {
    return Promise.reject(unsupported(this.constructor.name, 'make embeddings'));
  }

  /** The ids of the models that the back end offers. @throws ProviderError (`unsupported` unless a provider can tell) */
  async listModels(options: { signal?: AbortSignal | undefined } = {}): Promise<string[]> {
    return this.#trace(options.signal, () => this.listModelsInternal());
  }

  protected listModelsInternal(): Promise<string[]> {
    return Promise.reject(unsupported(this.constructor.name, 'list its models'));
  }

  /** Runs an operation that is no chat, with its own ledger. */
  async #trace<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const outer = callContext.getStore();
    const context = createCallContext(followedBy({ signal }, outer));
    try {
      return await callContext.run(context, work);
    } catch (error) {
      throw toCallError(error, context, { provider: this.constructor.name, redactor: this.redactor });
    } finally {
      handUp(context, this.redactor, outer);
    }
  }

  /** Whether somebody follows the reply: then a provider that can stream does. */
  protected get isFollowed(): boolean {
    return callContext.getStore()?.onDelta !== undefined;
  }

  /** Hands on a piece of the reply; from then on the call is not tried again. */
  protected emitDelta(delta: ChatDelta): void {
    this.deltaSink()(delta);
  }

  /** What `emitDelta` does, for the call that this is asked in. */
  protected deltaSink(): (delta: ChatDelta) => void {
    const context = callContext.getStore();
    const onDelta = context?.onDelta;
    if (!onDelta) return () => undefined;
    return (delta) => {
      // several pieces may have arrived at once, and the first of them may have made the caller stop
      if (context.signal?.aborted) return;
      context.hasDelivered = true;
      onDelta(delta);
    };
  }

  /** Tells the exchange how the neutral input became the request. */
  protected noteTranslation(translation: Partial<Translation>): void {
    const context: CallContext | undefined = callContext.getStore();
    if (!context) return;
    context.translation ??= { sent: {}, dropped: [], overridden: [], toolCalls: [] };
    Object.assign(context.translation, translation);
  }
}

/** A callback that ends no call, in this context; `AsyncLocalStorage.bind` costs ten times as much for each piece. */
function bindHere<Argument>(callback: (argument: Argument) => void): (argument: Argument) => void {
  const scope = new AsyncResource('ProviderCall');
  return (argument) => void scope.runInAsyncScope(callSafely<[Argument]>, undefined, callback, argument);
}

type Followers = Pick<ChatOptions, 'signal' | 'onDelta' | 'onProgress'>;

/** What a call tells and obeys; inside another call it stops with that one and tells its progress, unless it has its own. */
function followedBy({ signal, onDelta, onProgress }: Followers, outer: CallContext | undefined): Followers {
  const told = onProgress ?? (outer?.onProgress && tellOuter(outer, outer.onProgress));
  return {
    signal: signal ?? outer?.signal,
    // in the context of the caller: what it does there, such as handing a piece on, belongs to its own call
    ...(onDelta && { onDelta: bindHere(onDelta) }),
    ...(told && { onProgress: bindHere(told) }),
  };
}

const tellOuter =
  ({ ledger }: CallContext, tell: (progress: CallProgress) => void) =>
  (progress: CallProgress): void =>
    tell({ ...progress, ledger: [...structuredClone(ledger), ...progress.ledger] });
