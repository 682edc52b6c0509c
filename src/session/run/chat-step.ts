// One chat with everything around it: a connection that is opened, its turn at the gate, the reply as it comes, and a record
// of how it came out. Alone it only asks; as a step of an agent run it also has the calls answered. Knows no lane.
import { createRedactor, ProviderError, runAgent, RunStoppedError } from '../../library';
import type { AgentHooks, AgentTool, ChatOptions } from '../../library';
import type { DocumentLane, ErrorInfo, RunLimits, RunProgress } from '../../protocol';
import type { ChatTurn, Message, ToolResult } from '../../types';
import type { Clock, ConnectionSource, LogSink, OpenConnection } from '../ports';
import type { GateQueue, RequestGate } from '../request-gate';
import type { ResolvedTool } from '../tools/resolve-tools';
import { untilAborted } from '../wait-for';
import { LiveReply } from './live-reply';
import { ProgressFeed } from './progress-feed';
import { failedRecord, turnRecord } from './make-record';
import { formatRetry } from './retry-log';
import type { RunRecord } from './run-record';

export interface StepDesk {
  connections: ConnectionSource;
  gate: RequestGate;
  clock: Clock;
  log: LogSink;
}

export interface StepAsk {
  runId: string;
  lane: DocumentLane;
  /** '' is none. */
  system: string;
  messages: readonly Message[];
  /** Those that are offered. */
  tools: readonly ResolvedTool[];
  /** Calls of replies since the question: they make an answer of what else would be no call. */
  callsBefore: { count: number; rescued: number };
  signal: AbortSignal;
  /** Right before the request. */
  onBegin: () => void;
  /** `undefined` when it is its turn. */
  onQueue: (queue: GateQueue | undefined) => void;
  /** A piece of the reply came, or another phase began; how long the piece is. */
  onNews: (length: number) => void;
  /** Set for a step of an agent run. */
  agent?: AgentPart | undefined;
}

export interface AgentPart {
  tools: readonly AgentTool[];
  /** What a mock answered takes the place of the library's words about it. */
  afterTool: NonNullable<AgentHooks['afterTool']>;
  /** The reply, before its calls are answered. */
  onReply: (record: RunRecord) => void;
  /** Once calls that were left open are answered: may wait, and say what the conversation then is. */
  beforeChat?: (() => Promise<Message[]>) | undefined;
  /** Whether a cost is to be held, which needs rates. */
  maxCostUsd: number | undefined;
}

export interface StepResult {
  record: RunRecord;
  /** Of the calls of the reply, in their order. */
  results: readonly ToolResult[];
  /** It was stopped while its calls were answered; the reply is whole. */
  isStopped: boolean;
  hasRates: boolean;
}

export class ChatStep {
  readonly #desk: StepDesk;
  readonly #ask: StepAsk;
  readonly #startedAt: number;
  readonly #startMs: number;
  #connection: OpenConnection | undefined;
  #feed: ProgressFeed | undefined;
  #record: RunRecord | undefined;

  constructor(desk: StepDesk, ask: StepAsk) {
    this.#desk = desk;
    this.#ask = ask;
    this.#startedAt = desk.clock.now();
    this.#startMs = desk.clock.elapsed();
  }

  /** Where the chat stands; undefined before its request, and after its end. */
  view(): RunProgress | undefined {
    return this.#record ? undefined : this.#feed?.view();
  }

  /** Never rejects: whatever happens is a record. */
  async run(): Promise<StepResult> {
    try {
      const connection = await this.#open();
      const results = this.#ask.agent
        ? await this.#takeAgentStep(connection, this.#ask.agent)
        : await this.#chatAlone(connection);
      return this.#toResult(results, false);
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #open(): Promise<OpenConnection> {
    const { lane, runId, signal, onNews } = this.#ask;
    const { connections, clock, log } = this.#desk;
    const opening = connections.open({
      connectionId: lane.connection,
      model: lane.model,
      rescueToolCalls: lane.rescueToolCalls,
      raw: toRaw(lane),
      onRetry: (info) => log.warn(formatRetry(this.#connection?.view.label ?? lane.connection, info)),
    });
    const { view, ...opened } = await untilAborted(signal, opening);
    const connection = { view, ...opened };
    this.#connection = connection;
    const { secrets } = opened;
    const reply = new LiveReply({ secrets, mask: createRedactor(secrets).value });
    this.#feed = new ProgressFeed({ runId, reply, clock, onNews });
    log.info(`${view.label}: run started, model ${opened.model}, tools offered: ${this.#ask.tools.length}`);
    return connection;
  }

  async #chatAlone(connection: OpenConnection): Promise<[]> {
    const { messages, tools, lane } = this.#ask;
    await this.#chat(connection, {
      tools: tools.map(({ tool: { name, description, parameters } }) => ({ name, description, parameters })),
      messages: [...this.#prompt(), ...messages],
      sampling: lane.sampling,
    });
    return [];
  }

  #prompt(): Message[] {
    const { system } = this.#ask;
    return system.trim() === '' ? [] : [{ role: 'system', content: system }];
  }

