// An agent run: chats and tool results in turn, until the model answers, a limit is reached or the person stops it. In step
// mode it waits for the person after each step. Each step sends the conversation as it is at that moment. Knows of the
// conversation only the sink.
import { t } from '@vscode/l10n';
import {
  cameToNothing,
  checkBudget,
  findReachedLimit,
  isPaused,
  measureSpending,
  sumKnown,
  sumUsage,
} from '../../library';
import type { Spending } from '../../library';
import { DEFAULT_STEPS } from '../../protocol';
import type { AgentEnding } from '../../protocol';
import type { Message } from '../../types';
import type { OpenConnection, ToolSource } from '../ports';
import type { RunItem, ToolAnswer } from '../conversation/transcript';
import { callsBefore, callsOf, hasOpenCalls, toMessages } from '../conversation/transcript';
import { CallAnswers } from './answer-calls';
import type { StepServices } from './chat-step';
import { ChatStep } from './chat-step';
import type { RecordedTurn, RunRecord } from './record/run-record';
import type { RunSink } from './run-sink';
import type { OpenRun, Setup } from './setup';
import { StopWatch } from './stop-watch';

/** A reply without calls is the answer, unless its call was lost on the way. */
function judgeEnd(turn: RecordedTurn): [reason: 'answer' | 'error', message?: string] {
  if (turn.exchange.toolCalls.some(({ isNameless }) => isNameless))
    return ['error', t('The server sent a tool call without a name.')];
  if (cameToNothing(turn)) return ['error', t('The model wrote tokens, but the reply is empty.')];
  return ['answer'];
}

export interface AgentRequest {
  agentRunId: string;
  opened: OpenRun;
  isStepMode: boolean;
  signal: AbortSignal;
  /** Lets requests go first that a person waits for. @default false */
  isBackground?: boolean | undefined;
  /** Waits for the person's result of a tool call. Rejects when the signal aborts. */
  ask: (runId: string, callIndex: number, signal: AbortSignal) => Promise<ToolAnswer>;
  /**
   * Waits for the person after a step. @returns whether the run continues in step mode
   * @param say Called with a message that the person wants sent before the next step.
   */
  pause: (signal: AbortSignal, say: (text: string) => void) => Promise<boolean>;
}

export interface AgentServices extends StepServices {
  tools: ToolSource;
}

export class AgentRun {
  readonly #services: AgentServices;
  readonly #sink: RunSink;
  readonly #request: AgentRequest;
  readonly #setup: Setup;
  readonly #answers: CallAnswers;
  readonly #watch: StopWatch;
  readonly #records: RunRecord[] = [];
  readonly #given: { run: RunItem; index: number; answer: ToolAnswer }[] = [];
  #isStepMode: boolean;

  constructor(services: AgentServices, sink: RunSink, request: AgentRequest) {
    this.#services = services;
    this.#sink = sink;
    this.#request = request;
    this.#isStepMode = request.isStepMode;
    this.#watch = new StopWatch(services.clock);
    this.#setup = request.opened.setup;
    this.#answers = new CallAnswers(services, this.#setup.tools);
  }

  /** Never rejects: a failure ends the run and is shown in the conversation. */
  async run(): Promise<AgentEnding> {
    const ending = await this.#runSteps();
    const last = this.#records.at(-1)?.runId;
    if (last !== undefined) this.#sink.setEnding(last, ending);
    return ending;
  }

  async #runSteps(): Promise<AgentEnding> {
    const { limits } = this.#setup;
    const { maxSteps = DEFAULT_STEPS } = limits;
    for (let number = 1; ; number++) {
      const { turn, verdict } = await this.#chat(number, maxSteps);
      if (verdict.kind === 'stopped') return this.#toEnding('stopped');
      if (!turn) return this.#toEnding('error');
      if (turn.toolCalls.length === 0 && !isPaused(turn)) {
        const [reason, message] = judgeEnd(turn);
        return this.#toEnding(reason, message);
      }
      try {
        await this.#answerOpenCalls();
      } catch {
        return this.#toEnding('stopped');
      }
      const reached = findReachedLimit(limits, this.#measure());
      if (reached !== undefined) return this.#toEnding('budget', reached);
      if (number >= maxSteps) return this.#toEnding('max-steps');
      if (this.#isStepMode && !(await this.#pause())) return this.#toEnding('stopped');
    }
  }

  async #chat(number: number, maxSteps: number): Promise<RunRecord> {
    const { agentRunId, opened, signal, isBackground } = this.#request;
    const { connection, model } = this.#setup;
    const runId = `${agentRunId}/${number}`;
    const { now } = this.#services.clock;
    this.#sink.changeRun({ runId, phase: 'running', since: now(), step: number, maxSteps });
    const step = new ChatStep(this.#services, this.#sink, {
      runId,
      begun: { connectionId: connection.id, model, step: { agentRunId, number } },
      opened,
      messages: (open) => this.#toSend(open),
      callsBefore: callsBefore(this.#sink.items, agentRunId),
      signal,
      isBackground,
    });
    const record = await step.run();
    this.#records.push(record);
    return record;
  }

