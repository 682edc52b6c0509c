// The base class of every provider: one public `chat` for every back end. Independent of protocols.
import type {
  ChatDelta,
  ChatTurn,
  Message,
  ModelInfo,
  RawAssistant,
  RenderedPrompt,
  SentToolChoice,
  SamplingParams,
  ServerInfo,
  TokenCost,
  TokenUsage,
  ToolChoice,
  ToolType,
} from '../../types';
import { InvalidOptionsError } from '../errors';
import { normalizeToolCallEnvelope } from '../rescue/json-calls/envelope';
import { parser } from '../rescue/parser';
import { toReadableTools } from '../util/standard-schema';
import { TextDeltas } from '../rescue/stream/text-deltas';
import { checkSampling } from '../sampling/check-sampling';
import { mergeSampling } from '../sampling/merge-sampling';
import type { CallContext } from '../transport/call-context';
import { createCallContext, currentCall } from '../transport/call-context';
import { HttpTransport } from '../transport/http-transport';
import { checkRates, embeddingCostUsd } from '../usage/cost';
import { sumUsage } from '../usage/sum-usage';
import { callSafely } from '../util/call-safely';
import { checkRecord, checkSignal, checkText, checkType, requireRecord } from '../util/check-options';
import { checkVectors } from '../util/check-vectors';
import { isRecord, parseJson, toRecord } from '../util/json';
import { readToolChoice, TOOL_CHOICE_KEY } from '../wire/request/tool-choice';
import { pruneUndefined } from '../util/prune-undefined';
import { beginCall } from './call/begin-call';
import type { TracedCall } from './call/begin-call';
import { blameCaller } from './call/blame-caller';
import { badReply, toCallError, unsupported } from './call/call-error';
import type { CallEnd } from './call/call-end';
import { ChatEnd } from './call/call-end';
import { checkChat, checkTexts, isListOfTexts } from './call/check-call';
import { readTokenUsage } from './call/complete-reply';
import type { ProviderCredentials } from './credentials';
import { addToOuterCall } from './call/exchange';
import type { CallObservers } from './call/observers';
import type { AskedPrompt, ChatOptions, EmbedOptions, RenderOptions } from './call-options';
import { observedBy, toDeltaSink, withListener } from './call/observers';
import type { ProviderMethod } from './call/own-code';
import { toForeignError, isBuiltIn } from './call/own-code';

/** The base class of every provider. A custom provider extends it, calls `configure`, and implements `chatInternal`. */
export abstract class Providers extends HttpTransport {
  /** The same as the exports of these names. */
  protected readonly parser = parser;
  protected readonly normalizeToolCallEnvelope = normalizeToolCallEnvelope;
  protected readonly pruneUndefined = pruneUndefined;

  #sampling: SamplingParams = {};
  #raw: Readonly<Record<string, unknown>> | undefined;
  #rescueToolCalls = true;
  #costPer1kTokens: TokenCost | undefined;

