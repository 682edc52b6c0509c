// The loop of an agent: chat, run what was asked for, tell the model, until it answers or a limit is reached.
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
import { cameToNothing } from '../usage/came-to-nothing';
import { untilAborted } from '../util/abort';
import type { AgentDefinition, AgentSource } from './agent';
import { resolveAgent } from './agent';
import { findReachedLimit, measureSpending } from './budget';
import { executeTool } from './execute-tool';
import type { AgentHooks } from './hooks';
import { findOpenCalls, toAnswer, withAnswers } from './open-calls';
import { RunStoppedError, toRunReport } from './report';
import type { RunSignal } from './run-signal';
import { createRunSignal } from './run-signal';

const DEFAULT_MAX_STEPS = 10;
/** How long a chat may take to say how far it came once it is stopped, in milliseconds. A provider takes half of it at most. */
const STOP_GRACE_MS = 200;

/** What one run is given beside its agent and its input. */
export interface RunOptions {
  /** Ends the run at once: the chat and the tools under way get it, and nothing is waited for. */
  signal?: AbortSignal | undefined;
  /** Takes each reply while it arrives, as `chat` does; the chats follow each other, so pieces never mix. */
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Told at each change of phase of a chat. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** A text, or the conversation so far. */
export type RunInput = string | readonly Message[];

/**
 * Runs an agent on one input, until the model answers or a limit is reached.
 * @param agent A class with `@Agent`, an instance of one, or a definition.
 * @param input A text is sent as the user's message. A conversation is gone on with: calls that its last assistant
 * message left open are run first, then the model is asked.
 * @throws RunStoppedError (`aborted`, `budget-exceeded`, `response-format` for a reply of which nothing arrived) with the
 * report so far; InvalidOptionsError before the first
 * request; what a chat or a hook threw, when there is no `onError` or it returned undefined.
 */
export async function runAgent(
  agent: AgentSource,
  input: RunInput,
  options: RunOptions = {},
): Promise<RunReport> {
  const definition = resolveAgent(agent);
  if (input.length === 0 && typeof input !== 'string') {
    throw new InvalidOptionsError('input', 'must hold a message');
  }
  return new AgentRun(definition, options).run(input);
}

class AgentRun {
  readonly #definition: AgentDefinition;
  readonly #hooks: AgentHooks;
  readonly #options: RunOptions;
  readonly #own: RunSignal;
  readonly #startedMs = performance.now();
  readonly #resumed: ToolResult[] = [];
  readonly #steps: AgentStep[] = [];
  #messages: Message[] = [];
  /** What the last chat threw: how far it came is part of what a stopped run tells. */
  #failedChat: ProviderError | undefined;
  /** What ended the run, once its budget did. */
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
      if (cameToNothing(step.turn)) throw this.#toEmpty(step.turn);
      if (step.calls.length === 0) return this.#answer(step.turn.assistant.content);
      this.#reachedLimit = this.#findReachedLimit();
      if (this.#reachedLimit !== undefined) return this.#toReport('budget');
      if (this.#steps.length >= maxSteps) return this.#toReport('max-steps');
    }
  }

  async #toUserMessage(input: string): Promise<Message> {
    const text = await this.#until(() => this.#hooks.beforePrompt?.(input));
    return { role: 'user', content: text ?? input };
  }

  /** What a conversation that is gone on with still owes the model. */
  async #answerOpenCalls(): Promise<void> {
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
    // one by one: a function takes some 120,000 arguments, and a step may have more calls
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

  /** All at once; the results keep the order of the calls. Those that an abort leaves are in `results`, too. */
  async #runCalls(calls: readonly ProviderToolCall[], results: ToolResult[]): Promise<void> {
    const services = {
      tools: this.#definition.tools ?? [],
      hooks: this.#hooks,
      signal: this.#own.signal,
    };
    const finished: (ToolResult | undefined)[] = calls.map(() => undefined);
    const run = async (call: ProviderToolCall, index: number): Promise<void> => {
      const result = await executeTool(call, services);
      finished[index] = result;
    };
    try {
      await Promise.all(calls.map(run));
    } finally {
      for (const result of finished) if (result) results.push(result);
    }
  }

  async #answer(text: string): Promise<RunReport> {
    const replaced = await this.#until(() => this.#hooks.afterResponse?.(text));
    return this.#toReport('answer', replaced ?? text);
  }

  #findReachedLimit(): string | undefined {
    const { budget } = this.#definition;
    const durationMs = performance.now() - this.#startedMs;
    return budget && findReachedLimit(budget, measureSpending(this.#steps, durationMs));
  }

  async #fail(error: unknown): Promise<RunReport> {
    try {
      // the run's own signal has aborted by now: only the caller's may end this wait
      const output = await untilAborted(this.#options.signal, () => this.#hooks.onError?.(error));
      if (output !== undefined) return this.#toReport('error', output);
    } catch (thrown) {
      throw this.#options.signal?.aborted ? this.#toAborted() : thrown;
    }
    throw error;
  }

  /** Not an answer: the model wrote something, and it is lost. */
  #toEmpty({ usage }: ChatTurn): RunStoppedError {
    const explanation = {
      what: `The model wrote ${usage.completionTokens} tokens, and nothing of them came: no text and no call.`,
      why: 'The server may have left out a tool call that it could not read, as Ollama does.',
      next: 'Look at the prompt that the template makes, ask the `/v1` side of the server, or choose another template.',
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

  /** A run is never ahead of its abort: each wait of it ends there. */
  #until<T>(work: () => T | Promise<T>): Promise<T> {
    return untilAborted(this.#own.signal, work);
  }

  /** What the model is told of the tools: a provider never runs them. */
  #offerTools(): ToolType[] {
    const tools = this.#definition.tools ?? [];
    return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  }
}

/** The name that the model used, whatever a hook made of it. */
function toAnswers(calls: readonly ProviderToolCall[], results: readonly ToolResult[]): Message[] {
  return results.map((result, index) => toAnswer(result, calls[index]?.name));
}
