// One chat from opening the connection, through waiting at the request gate and receiving the reply, to the record of its
// outcome. As a step of an agent run it also has the calls of the reply answered. Independent of lanes.
import { t } from '@vscode/l10n';
import { createRedactor, ProviderError, runAgent, RunStoppedError } from '../../library';
import type { AgentHooks, AgentTool, ChatOptions, ObservedAttempt } from '../../library';
import type {
  ConnectionView,
  DocumentLane,
  ErrorInfo,
  RunLimits,
  RunProgress,
  ToolChoice,
} from '../../protocol';
import type { RunSetting } from '../../inspect';
import type { ChatTurn, Message, ToolResult } from '../../types';
import type { Clock, ConnectionSource, LogSink, OpenConnection } from '../ports';
import { refuse } from '../refusal';
import type { GateQueue, RequestGate } from '../request-gate';
import type { ResolvedTool } from '../tools/resolve-tools';
import { untilAborted } from '../wait-for';
import { LiveReply } from './live-reply';
import { ProgressFeed } from './progress-feed';
import { failedRecord, turnRecord } from './make-record';
import { knownSampling, toRunSetting } from './run-setting';
import { formatRetry } from './retry-log';
import type { RunRecord } from './run-record';
import type { ObservedRun, WireRecord } from './wire-record';
import { toWireRecord } from './wire-record';

export interface StepServices {
  connections: ConnectionSource;
  gate: RequestGate;
  clock: Clock;
  log: LogSink;
  /** The connections that have been loaded so far. */
  knownConnections: () => readonly ConnectionView[];
}

export interface StepRequest {
  runId: string;
  lane: DocumentLane;
  /** '' means no system prompt. */
  system: string;
  messages: readonly Message[];
  /** The tools that are offered to the model. */
  tools: readonly ResolvedTool[];
  /** Names of the tools that are not offered. */
  idleTools: readonly string[];
  /** Calls in earlier replies to the same question. If there are any, a reply without calls counts as the answer. */
  callsBefore: { count: number; rescued: number };
  /** Sent byte for byte in place of the body that the other fields would give. */
  body?: string | undefined;
  signal: AbortSignal;
  /** Called right before the request goes out. */
  onBegin: () => void;
  /** Called with the position in the queue, and with undefined when the request's turn has come. */
  onQueue: (queue: GateQueue | undefined) => void;
  /** Called when a piece of the reply has arrived or the phase has changed. `length` is that of the piece, 0 for a phase. */
  onProgressChange: (length: number) => void;
  /** Present for a step of an agent run. */
  agent?: AgentPart | undefined;
}

export interface AgentPart {
  tools: readonly AgentTool[];
  /** Called for each call, in the order of the reply, before any of them is answered. */
  beforeTool: NonNullable<AgentHooks['beforeTool']>;
  /** Replaces the library's text of a result by what the mock answered. */
  afterTool: NonNullable<AgentHooks['afterTool']>;
  /** Called with the reply before its calls are answered. */
  onReply: (record: RunRecord, wire: WireRecord | undefined) => void;
  /** Called once open calls of an earlier reply are answered. May wait; returns the conversation to send. */
  beforeChat?: (() => Promise<Message[]>) | undefined;
  /** Maximum cost in US dollars, if one is set; enforcing it needs rates. */
  maxCostUsd: number | undefined;
}

export interface StepResult {
  record: RunRecord;
  /** Absent when no request was sent. */
  wire?: WireRecord | undefined;
  /** Results of the calls of the reply, in the order of the calls. */
  results: readonly ToolResult[];
  /** The run was stopped while the calls were answered; the reply itself is complete. */
  isStopped: boolean;
  hasRates: boolean;
}

export class ChatStep {
  readonly #services: StepServices;
  readonly #request: StepRequest;
  /** When the request left the queue: waiting for other requests is not time that the model needed. */
  #startedAt: number;
  /** Undefined until then. */
  #startMs: number | undefined;
  #connection: OpenConnection | undefined;
  #feed: ProgressFeed | undefined;
  #record: RunRecord | undefined;
  readonly #attempts: ObservedAttempt[] = [];
  #wire: WireRecord | undefined;