  async #toSend({ provider }: OpenConnection): Promise<Message[]> {
    checkBudget({ maxCostUsd: this.#setup.limits.maxCostUsd }, provider.hasRates);
    if (hasOpenCalls(this.#sink.items)) {
      await this.#answerOpenCalls();
      // The person sees the results before the model does.
      if (this.#isStepMode && !(await this.#pause())) this.#request.signal.throwIfAborted();
    }
    return toMessages(this.#sink.items);
  }

  /** Answers the calls of the last reply that have no result yet. Rejects when the run is stopped. */
  async #answerOpenCalls(): Promise<void> {
    const run = this.#sink.items.at(-1);
    if (run?.kind !== 'run') return;
    const open = callsOf(run).flatMap((call, index) => (run.results.has(index) ? [] : [{ call, index }]));
    if (open.length === 0) return;
    this.#sink.changeRun({ phase: 'answering' });
    const indexOf = (at: number): number => open[at]?.index ?? at;
    await this.#answers.answer({
      calls: open.map(({ call }) => call),
      signal: this.#request.signal,
      ask: (at) => this.#askPerson(run.id, indexOf(at)),
      onAnswer: (at, answer) => {
        this.#given.push({ run, index: indexOf(at), answer });
        this.#sink.setResult(run.id, indexOf(at), answer);
      },
    });
  }

  /** @returns false when the run was stopped while it was paused */
  async #pause(): Promise<boolean> {
    const { pause, signal } = this.#request;
    const { now } = this.#services.clock;
    this.#sink.changeRun({ phase: 'paused', since: now() });
    const say = (content: string): void => this.#sink.addMessage({ role: 'user', content });
    try {
      this.#isStepMode = await this.#watch.pauseFor(pause(signal, say));
      this.#sink.changeRun({ phase: 'running', since: now(), isStepMode: this.#isStepMode });
      return true;
    } catch {
      return false;
    }
  }

  async #askPerson(runId: string, index: number): Promise<ToolAnswer> {
    const { ask, signal } = this.#request;
    this.#sink.setAsked(runId, index, true);
    try {
      return await this.#watch.pauseFor(ask(runId, index, signal));
    } catch (error) {
      // The run was stopped, so nobody waits for this result any more.
      this.#sink.setAsked(runId, index, false);
      throw error;
    }
  }

  get #turns(): RecordedTurn[] {
    return this.#records.flatMap(({ turn }) => turn ?? []);
  }

  #measure(): Spending {
    const steps = this.#turns.map((turn) => ({ turn, calls: turn.toolCalls }));
    // Calls that an earlier reply left open count too.
    return { ...measureSpending(steps, this.#watch.elapsed()), toolCalls: this.#given.length };
  }

  /** Calls of its steps, and those that an earlier reply left open and that it has answered. */
  #countRescued(): number {
    const calls = this.#turns.flatMap(({ toolCalls }) => toolCalls);
    const given = this.#given.map(({ run, index }) => callsOf(run)[index]);
    return new Set([...calls, ...given].filter((call) => call?.source === 'rescued')).size;
  }

  #toEnding(stopReason: AgentEnding['stopReason'], detail?: string): AgentEnding {
    const turns = this.#turns;
    const costUsd = sumKnown(turns.map(({ usage }) => usage.costUsd));
    // The result as it was sent: the person may have changed it between two steps.
    const sent = this.#given.map(({ run, index, answer }) => run.results.get(index) ?? answer);
    return {
      stopReason,
      steps: this.#records.length,
      answered: sent.length,
      errors: sent.filter(({ isError }) => isError).length,
      rescued: this.#countRescued(),
      usage: sumUsage(turns.map(({ usage }) => usage)),
      ...(costUsd !== undefined && { costUsd }),
      durationMs: Math.round(this.#watch.elapsed()),
      ...(detail !== undefined && { detail }),
    };
  }
}
