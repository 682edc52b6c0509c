// An agent run in a lane: chats and tool results in turn, until the model answers, a limit is reached or the person stops
// it. In step mode it waits for the person after each step. Each step sends the conversation as it is at that moment.
import { t } from '@vscode/l10n';
import { cameToNothing, findReachedLimit } from '../../library';
import type { Spending, ToolContext } from '../../library';
import type { AgentEnding, DocumentLane } from '../../protocol';
import type { Message, TokenUsage } from '../../types';
import type { Lane } from '../lane';
import type { ToolSource } from '../ports';
import type { ResolvedTool } from '../tools/resolve-tools';
import type { RunItem, ToolAnswer } from '../transcript';
import { StopWatch } from './stop-watch';
import { callsBefore, hasOpenCalls, toMessages } from '../transcript';
import { CallAnswers } from './answer-calls';
import { CallPlaces } from './call-places';
import type { StepServices, StepResult } from './chat-step';
import { takeStep } from './take-step';

const DEFAULT_MAX_STEPS = 10;
const emptyReplyMessage = (): string => t('The model wrote tokens, but the reply is empty.');

export interface AgentRequest {
  agentRunId: string;
  lane: DocumentLane;
  system: string;
  tools: readonly ResolvedTool[];
  /** Names of the document's tools that are not offered. */
  idleTools: readonly string[];
  isStepMode: boolean;
  signal: AbortSignal;
  /** Waits for the person's result of a tool call. Rejects when the signal aborts. */
  ask: (runId: string, callIndex: number, signal: AbortSignal) => Promise<ToolAnswer>;
  /** Waits for the person after a step. @returns whether the run continues in step mode */
  pause: (signal: AbortSignal) => Promise<boolean>;
}

interface CallPlace {
  item: RunItem;
  index: number;
}

export interface AgentServices extends StepServices {
  tools: ToolSource;
}

export class AgentRun {
  readonly #lane: Lane;
  readonly #services: AgentServices;
  readonly #request: AgentRequest;
  readonly #answers: CallAnswers;
  readonly #places = new CallPlaces();
  /** Where each call stands, from the moment at which it begins. */
  readonly #placeByCall = new WeakMap<ToolContext, CallPlace | undefined>();
  readonly #watch: StopWatch;
  readonly #steps: StepResult[] = [];
  readonly #given: { answer: ToolAnswer; place: CallPlace | undefined }[] = [];
  #isStepMode: boolean;

