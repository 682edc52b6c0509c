// The loop of an agent: chats and runs the tools that the model calls, until the model answers or a limit is reached.
import type {
  AgentStep,
  CallProgress,
  ChatDelta,
  ChatTurn,
  Message,
  ProviderToolCall,
  RunReport,
  StopReason,
  ToolResult,
  ToolType,
} from '../../types';
import { InvalidOptionsError, ProviderError } from '../errors';
import { checkMessages } from '../providers/call/check-call';
import { cameToNothing } from '../usage/came-to-nothing';
import { isPaused } from '../usage/is-paused';
import { untilAborted } from '../util/abort';
import { checkSignal, checkType, requireRecord } from '../util/check-options';
import { linkToolResults } from '../wire/request/tool-results';
import type { AgentDefinition, AgentSource } from './agent';
import { resolveAgent } from './agent';
import { answerCalls } from './answer-calls';
import { findReachedLimit, measureSpending } from './budget';
import type { AgentHooks } from './hooks';
import { findOpenCalls, toAnswer, withAnswers } from './open-calls';
import { RunStoppedError, toRunReport } from './report';
import type { RunSignal } from './run-signal';
import { createRunSignal } from './run-signal';

const DEFAULT_MAX_STEPS = 10;
/**
 * How long a stopped chat may take to report what had arrived, in milliseconds. A provider itself needs at most half of it.
 */
const STOP_GRACE_MS = 200;

/** Options of one run, besides the agent and its input. */
export interface RunOptions {
  /** Stops the run at once. The chat and the tools in progress receive the abort too; the run does not wait for them. */
  signal?: AbortSignal | undefined;
  /** Receives each reply as it arrives, as in `chat`. Chats run one after another, so their pieces never mix. */
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Receives the state of a chat at each change of phase, as in `chat`. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** The user's message as text, or a conversation so far. */
export type RunInput = string | readonly Message[];

/**
 * Runs an agent on one input, until the model answers or a limit is reached. A reply that its service has paused is sent
 * back, and goes on in the next step.
 * @param agent A class with `@Agent`, an instance of one, or a definition.
 * @param input A text is sent as the user's message. A conversation is continued: the open calls of its last assistant
 * message are run before the first chat.
 * @throws RunStoppedError (`aborted`, `budget-exceeded`, or `response-format` for a reply of which nothing or only a call without
 * a name arrived) with the report so far; InvalidOptionsError before the first request; otherwise what a chat or a hook threw,
 * if there is no `onError` or it returned undefined
 */
export async function runAgent(
  agent: AgentSource,
  input: RunInput,
  options: RunOptions = {},
): Promise<RunReport> {
  const definition = resolveAgent(agent);
  checkInput(input);
  requireRecord('options', options);
  checkSignal(options.signal);
  for (const name of ['onDelta', 'onProgress'] as const) checkType(name, options[name], 'function');
  return new AgentRun(definition, options).run(input);
}

/** @throws InvalidOptionsError */
function checkInput(input: unknown): void {
  if (typeof input === 'string') return;
  if (!Array.isArray(input) || input.length === 0)
    throw new InvalidOptionsError('input', 'must be a text, or a list of messages');
  checkMessages('input', input);
}

/** Whether a call was left out because it had no name, and no other call came. */
const hasNamelessCall = ({ toolCalls, exchange }: ChatTurn): boolean =>
  toolCalls.length === 0 && exchange.toolCalls.some(({ isNameless }) => isNameless);

class AgentRun {
  readonly #definition: AgentDefinition;
  readonly #hooks: AgentHooks;
  readonly #options: RunOptions;
  readonly #own: RunSignal;
  readonly #startedMs = performance.now();
  readonly #resumed: ToolResult[] = [];
  readonly #steps: AgentStep[] = [];
  #messages: Message[] = [];
  /** The error of the chat that failed. It has the attempts and the partial reply for the report of a stopped run. */
  #failedChat: ProviderError | undefined;
  /** Says which limit of the budget ended the run; undefined when none did. */
  #reachedLimit: string | undefined;

