// One chat from opening the connection, through waiting at the request gate and receiving the reply, to the record of its
// outcome. It is added to the conversation when its request goes out, stored while the reply arrives, and completed however
// it ends. Knows of the conversation only the sink.
import { t } from '@vscode/l10n';
import { createRedactor, ProviderError } from '../../library';
import type { ObservedAttempt } from '../../library';
import type { ConnectionView, DocumentLane, ErrorInfo, RunLimits } from '../../protocol';
import type { RunSetting } from '../../inspect';
import type { Message, ToolChoice } from '../../types';
import type { Clock, ConnectionSource, LogSink, OpenConnection } from '../ports';
import { refuse } from '../refusal';
import type { GateQueue, RequestGate } from '../request-gate';
import type { ResolvedTool } from '../tools/resolve-tools';
import type { RunItem } from '../transcript';
import { untilAborted } from '../wait-for';
import { LiveReply } from './live-reply';
import { ProgressFeed } from './progress-feed';
import { failedRecord, turnRecord } from './make-record';
import { PartialKeeper } from './partial-keeper';
import { knownSampling, toRunSetting } from './run-setting';
import { formatRetry } from './retry-log';
import type { RunRecord } from './run-record';
import type { RunSink } from './run-sink';
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
  /** Present for a step of an agent run. */
  step?: RunItem['step'];
  lane: DocumentLane;
  /** '' means no system prompt. */
  system: string;
  /** Returns the conversation to send. Called when the connection is open, and may wait; what it throws fails the run. */
  messages: (connection: OpenConnection) => Promise<readonly Message[]> | readonly Message[];
  /** The tools that are offered to the model. */
  tools: readonly ResolvedTool[];
  /** Names of the tools that are not offered. */
  idleTools: readonly string[];
  /** Calls in earlier replies to the same question. If there are any, a reply without calls counts as the answer. */
  callsBefore: { count: number; rescued: number };
  /** Sent byte for byte in place of the body that the other fields would give. */
  body?: string | undefined;
  signal: AbortSignal;
}

export class ChatStep {
  readonly #services: StepServices;
  readonly #sink: RunSink;
  readonly #request: StepRequest;
  readonly #keeper: PartialKeeper;
  /** When the request left the queue: waiting for other requests is not time that the model needed. */
  #startedAt: number;
  /** Undefined until then. */
  #startMs: number | undefined;
  #hasBegun = false;
  #isQueued = false;
  #connection: OpenConnection | undefined;
  #feed: ProgressFeed | undefined;
  readonly #attempts: ObservedAttempt[] = [];
  #wire: WireRecord | undefined;