  async #takeAgentStep(connection: OpenConnection, agent: AgentPart): Promise<readonly ToolResult[]> {
    const { messages, lane, signal } = this.#ask;
    const { provider } = connection;
    const prompt = this.#prompt();
    const report = await runAgent(
      {
        provider: {
          hasRates: provider.hasRates,
          chat: async (request) => {
            const changed = await agent.beforeChat?.();
            const own = changed && { messages: [...prompt, ...changed] };
            const turn = await this.#chat(connection, { ...request, ...own });
            if (this.#record) agent.onReply(this.#record);
            // a key that the model repeats reaches no tool and no words about its call
            return { ...turn, ...this.#record?.turn };
          },
        },
        sampling: lane.sampling,
        tools: agent.tools,
        ...(prompt[0] && { prompt: prompt[0].content }),
        maxSteps: 1,
        budget: agent.maxCostUsd === undefined ? undefined : { maxCostUsd: agent.maxCostUsd },
        hooks: { afterTool: agent.afterTool },
      },
      messages,
      { signal },
    );
    return report.steps[0]?.results ?? [];
  }

  async #chat(connection: OpenConnection, request: ChatOptions): Promise<ChatTurn> {
    const { signal, onBegin, onQueue } = this.#ask;
    const feed = this.#feed;
    onBegin();
    const turn = await this.#desk.gate.run(
      connection.gate,
      () => {
        onQueue(undefined);
        return connection.provider.chat({
          ...request,
          signal,
          onDelta: feed?.addDelta,
          onProgress: feed?.setPhase,
        });
      },
      { signal, onQueue },
    );
    this.#record = turnRecord(this.#describe(), turn, {
      tools: this.#ask.tools,
      provider: connection.view.provider,
      callsBefore: this.#ask.callsBefore,
      secrets: connection.secrets,
    });
    const { verdict } = this.#record;
    this.#desk.log.info(
      `${connection.view.label}: ${verdict.kind}, ${verdict.detail}, attempts ${turn.attempts}`,
    );
    return turn;
  }

  async #fail(error: unknown): Promise<StepResult> {
    if (this.#record) {
      const results = error instanceof RunStoppedError ? (error.report.steps[0]?.results ?? []) : [];
      return this.#toResult(results, true);
    }
    const secrets = this.#connection?.secrets ?? [];
    const isChat = error instanceof ProviderError && !(error instanceof RunStoppedError);
    const isStopped = this.#ask.signal.aborted;
    this.#record = failedRecord(this.#describe(), {
      info: isStopped ? STOPPED : await this.#desk.connections.explain(error, this.#ask.lane.connection),
      isStopped,
      ledger: isChat ? error.ledger : (this.#feed?.ledger ?? []),
      live: this.#feed?.partial,
      partial: isChat ? error.partial : undefined,
      secrets,
    });
    const label = this.#connection?.view.label ?? this.#ask.lane.connection;
    this.#desk.log.info(`${label}: the run ${this.#record.verdict.kind}, ${this.#record.error?.code}`);
    return this.#toResult([], isStopped);
  }

  #toResult(results: readonly ToolResult[], isStopped: boolean): StepResult {
    if (!this.#record) throw new Error('A chat came to an end without a record.');
    return {
      record: this.#record,
      results,
      isStopped,
      hasRates: this.#connection?.provider.hasRates ?? false,
    };
  }

  #describe() {
    const { runId, lane } = this.#ask;
    const view = this.#connection?.view;
    const firstTokenMs = this.#feed?.firstTokenMs;
    const limits: RunLimits | undefined = view?.limits;
    return {
      runId,
      connectionId: lane.connection,
      connectionLabel: view?.label ?? lane.connection,
      model: this.#connection?.model ?? lane.model ?? '',
      ...(limits && { limits }),
      startedAt: this.#startedAt,
      durationMs: Math.max(0, Math.round(this.#desk.clock.elapsed() - this.#startMs)),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    };
  }
}

const STOPPED: ErrorInfo = {
  code: 'aborted',
  title: 'Stopped',
  what: 'The run was stopped.',
  why: 'Stop was pressed, or the playground was closed.',
  next: 'Run again.',
};

/** The choice of a tool is a key of the request where the back end has it; what `raw` says counts more. */
function toRaw({ raw, toolChoice }: DocumentLane): Record<string, unknown> | undefined {
  if (toolChoice === undefined) return raw;
  const choice =
    typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: { name: toolChoice.tool } };
  return { tool_choice: choice, ...raw };
}