  constructor(definition: AgentDefinition, options: RunOptions) {
    this.#definition = definition;
    this.#hooks = definition.hooks ?? {};
    this.#options = options;
    this.#own = createRunSignal(options.signal);
  }

  async run(input: RunInput): Promise<RunReport> {
    const report = await this.#runSteps(input);
    if (this.#reachedLimit === undefined || this.#definition.budget?.mode !== 'throw') return report;
    const next = 'Raise the limit, or leave out the mode to get the report.';
    const explanation = { what: 'The run reached its budget.', why: this.#reachedLimit, next };
    throw new RunStoppedError('budget-exceeded', explanation, { report });
  }

  async #runSteps(input: RunInput): Promise<RunReport> {
    try {
      return await this.#takeSteps(input);
    } catch (error) {
      this.#own.abort();
      return await this.#fail(error);
    } finally {
      this.#own.release();
    }
  }

  async #takeSteps(input: RunInput): Promise<RunReport> {
    const { prompt, maxSteps = DEFAULT_MAX_STEPS } = this.#definition;
    const given = typeof input === 'string' ? [await this.#toUserMessage(input)] : [...input];
    this.#messages = [
      ...(prompt === undefined ? [] : [{ role: 'system' as const, content: prompt }]),
      ...given,
    ];
    await this.#answerOpenCalls();
    for (;;) {
      const step = await this.#takeStep();
      await this.#until(() => this.#hooks.onStep?.(step));
      if (!isPaused(step.turn)) {
        if (cameToNothing(step.turn)) throw this.#toEmpty(step.turn);
        if (hasNamelessCall(step.turn)) throw this.#toNameless();
        if (step.calls.length === 0) return this.#answer(step.turn.assistant.content);
      }
      this.#reachedLimit = this.#findReachedLimit();
      if (this.#reachedLimit !== undefined) return this.#toReport('budget');
      if (this.#steps.length >= maxSteps) return this.#toReport('max-steps');
    }
  }

  async #toUserMessage(input: string): Promise<Message> {
    const text: unknown = await this.#until(() => this.#hooks.beforePrompt?.(input));
    return { role: 'user', content: typeof text === 'string' ? text : input };
  }

  /** Runs the open calls of the given conversation, and adds their results to it. */
  async #answerOpenCalls(): Promise<void> {
    // A result may name its call only by the tool, as the local protocol does.
    this.#messages = linkToolResults(this.#messages);
    const open = findOpenCalls(this.#messages);
    if (open.length === 0) return;
    await this.#runCalls(open, this.#resumed);
    this.#messages = withAnswers(this.#messages, toAnswers(open, this.#resumed));
    await this.#until(() => this.#hooks.onResume?.([...this.#resumed]));
  }

  async #takeStep(): Promise<AgentStep> {
    const turn = await this.#chat();
    const step: AgentStep = { turn, calls: turn.toolCalls, results: [] };
    this.#steps.push(step);
    this.#messages.push(turn.assistant);
    await this.#runCalls(step.calls, step.results);
    // Pushed one by one: a function accepts about 120,000 arguments, and a step may have more calls than that.
    for (const answer of toAnswers(step.calls, step.results)) this.#messages.push(answer);
    return step;
  }

  async #chat(): Promise<ChatTurn> {
    const { provider, sampling } = this.#definition;
    const { onDelta, onProgress } = this.#options;
    const request = {
      tools: this.#offerTools(),
      messages: this.#messages,
      sampling,
      signal: this.#own.signal,
      onDelta,
      onProgress,
    };
    try {
      return await untilAborted(this.#own.signal, () => provider.chat(request), STOP_GRACE_MS);
    } catch (error) {
      if (error instanceof ProviderError) this.#failedChat = error;
      throw error;
    }
  }