  /**
   * Stores the options for sampling, retry, cost, raw keys and rescue. A custom provider calls it in its constructor.
   * @throws InvalidOptionsError
   */
  protected configure(credentials: ProviderCredentials): void {
    requireRecord('credentials', credentials);
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

  /** Whether cost rates were configured; without them no call has a `costUsd`. */
  get hasRates(): boolean {
    return this.#costPer1kTokens !== undefined;
  }

  /** The raw keys, which a provider merges into its request body last. */
  protected get raw(): Readonly<Record<string, unknown>> | undefined {
    return this.#raw;
  }

  /**
   * Sends one chat to the back end. A custom provider implements this.
   * @param sampling Already merged with the provider's own.
   */
  protected abstract chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant>;

  /** Calls `chatInternal`. Built-in providers override this, so that they need not look the call up. */
  protected chatIn(
    _call: CallContext,
    tools: ToolType[],
    messages: Message[],
    sampling: SamplingParams,
  ): Promise<RawAssistant> {
    return this.chatInternal(tools, messages, sampling);
  }

  /**
   * Sends the conversation and returns the turn: the reply as the server sent it, the tool calls (native ones or, if there
   * are none, those rescued from the text), the usage, and every attempt. Never runs a tool. Inside the `chatInternal` of
   * another provider, it stops with that provider's call, which then also has its attempts and its exchange.
   * @throws ProviderError with the ledger and the redacted exchange
   */
  chat(options: ChatOptions): Promise<ChatTurn> {
    if (!isRecord(options)) return Promise.reject(new InvalidOptionsError('options', 'must be an object'));
    try {
      return this.#chat(options);
    } catch (error) {
      const call = createCallContext({});
      const refused = blameCaller(error, options, this.#raw);
      return Promise.reject(toCallError(refused, call, this.describeRequest(call), this.redactorOf(call)));
    }
  }

  /** @throws what a getter of the options throws */
  #chat(options: ChatOptions): Promise<ChatTurn> {
    const { onDelta, tools } = options;
    const offered = Array.isArray(tools) ? tools : [];
    const readable = toReadableTools(offered);
    const isRescued = this.#rescueToolCalls && this.#sentToolChoice(options) !== 'none';
    // `callSafely` is used here, because an async callback returns a promise, whose rejection must be handled.
    const emit = (delta: ChatDelta): void => void callSafely(onDelta, delta);
    const texts = onDelta && new TextDeltas(isRescued ? readable : [], emit);
    return this.#trace(texts ? withListener(options, texts.add) : options, {
      isHandedCall: isBuiltIn(this),
      ask: (call): Promise<unknown> => {
        try {
          const { body, messages, sampling } = checkChat(options);
          if (body !== undefined && !this.takesBody)
            throw unsupported(this.constructor.name, 'send a given body');
          return this.chatIn(call, [...offered], [...messages], mergeSampling(this.#sampling, sampling));
        } catch (error) {
          throw blameCaller(error, options, this.#raw);
        }
      },
      end: new ChatEnd(
        {
          provider: this.constructor.name,
          tools: readable,
          rescueToolCalls: isRescued,
          costPer1kTokens: this.#costPer1kTokens,
        },
        texts,
      ),
    });
  }

  /**
   * @param text Sent unchanged; the built-in providers replace lone surrogates with U+FFFD.
   * @returns the vector of the text. It depends on the server whether it has unit length (Ollama and llama-server: yes).
   * @throws ProviderError (`unsupported` for a provider without embeddings, `response-format` for an empty or missing
   * vector)
   */
  async embed(text: string, options?: EmbedOptions): Promise<number[]> {
    const [vector] = await this.embedMany([text], options);
    return vector ?? [];
  }

  /**
   * One vector per text, in the order of the texts; [] without texts. Sends one request if the server accepts several texts.
   * @throws ProviderError as `embed`
   */
  async embedMany(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    requireRecord('options', options);
    const { signal, onUsage } = options;
    checkType('onUsage', onUsage, 'function');
    const asked = checkTexts(texts);
    const count = asked.length;
    if (count === 0) return [];
    return this.#trace(
      { signal },
      {
        ask: (): Promise<unknown> => this.embedInternal(asked),
        end: {
          method: 'embedInternal',
          finish: (made, context) => {
            const vectors = checkVectors(made, count);
            if (!Array.isArray(vectors)) throw badReply(this.constructor.name, vectors.why);
            this.#reportUsage(context, onUsage);
            return vectors;
          },
        },
      },
    );
  }

  #reportUsage({ usage = {}, signal }: CallContext, onUsage: EmbedOptions['onUsage']): void {
    if (Object.keys(usage).length === 0 || signal?.aborted) return;
    const cost = embeddingCostUsd(usage, this.#costPer1kTokens);
    callSafely(onUsage, { ...usage, ...(cost !== undefined && { costUsd: cost }) });
  }

  /**
   * A custom provider with embeddings implements this: one vector per text, in their order. It passes the token counts that
   * the server reported to `noteUsage`.
   */
  protected embedInternal(_texts: string[]): Promise<number[][]> {
    return Promise.reject(unsupported(this.constructor.name, 'make embeddings'));
  }

  /**
   * The ids of the models that the back end offers. @throws ProviderError (`unsupported` if the provider cannot list them)
   */
  async listModels(options: { signal?: AbortSignal | undefined } = {}): Promise<string[]> {
    requireRecord('options', options);
    return this.#trace(
      { signal: options.signal },
      {
        ask: (): Promise<unknown> => this.listModelsInternal(),
        end: {
          method: 'listModelsInternal',
          finish: (ids) => {
            if (isListOfTexts(ids)) return ids;
            throw badReply(this.constructor.name, 'The ids of the models are not a list of texts.');
          },
        },
      },
    );
  }

  /** A custom provider that can list its models implements this. Returns their ids. */
  protected listModelsInternal(): Promise<string[]> {
    return Promise.reject(unsupported(this.constructor.name, 'list its models'));
  }

  /**
   * What the server reports about itself and its models. Without support by the provider, only the ids of `listModels`.
   * @throws ProviderError as `listModels`
   */
  async describeServer(options: { signal?: AbortSignal | undefined } = {}): Promise<ServerInfo> {
    requireRecord('options', options);
    const { signal } = options;
    return this.#ask({ signal }, 'describeServerInternal', () => this.describeServerInternal());
  }

  /** A custom provider may override this to report more than the ids of its models. */
  protected async describeServerInternal(): Promise<ServerInfo> {
    return { models: (await this.listModels()).map((id) => ({ id })) };
  }