  constructor(services: StepServices, request: StepRequest) {
    this.#services = services;
    this.#request = request;
    this.#startedAt = services.clock.now();
  }

  /** The progress of the chat; undefined before its request and after its end. */
  view(): RunProgress | undefined {
    return this.#record ? undefined : this.#feed?.view();
  }

  /** Never rejects: every failure becomes a record. */
  async run(): Promise<StepResult> {
    try {
      const connection = await this.#open();
      const results = this.#request.agent
        ? await this.#takeAgentStep(connection, this.#request.agent)
        : await this.#chatAlone(connection);
      return this.#toResult(results, false);
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #open(): Promise<OpenConnection> {
    const { lane, runId, signal, onProgressChange } = this.#request;
    const { connections, clock, log } = this.#services;
    const opening = connections.open({
      connectionId: lane.connection,
      model: lane.model,
      rescueToolCalls: lane.rescueToolCalls,
      raw: lane.raw,
      toolChoice: this.#toolChoice(),
      onRetry: (info) => log.warn(formatRetry(this.#connection?.view.label ?? lane.connection, info)),
    });
    const { view, ...opened } = await untilAborted(signal, opening);
    const connection = { view, ...opened };
    this.#connection = connection;
    const { secrets } = opened;
    const { value: mask, held } = createRedactor(secrets);
    const reply = new LiveReply({ secrets, mask, held });
    this.#feed = new ProgressFeed({ runId, reply, clock, onProgressChange });
    log.info(
      `${view.label}: run started, model ${opened.model}, tools offered: ${this.#request.tools.length}`,
    );
    return connection;
  }

  /** Omitted without tools: there is nothing to choose, and servers reject the field then. @throws RefusalError */
  #toolChoice(): ToolChoice | undefined {
    const { lane, tools } = this.#request;
    const { toolChoice } = lane;
    if (typeof toolChoice === 'object' && !tools.some(({ tool }) => tool.name === toolChoice.tool)) {
      throw refuse(
        t('The lane is set to call {0}, which is not offered.', toolChoice.tool),
        t('Offer the tool, or change Tool choice in the settings of the lane.'),
      );
    }
    return tools.length > 0 ? toolChoice : undefined;
  }

  async #chatAlone(connection: OpenConnection): Promise<[]> {
    const { body, messages, tools, lane } = this.#request;
    await this.#chat(connection, {
      tools: tools.map(({ tool: { name, description, parameters } }) => ({ name, description, parameters })),
      messages: [...this.#prompt(), ...messages],
      sampling: knownSampling(lane),
      ...(body !== undefined && { body }),
    });
    return [];
  }