  /** The results keep the order of the calls. On an abort, `results` gets those of the calls that had finished. */
  async #runCalls(calls: readonly ProviderToolCall[], results: ToolResult[]): Promise<void> {
    const { tools } = this.#definition;
    const finished: (ToolResult | undefined)[] = calls.map(() => undefined);
    const onResult = (result: ToolResult, index: number): void => void (finished[index] = result);
    try {
      await answerCalls(calls, { tools, hooks: this.#hooks, signal: this.#own.signal, onResult });
    } finally {
      for (const result of finished) if (result) results.push(result);
    }
  }

  async #answer(text: string): Promise<RunReport> {
    const replaced: unknown = await this.#until(() => this.#hooks.afterResponse?.(text));
    return this.#toReport('answer', typeof replaced === 'string' ? replaced : text);
  }

  #findReachedLimit(): string | undefined {
    const { budget } = this.#definition;
    const durationMs = performance.now() - this.#startedMs;
    return budget && findReachedLimit(budget, measureSpending(this.#steps, durationMs));
  }

  async #fail(error: unknown): Promise<RunReport> {
    if (error instanceof InvalidOptionsError && !this.#options.signal?.aborted) throw error;
    try {
      // The run's own signal has aborted by now, so only the caller's signal may end this wait.
      const output = await untilAborted(this.#options.signal, () => this.#hooks.onError?.(error));
      // Only a text makes up for an error: a callback that logs it may return anything.
      const given: unknown = output;
      if (typeof given === 'string') return this.#toReport('error', given);
    } catch (thrown) {
      throw this.#options.signal?.aborted ? this.#toAborted() : thrown;
    }
    throw error;
  }

  /** The error for a reply of which nothing arrived. It is no answer: the model wrote something that was lost. */
  #toEmpty({ usage }: ChatTurn): RunStoppedError {
    const explanation = {
      what: `The model wrote ${usage.completionTokens} tokens, but the reply is empty: no text and no call.`,
      why: 'The server may have dropped a tool call that it could not read, as Ollama does.',
      next: 'Look at the prompt that the template makes, ask the `/v1` side of the server, or choose another template.',
    };
    return new RunStoppedError('response-format', explanation, { report: this.#toReport('error') });
  }

  #toNameless(): RunStoppedError {
    const explanation = {
      what: 'The server sent a native call without a name.',
      why: 'Nobody can tell which tool it calls, so the reply is neither an answer nor a call that can be run.',
      next: 'Update the server, or set the parser and the chat template that fit the model.',
    };
    return new RunStoppedError('response-format', explanation, { report: this.#toReport('error') });
  }

  #toAborted(): RunStoppedError {
    const explanation = { what: 'The run was stopped.', why: 'The caller aborted it.', next: '' };
    const cause: unknown = this.#options.signal?.reason;
    return new RunStoppedError('aborted', explanation, {
      report: this.#toReport('error'),
      chat: this.#failedChat,
      cause,
    });
  }

  #toReport(stopReason: StopReason, output = this.#lastText()): RunReport {
    return toRunReport(this.#steps, {
      output,
      stopReason,
      failedAttempts: this.#failedChat?.attempts ?? 0,
      resumed: this.#resumed,
    });
  }

  #lastText(): string {
    return this.#steps.at(-1)?.turn.assistant.content ?? '';
  }

  /** Every wait of the run goes through here, so that an abort ends it at once. */
  #until<T>(work: () => T | Promise<T>): Promise<T> {
    return untilAborted(this.#own.signal, work);
  }

  /** The tools as the model gets them, without `execute`: a provider never runs tools. */
  #offerTools(): ToolType[] {
    const tools = this.#definition.tools ?? [];
    return tools.map(({ name, description, parameters, strict }) => ({
      name,
      description,
      parameters,
      ...(strict !== undefined && { strict }),
    }));
  }
}

/** Results go back under the names that the model used, even if a hook changed the call. */
function toAnswers(calls: readonly ProviderToolCall[], results: readonly ToolResult[]): Message[] {
  return results.map((result, index) => toAnswer(result, calls[index]?.name));
}
