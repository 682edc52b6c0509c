// The base class of every provider: one public `chat`, whatever the back end. Knows no protocol.
import type {
  CallProgress,
  ChatDelta,
  ChatTurn,
  Message,
  ModelInfo,
  RawAssistant,
  SamplingParams,
  ServerInfo,
  TokenCost,
  TokenUsage,
  ToolType,
} from '../../types';
import { InvalidOptionsError } from '../errors';
import { normalizeToolCallEnvelope } from '../rescue/json-calls/envelope';
import { parser } from '../rescue/parser';
import { TextDeltas } from '../rescue/stream/text-deltas';
import { checkSampling } from '../sampling/check-sampling';
import { mergeSampling } from '../sampling/merge-sampling';
import type { CallContext } from '../transport/call-context';
import { createCallContext, currentCall, runInCall } from '../transport/call-context';
import { HttpTransport } from '../transport/http-transport';
import type { ObservedAttempt } from '../transport/wire-recorder';
import { checkRates, embeddingCostUsd } from '../usage/cost';
import { sumUsage } from '../usage/sum-usage';
import { untilAborted } from '../util/abort';
import { callSafely } from '../util/call-safely';
import { checkRecord, checkText, checkType } from '../util/check-options';
import { checkVectors } from '../util/check-vectors';
import { isRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';
import { badReply, toCallError, unsupported } from './call-error';
import { toChatTurn } from './chat-turn';
import { readTokenUsage } from './complete-reply';
import type { ProviderCredentials } from './credentials';
import { handUp } from './exchange';
import type { CallObservers } from './observers';
import { observedBy } from './observers';
import type { ProviderMethod } from './own-code';
import { toForeignError, isBuiltIn } from './own-code';

/** One call of `chat`. */
export interface ChatOptions {
  /** Offered to the model; none of them is run. @default [] */
  tools?: readonly ToolType[] | undefined;
  messages: readonly Message[];
  /** Wins over the provider's own sampling key by key. */
  sampling?: SamplingParams | undefined;
  /**
   * Goes over the wire byte for byte in place of the body that the rest would make, as to send a recorded request again; the
   * rest still says how the reply is read. Whether the reply is a stream is read from it. Only the built-in providers take it.
   */
  body?: string | undefined;
  /** Ends the call in every phase, the waits included; the socket is closed. */
  signal?: AbortSignal | undefined;
  /**
   * Takes the reply while it arrives, in order; the turn is the same as without it. From the first piece on nothing is
   * retried. What it throws is ignored.
   */
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Told at each change of phase; complete each time. What it throws is ignored. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
  /**
   * Told when an attempt begins, a reconnect too; what it sent and was answered can be read whenever one likes, of those
   * that fail as well. Without it only the last answer is kept. What it throws is ignored.
   */
  onAttempt?: ((attempt: ObservedAttempt) => void) | undefined;
}

/** One call of `embed` or `embedMany`. */
export interface EmbedOptions {
  /** Ends the call in every phase; the socket is closed. */
  signal?: AbortSignal | undefined;
  /**
   * What the call used: called once when it has succeeded and the server told counts, of all its requests together; not
   * called when it told none. `costUsd` is USD, and absent without rates. What it throws is ignored.
   */
  onUsage?: ((usage: TokenUsage & { costUsd?: number | undefined }) => void) | undefined;
}

/** How long a provider that obeys an abort may take to say so, in milliseconds: one that does not is left to itself. */
const STOP_GRACE_MS = 100;

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

  /** `chatInternal`, which a built-in provider does with its call at hand. */
  protected chatIn(
    _call: CallContext,
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams,
  ): Promise<RawAssistant> {
    return this.chatInternal(tools, messages, sampling);
  }

  /**
   * Sends the conversation and returns the turn: the reply as the server sent it, the tool calls (native ones, or else
   * those rescued from the text), usage, and every attempt. Never runs a tool. Called inside the `chatInternal` of another
   * provider, it stops with that one's call, which then carries its attempts and its exchange.
   * @throws ProviderError with the ledger and the redacted exchange.
   */
  chat(options: ChatOptions): Promise<ChatTurn> {
    const { onDelta, tools: offered = [] } = options;
    // who forbids calls gets none, and still learns what the text holds
    const isRescued = this.#rescueToolCalls && this.#raw?.['tool_choice'] !== 'none';
    const texts = onDelta && new TextDeltas(isRescued ? offered : [], onDelta);
    return this.#trace(texts ? { ...options, onDelta: texts.add } : options, {
      method: 'chatInternal',
      isHandedCall: isBuiltIn(this),
      ask: (call): Promise<unknown> => {
        const { body, tools = [], messages, sampling } = checkChat(options);
        if (body !== undefined && !this.takesBody)
          throw unsupported(this.constructor.name, 'send a given body');
        return this.chatIn(call, [...tools], [...messages], mergeSampling(this.#sampling, sampling));
      },
      finish: (reply, context) => {
        const turn = toChatTurn(reply, context, {
          provider: this.constructor.name,
          tools: offered,
          rescueToolCalls: isRescued,
          costPer1kTokens: this.#costPer1kTokens,
          redactor: this.redactorOf(context),
        });
        const text = texts?.finish(turn) ?? '';
        if (text !== '') context.onDelta?.({ text });
        return turn;
      },
    });
  }

  /**
   * @param text Sent as it is.
   * @returns the vector of the text. Whether it has unit length is the server's business (Ollama and llama-server: yes).
   * @throws ProviderError (`unsupported` for a provider without embeddings, `response-format` for an empty or missing vector)
   */
  async embed(text: string, options?: EmbedOptions): Promise<number[]> {
    const [vector] = await this.embedMany([text], options);
    return vector ?? [];
  }

  /** One vector a text, in the order of the texts; one request where the server takes several. @throws ProviderError as `embed` */
  async embedMany(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    if (texts.length === 0) return [];
    const { signal, onUsage } = options;
    return this.#trace(
      { signal },
      {
        method: 'embedInternal',
        ask: (): Promise<unknown> => this.embedInternal([...texts]),
        finish: (made, context) => {
          const vectors = checkVectors(made, texts.length);
          if (typeof vectors === 'string') throw badReply(this.constructor.name, vectors);
          this.#tellUsage(context, onUsage);
          return vectors;
        },
      },
    );
  }

  #tellUsage({ usage = {}, signal }: CallContext, onUsage: EmbedOptions['onUsage']): void {
    if (Object.keys(usage).length === 0 || signal?.aborted) return;
    const cost = embeddingCostUsd(usage, this.#costPer1kTokens);
    callSafely(onUsage, { ...usage, ...(cost !== undefined && { costUsd: cost }) });
  }

  /**
   * What a custom provider with embeddings implements: one vector a text, in their order. What the server told of tokens goes
   * to `noteUsage`.
   */
  protected embedInternal(_texts: string[]): Promise<number[][]> {
    return Promise.reject(unsupported(this.constructor.name, 'make embeddings'));
  }

  /** The ids of the models that the back end offers. @throws ProviderError (`unsupported` unless a provider can tell) */
  async listModels(options: { signal?: AbortSignal | undefined } = {}): Promise<string[]> {
    return this.#trace(
      { signal: options.signal },
      { method: 'listModelsInternal', ask: () => this.listModelsInternal(), finish: asItIs },
    );
  }

  protected listModelsInternal(): Promise<string[]> {
    return Promise.reject(unsupported(this.constructor.name, 'list its models'));
  }

  /**
   * What the server tells of itself and its models. A provider that tells no more has the ids of `listModels`.
   * @throws ProviderError as `listModels`
   */
  async describeServer(options: { signal?: AbortSignal | undefined } = {}): Promise<ServerInfo> {
    return this.#trace(
      { signal: options.signal },
      { ask: () => this.describeServerInternal(), finish: asItIs },
    );
  }

  protected async describeServerInternal(): Promise<ServerInfo> {
    return { models: (await this.listModels()).map((id) => ({ id })) };
  }

  /** A model of `describeServer`, with what only a request of its own tells. @throws ProviderError */
  async describeModel(
    model: ModelInfo,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<ModelInfo> {
    return this.#trace(
      { signal: options.signal },
      { ask: () => this.describeModelInternal(model), finish: asItIs },
    );
  }

  protected describeModelInternal(model: ModelInfo): Promise<ModelInfo> {
    return Promise.resolve(model);
  }

  /** Runs one call. An abort ends it even when the provider's own code does not obey. */
  async #trace<Answer, Result>(
    observers: CallObservers,
    { method, isHandedCall = false, ask, finish }: TracedCall<Answer, Result>,
  ): Promise<Result> {
    const outer = currentCall();
    const context = createCallContext(observedBy(observers, outer, !isHandedCall));
    const { signal } = context;
    const begin = (): Promise<Answer> =>
      isHandedCall ? ask(context) : runInCall(context, () => ask(context));
    try {
      let answer: Answer;
      try {
        answer = await (signal ? untilAborted(signal, begin, STOP_GRACE_MS) : begin());
      } catch (error) {
        throw toForeignError(error, this, method);
      }
      return finish(answer, context);
    } catch (error) {
      throw toCallError(error, context, this.describeRequest(context), this.redactorOf(context));
    } finally {
      handUp(context, this.redactorOf(context), outer);
    }
  }

  /** Whether a body that a caller gives takes the place of the provider's own. */
  protected get takesBody(): boolean {
    return false;
  }

  /** Whether somebody observes the reply while it arrives: then a provider that can stream does. */
  protected get isObserved(): boolean {
    return currentCall()?.onDelta !== undefined;
  }

  /** Hands on a piece of the reply; from then on the call is not retried. */
  protected emitDelta(delta: ChatDelta): void {
    this.deltaSink()(delta);
  }

  /** What `emitDelta` does, for the call that this is asked in. */
  protected deltaSink(call = currentCall()): (delta: ChatDelta) => void {
    const onDelta = call?.onDelta;
    if (!onDelta) return () => undefined;
    return (delta) => {
      // several pieces may have arrived at once, and the first of them may have made the caller stop
      if (call.signal?.aborted) return;
      call.hasDelivered = true;
      onDelta(delta);
    };
  }

  /** For embeddings: what the server told of one request; several add up. Of a chat, `chatInternal` returns it. */
  protected noteUsage(usage: TokenUsage): void {
    const call = currentCall();
    if (call) call.usage = sumUsage([call.usage ?? {}, readTokenUsage(usage)]);
  }
}

/** One call, in two parts: what the provider's own code does, and what becomes of its answer. */
interface TracedCall<Answer, Result> {
  /** What implements `ask`. */
  method?: ProviderMethod;
  /** What it asks is handed the call, and need not find it. @default false */
  isHandedCall?: boolean;
  ask: (call: CallContext) => Promise<Answer>;
  finish: (answer: Answer, context: CallContext) => Result;
}

const asItIs = <Value>(value: Value): Value => value;

/** @throws InvalidOptionsError */
function checkChat(options: ChatOptions): ChatOptions {
  const { messages }: { messages: unknown } = options;
  if (!Array.isArray(messages) || !messages.every(isRecord))
    throw new InvalidOptionsError('messages', 'must be a list of messages');
  checkSampling(options.sampling);
  if (options.body !== undefined) checkText('body', options.body);
  return options;
}