  constructor(services: StepServices, sink: RunSink, request: StepRequest) {
    this.#services = services;
    this.#sink = sink;
    this.#request = request;
    this.#startedAt = services.clock.now();
    this.#keeper = new PartialKeeper(
      services.clock,
      () => this.#feed?.view(),
      (piece) => sink.keepPartial(request.runId, piece),
    );
  }

  /** Never rejects: every failure becomes a record. */
  async run(): Promise<RunRecord> {
    const { runId, step } = this.#request;
    // A step first answers the calls that an earlier reply left open; it stands behind their results.
    if (!step) this.#begin();
    this.#sink.setProgress({ view: () => this.#feed?.view(), keep: () => this.#keeper.keep() });
    const record = await this.#chat().catch((error: unknown) => this.#toFailure(error));
    this.#keeper.end();
    this.#begin();
    this.#sink.setProgress(undefined);
    this.#sink.setRecord(runId, record, this.#wire);
    return record;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { runId, lane, step } = this.#request;
    this.#sink.beginRun(runId, { connectionId: lane.connection, model: lane.model ?? '', step });
    this.#sink.changeRun({ phase: 'running', since: this.#services.clock.now() });
  }

  async #open(): Promise<OpenConnection> {
    const { lane, runId, signal } = this.#request;
    const { connections, clock, log } = this.#services;
    const opening = connections.open({
      connectionId: lane.connection,
      model: lane.model,
      rescueToolCalls: lane.rescueToolCalls,
      raw: lane.raw,
      onRetry: (info) => log.warn(formatRetry(this.#connection?.view.label ?? lane.connection, info)),
    });
    const { view, ...opened } = await untilAborted(signal, opening);
    const connection = { view, ...opened };
    this.#connection = connection;
    const { secrets } = opened;
    const { value: mask, held } = createRedactor(secrets);
    const reply = new LiveReply({ secrets, mask, held });
    const onProgressChange = (length: number): void => {
      this.#sink.progressChanged();
      this.#keeper.note(length);
    };
    this.#feed = new ProgressFeed({ runId, reply, clock, onProgressChange });
    log.info(
      `${view.label}: run started, model ${opened.model}, tools offered: ${this.#request.tools.length}`,
    );
    return connection;
  }

  /** @throws RefusalError */
  #toolChoice(): ToolChoice | undefined {
    const { lane, tools } = this.#request;
    const { toolChoice } = lane;
    if (typeof toolChoice === 'object' && !tools.some(({ tool }) => tool.name === toolChoice.tool)) {
      throw refuse(
        t('The lane is set to call {0}, which is not offered.', toolChoice.tool),
        t('Offer the tool, or change Tool choice in the settings of the lane.'),
      );
    }
    return toolChoice;
  }

  #prompt(): Message[] {
    const { system } = this.#request;
    return system.trim() === '' ? [] : [{ role: 'system', content: system }];
  }

  async #chat(): Promise<RunRecord> {
    const toolChoice = this.#toolChoice();
    const connection = await this.#open();
    const { signal, tools, lane, body } = this.#request;
    const messages = [...this.#prompt(), ...(await this.#request.messages(connection))];
    this.#begin();
    const send = () => {
      this.#startedAt = this.#services.clock.now();
      this.#startMs = this.#services.clock.elapsed();
      this.#setQueue(undefined);
      return connection.provider.chat({
        tools: tools.map(({ tool: { name, description, parameters } }) => ({
          name,
          description,
          parameters,
        })),
        messages,
        sampling: knownSampling(lane),
        toolChoice,
        ...(body !== undefined && { body }),
        signal,
        onDelta: this.#feed?.addDelta,
        onProgress: this.#feed?.setPhase,
        onAttempt: (attempt) => void this.#attempts.push(attempt),
      });
    };
    const onQueue = (queue: GateQueue | undefined): void => this.#setQueue(queue);
    const turn = await this.#services.gate.run(connection.gate, send, { signal, onQueue });
    const record = turnRecord(this.#describe(), turn, {
      tools,
      idleTools: this.#request.idleTools,
      setting: this.#setting(),
      provider: connection.view.provider,
      callsBefore: this.#request.callsBefore,
      secrets: connection.secrets,
    });
    this.#wire = this.#toWire(turn, true);
    const { kind, detail } = record.verdict;
    this.#services.log.info(`${connection.view.label}: ${kind}, ${detail}, attempts ${turn.attempts}`);
    return record;
  }

  #setQueue(queue: GateQueue | undefined): void {
    const isQueued = queue !== undefined;
    // While the run is queued its position may change; `since` stays the moment at which it was queued.
    const since = isQueued === this.#isQueued ? {} : { since: this.#services.clock.now() };
    this.#isQueued = isQueued;
    this.#sink.changeRun({ phase: isQueued ? 'queued' : 'running', queue, ...since });
  }

  async #toFailure(error: unknown): Promise<RunRecord> {
    const secrets = this.#connection?.secrets ?? [];
    const failure = error instanceof ProviderError ? error : undefined;
    const isStopped = this.#request.signal.aborted;
    const record = failedRecord(this.#describe(), {
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
    this.#wire = this.#toWire({ ledger: failure?.ledger ?? [], exchange: failure?.exchange }, false);
    const label = this.#connection?.view.label ?? this.#request.lane.connection;
    this.#services.log.info(`${label}: the run ${record.verdict.kind}, ${record.error?.code}`);
    return record;
  }

  #toWire(
    { ledger, exchange }: Pick<ObservedRun, 'ledger' | 'exchange'>,
    hasReply: boolean,
  ): WireRecord | undefined {
    if (this.#attempts.length === 0 && !hasReply) return undefined;
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