  constructor(lane: Lane, services: AgentServices, request: AgentRequest) {
    this.#lane = lane;
    this.#services = services;
    this.#request = request;
    this.#isStepMode = request.isStepMode;
    this.#watch = new StopWatch(services.clock);
    this.#answers = new CallAnswers({
      tools: services.tools,
      clock: services.clock,
      ask: (call) => this.#askPerson(call),
      onAnswer: (call, answer) => this.#setAnswer(call, answer),
    });
  }

  /** Never rejects: a failure ends the run and is shown in the conversation. */
  async run(): Promise<AgentEnding> {
    const ending = await this.#runSteps();
    const last = this.#steps.at(-1)?.record.runId;
    if (last !== undefined) this.#lane.setEnding(last, ending);
    return ending;
  }

  async #runSteps(): Promise<AgentEnding> {
    const { maxSteps = DEFAULT_MAX_STEPS } = this.#request.lane.limits;
    for (let number = 1; ; number++) {
      const step = await this.#takeStep(number, maxSteps);
      this.#steps.push(step);
      const { kind } = step.record.verdict;
      if (kind === 'stopped' || step.isStopped) return this.#toEnding('stopped');
      if (kind === 'failed') return this.#toEnding('error');
      const { turn } = step.record;
      if (turn && cameToNothing(turn)) return this.#toEnding('error', emptyReplyMessage());
      if ((turn?.toolCalls.length ?? 0) === 0) return this.#toEnding('answer');
      const reached = findReachedLimit(this.#request.lane.limits, this.#measure());
      if (reached !== undefined) return this.#toEnding('budget', reached);
      if (number >= maxSteps) return this.#toEnding('max-steps');
      if (this.#isStepMode && !(await this.#pause())) return this.#toEnding('stopped');
    }
  }

  #takeStep(number: number, maxSteps: number): Promise<StepResult> {
    const { agentRunId, lane, system, tools, idleTools, signal } = this.#request;
    const runId = `${agentRunId}/${number}`;
    const { now } = this.#services.clock;
    this.#lane.changeRun({ runId, phase: 'running', since: now(), step: number, maxSteps });
    return takeStep(this.#lane, this.#services, {
      runId,
      step: { agentRunId, number },
      lane,
      system,
      messages: toMessages(this.#lane.items, true),
      tools,
      idleTools,
      callsBefore: callsBefore(this.#lane.items, agentRunId),
      signal,
      agent: {
        tools: this.#answers.toAgentTools(tools),
        beforeTool: (_call, context) => void this.#placeOf(context),
        afterTool: this.#answers.afterTool,
        beforeChat:
          this.#isStepMode && hasOpenCalls(this.#lane.items) ? () => this.#pauseBeforeChat() : undefined,
        maxCostUsd: lane.limits.maxCostUsd,
      },
    });
  }

  /**
   * Runs once the calls that an earlier reply left open have results, so that the person sees those before the model does.
   */
  async #pauseBeforeChat(): Promise<Message[]> {
    if (!(await this.#pause())) this.#request.signal.throwIfAborted();
    this.#lane.changeRun({ phase: 'running', since: this.#services.clock.now() });
    return toMessages(this.#lane.items);
  }

  /** @returns false when the run was stopped while it was paused */
  async #pause(): Promise<boolean> {
    this.#lane.changeRun({ phase: 'paused', since: this.#services.clock.now() });
    try {
      this.#isStepMode = await this.#watch.pauseFor(this.#request.pause(this.#request.signal));
      this.#lane.changeRun({ isStepMode: this.#isStepMode });
      return true;
    } catch {
      return false;
    }
  }

  async #askPerson(call: ToolContext): Promise<ToolAnswer> {
    const place = this.#placeOf(call);
    if (!place) throw new Error('The call is no longer part of the conversation.');
    const { item, index } = place;
    this.#lane.setAsked(item.id, index, true);
    try {
      return await this.#watch.pauseFor(this.#request.ask(item.id, index, call.signal));
    } catch (error) {
      // The run was stopped, so nobody waits for this result any more.
      this.#lane.setAsked(item.id, index, false);
      throw error;
    }
  }

  #setAnswer(call: ToolContext, answer: ToolAnswer): void {
    const place = this.#placeOf(call);
    this.#given.push({ answer, place });
    if (place) this.#lane.setResult(place.item.id, place.index, answer);
  }

  /** Uses the result as it was sent: the person may have changed it between two steps. */
  #isError({ answer, place }: { answer: ToolAnswer; place: CallPlace | undefined }): boolean {
    return (place?.item.results.get(place.index) ?? answer).isError;
  }

  #placeOf(call: ToolContext): CallPlace | undefined {
    if (!this.#placeByCall.has(call)) this.#placeByCall.set(call, this.#takePlace(call.callId));
    return this.#placeByCall.get(call);
  }

  /** Takes a call with this id, of the latest reply that has one: a later reply may use the same id again. */
  #takePlace(callId: string): CallPlace | undefined {
    const { items } = this.#lane;
    for (let at = items.length - 1; at >= 0; at--) {
      const item = items[at];
      const index = item?.kind === 'run' ? this.#places.take(item, callId) : undefined;
      if (item?.kind === 'run' && index !== undefined) return { item, index };
    }
    return undefined;
  }

  #measure(): Spending {
    const usages = this.#steps.map(({ record }) => record.turn?.usage ?? {});
    return {
      costUsd: sumAll(usages.map(({ costUsd }) => costUsd)),
      tokens: sumAll(
        usages.map(({ promptTokens, completionTokens }) => addKnown(promptTokens, completionTokens)),
      ),
      chatCalls: this.#steps.length,
      toolCalls: this.#given.length,
      durationMs: this.#watch.elapsed(),
    };
  }

  #toEnding(stopReason: AgentEnding['stopReason'], detail?: string): AgentEnding {
    const turns = this.#steps.flatMap(({ record }) => record.turn ?? []);
    const costs = turns.map(({ usage }) => usage.costUsd).filter((cost) => cost !== undefined);
    return {
      stopReason,
      steps: this.#steps.length,
      answered: this.#given.length,
      errors: this.#given.filter((given) => this.#isError(given)).length,
      rescued: turns.flatMap(({ toolCalls }) => toolCalls).filter(({ source }) => source === 'rescued')
        .length,
      usage: sumUsage(turns.map(({ usage }) => usage)),
      ...(costs.length > 0 && { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
      durationMs: Math.round(this.#watch.elapsed()),
      ...(detail !== undefined && { detail }),
    };
  }
}

/** Sums each count over the usages that have it. A count that no usage has is absent. */
function sumUsage(usages: readonly TokenUsage[]): TokenUsage {
  const keys = ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const known = usages.map((usage) => usage[key]).filter((count) => count !== undefined);
      return known.length > 0 ? [[key, known.reduce((sum, count) => sum + count, 0)]] : [];
    }),
  );
}

/** @returns undefined as soon as one value is unknown, because a limit cannot be checked against a partial sum */
function sumAll(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  );
}

const addKnown = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