  #prompt(): Message[] {
    const { system } = this.#request;
    return system.trim() === '' ? [] : [{ role: 'system', content: system }];
  }

  async #takeAgentStep(connection: OpenConnection, agent: AgentPart): Promise<readonly ToolResult[]> {
    const { messages, lane, signal } = this.#request;
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
            if (this.#record) agent.onReply(this.#record, this.#wire);
            // Passes on the redacted turn: a key that the model repeats must not reach a tool or a message about its call.
            return { ...turn, ...this.#record?.turn, exchange: turn.exchange };
          },
        },
        sampling: knownSampling(lane),
        tools: agent.tools,
        ...(prompt[0] && { prompt: prompt[0].content }),
        maxSteps: 1,
        budget: agent.maxCostUsd === undefined ? undefined : { maxCostUsd: agent.maxCostUsd },
        hooks: { beforeTool: agent.beforeTool, afterTool: agent.afterTool },
      },
      messages,
      { signal },
    );
    return report.steps[0]?.results ?? [];
  }

  async #chat(connection: OpenConnection, request: ChatOptions): Promise<ChatTurn> {
    const { signal, onBegin, onQueue } = this.#request;
    const { clock, gate } = this.#services;
    const feed = this.#feed;
    onBegin();
    const turn = await gate.run(
      connection.gate,
      () => {
        this.#startedAt = clock.now();
        this.#startMs = clock.elapsed();
        onQueue(undefined);
        return connection.provider.chat({
          ...request,
          signal,
          onDelta: feed?.addDelta,
          onProgress: feed?.setPhase,
          onAttempt: (attempt) => void this.#attempts.push(attempt),
        });
      },
      { signal, onQueue },
    );
    this.#record = turnRecord(this.#describe(), turn, {
      tools: this.#request.tools,
      idleTools: this.#request.idleTools,
      setting: this.#setting(),
      provider: connection.view.provider,
      callsBefore: this.#request.callsBefore,
      secrets: connection.secrets,
    });
    this.#wire = this.#toWire(turn);
    const { verdict } = this.#record;
    this.#services.log.info(
      `${connection.view.label}: ${verdict.kind}, ${verdict.detail}, attempts ${turn.attempts}`,
    );
    return turn;
  }

  async #fail(error: unknown): Promise<StepResult> {
    if (this.#record) {
      const stopped = error instanceof RunStoppedError ? error : undefined;
      // With the code 'response-format' the reply was empty: no calls were being answered, so nothing was stopped.
      return this.#toResult(stopped?.report.steps[0]?.results ?? [], stopped?.code !== 'response-format');
    }
    const secrets = this.#connection?.secrets ?? [];
    const failure = error instanceof ProviderError ? error : undefined;
    const isStopped = this.#request.signal.aborted;
    this.#record = failedRecord(this.#describe(), {
      info: isStopped
        ? stopped()
        : await this.#services.connections.explain(error, this.#request.lane.connection),
      isStopped,
      // Provider code that ignores the abort signal reports no ledger; the feed has what was observed.
      ledger: failure && failure.ledger.length > 0 ? failure.ledger : (this.#feed?.ledger ?? []),
      live: this.#feed?.partial,
      partial: failure?.partial?.content,
      setting: this.#setting(),
      secrets,
    });
    this.#wire = this.#toWire({ ledger: failure?.ledger ?? [], exchange: failure?.exchange });
    const label = this.#connection?.view.label ?? this.#request.lane.connection;
    this.#services.log.info(`${label}: the run ${this.#record.verdict.kind}, ${this.#record.error?.code}`);
    return this.#toResult([], isStopped);
  }

  #toWire({ ledger, exchange }: Pick<ObservedRun, 'ledger' | 'exchange'>): WireRecord | undefined {
    if (this.#attempts.length === 0 && !this.#record?.turn) return undefined;
    const { lane } = this.#request;
    const view = this.#connection?.view;
    return toWireRecord({
      attempts: this.#attempts,
      ledger,
      exchange,
      connectionId: lane.connection,
      model: this.#connection?.model ?? '',
      tools: this.#request.tools.map(({ tool }) => tool),
      lane: knownSampling(lane),
      connection: view?.sampling ?? {},
      keys: view?.samplingKeys ?? {},
      secrets: this.#connection?.secrets ?? [],
    });
  }

  #setting(): RunSetting {
    return toRunSetting(this.#request.lane, this.#connection?.view, this.#services.knownConnections());
  }

  #toResult(results: readonly ToolResult[], isStopped: boolean): StepResult {
    if (!this.#record) throw new Error('A chat came to an end without a record.');
    return {
      record: this.#record,
      wire: this.#wire,
      results,
      isStopped,
      hasRates: this.#connection?.provider.hasRates ?? false,
    };
  }

  #describe() {
    const { runId, lane } = this.#request;
    const view = this.#connection?.view;
    const firstTokenMs = this.#feed?.firstTokenMs;
    const limits: RunLimits | undefined = view?.limits;
    const endMs = this.#services.clock.elapsed();
    return {
      runId,
      connectionId: lane.connection,
      connectionLabel: view?.label ?? lane.connection,
      model: this.#connection?.model ?? lane.model ?? '',
      ...(limits && { limits }),
      startedAt: this.#startedAt,
      durationMs: Math.max(0, Math.round(endMs - (this.#startMs ?? endMs))),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    };
  }
}

const stopped = (): ErrorInfo => ({
  code: 'aborted',
  title: t('Stopped'),
  what: t('The run was stopped.'),
  why: t('Stop was pressed, or the playground was closed.'),
  next: t('Run again.'),
});