  /** A model of `describeServer` with the details that need a request of their own. @throws ProviderError */
  async describeModel(
    model: ModelInfo,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<ModelInfo> {
    requireRecord('model', model);
    checkText('model.id', model.id);
    requireRecord('options', options);
    const { signal } = options;
    return this.#ask({ signal }, 'describeModelInternal', () => this.describeModelInternal(model));
  }

  /** A custom provider may override this to add details to a model; by default it is returned unchanged. */
  protected describeModelInternal(model: ModelInfo): Promise<ModelInfo> {
    return Promise.resolve(model);
  }

  /**
   * The text that the server's chat template makes of a request: what the model would read. Nothing is generated; a server
   * may load the model for it.
   * @throws ProviderError (`unsupported` when the provider or its server does not render prompts)
   */
  renderPrompt(options: RenderOptions): Promise<RenderedPrompt> {
    return this.#askAbout(options, 'renderPromptInternal', (...asked) => this.renderPromptInternal(...asked));
  }

  /** A custom provider whose server renders prompts may implement this. */
  protected renderPromptInternal(..._prompt: AskedPrompt): Promise<RenderedPrompt> {
    return Promise.reject(unsupported(this.constructor.name, 'show the rendered prompt'));
  }

  /**
   * The number of tokens of a request's prompt, tools included, as the server counts them. Nothing is generated.
   * @throws ProviderError (`unsupported` when the provider or its server does not count tokens)
   */
  countTokens(options: RenderOptions): Promise<number> {
    return this.#askAbout(options, 'countTokensInternal', (...asked) => this.countTokensInternal(...asked));
  }

  /** A custom provider whose server counts tokens may implement this. */
  protected countTokensInternal(..._prompt: AskedPrompt): Promise<number> {
    return Promise.reject(unsupported(this.constructor.name, 'count tokens'));
  }

  async #askAbout<Answer>(
    options: RenderOptions,
    method: ProviderMethod,
    ask: (...prompt: AskedPrompt) => Promise<Answer>,
  ): Promise<Answer> {
    requireRecord('options', options);
    const { messages, tools = [], sampling } = checkChat(options);
    const merged = mergeSampling(this.#sampling, sampling);
    return this.#ask(options, method, () => ask([...tools], [...messages], merged));
  }

  /** Runs a call whose result is what `method` returns. */
  #ask<Answer>(
    observers: CallObservers,
    method: ProviderMethod,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    return this.#trace(observers, { ask, end: { method, finish: (answer) => answer } });
  }

  /** Runs one call. An abort ends it even when the provider's own code ignores the abort. */
  #trace<Answer, Result>(
    observers: CallObservers,
    { isHandedCall = false, ask, end }: TracedCall<Answer, Result>,
  ): Promise<Result> {
    checkSignal(observers.signal);
    const outer = currentCall();
    const context = createCallContext(observedBy(observers, outer, !isHandedCall));
    return this.#settle(beginCall(context, isHandedCall, ask), context, outer, end);
  }

  /** Apart from the beginning, of which nothing then stays in memory until the answer has arrived. */
  async #settle<Answer, Result>(
    begun: Promise<Answer>,
    context: CallContext,
    outer: CallContext | undefined,
    end: CallEnd<Answer, Result>,
  ): Promise<Result> {
    let isAnswered = false;
    try {
      const answer = await begun;
      isAnswered = true;
      return end.finish(answer, context, this.redactorOf(context));
    } catch (error) {
      const thrown = isAnswered ? error : toForeignError(error, this, end.method);
      const failure = toCallError(thrown, context, this.describeRequest(context), this.redactorOf(context));
      end.explain?.(failure);
      throw failure;
    } finally {
      context.hasEnded = true;
      addToOuterCall(context, this.redactorOf(context), outer);
    }
  }

  /** What the request of a call says about calling tools: its given body, `raw`, or else its caller. */
  #sentToolChoice({ body, toolChoice }: Pick<ChatOptions, 'body' | 'toolChoice'>): ToolChoice | undefined {
    if (body !== undefined) return this.readToolChoice(toRecord(parseJson(body)))?.choice;
    const inRaw = this.#raw && this.readToolChoice(this.#raw);
    if (inRaw || (this.#raw && Object.hasOwn(this.#raw, TOOL_CHOICE_KEY))) return inRaw?.choice;
    return this.takesToolChoice ? toolChoice : undefined;
  }

  /** What a body says about calling tools; a provider whose protocol has another form overrides this. */
  protected readToolChoice(body: Readonly<Record<string, unknown>>): SentToolChoice | undefined {
    return readToolChoice(body);
  }

  /** Whether the back end is told the caller's `toolChoice`; a provider that sends it overrides this. */
  protected get takesToolChoice(): boolean {
    return false;
  }

  /** What the caller of this call says about calling tools. */
  protected get toolChoice(): ToolChoice | undefined {
    return currentCall()?.toolChoice;
  }

  /** Whether a body given by the caller can replace the provider's own. */
  protected get takesBody(): boolean {
    return false;
  }

  /** Whether the caller receives the reply as it arrives; a provider that can stream then should. */
  protected get isObserved(): boolean {
    return currentCall()?.onDelta !== undefined;
  }

  /** Passes a piece of the reply to the caller; from then on the call is not retried. */
  protected emitDelta(delta: ChatDelta): void {
    this.deltaSink()(delta);
  }

  /** Returns a function that does what `emitDelta` does, for the given call or else the current one. */
  protected deltaSink(call = currentCall()): (delta: ChatDelta) => void {
    return toDeltaSink(call);
  }

  /** For embeddings: adds the token counts of one request to those of the call. For chats, `chatInternal` returns them. */
  protected noteUsage(usage: TokenUsage): void {
    const call = currentCall();
    if (call) call.usage = sumUsage([call.usage ?? {}, readTokenUsage(usage)]);
  }
}
