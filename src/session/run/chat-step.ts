// One chat from waiting at the request gate and receiving the reply to the record of its outcome. It is added to the
// conversation when its request goes out, stored while the reply arrives, and completed however it ends. Reads only the setup
// of its run, and knows of the conversation only the sink.
import { t } from '@vscode/l10n';
import { ProviderError } from '../../library';
import type { ObservedAttempt } from '../../library';
import type { ConnectionView, ErrorInfo } from '../../protocol';
import type { Message } from '../../types';
import type { Clock, ConnectionSource, LogSink, OpenConnection } from '../ports';
import type { GateQueue, RequestGate } from '../request-gate';
import { withOwnReplay } from '../conversation/transcript';
import { LiveReply } from './live-reply';
import { ProgressFeed } from './progress-feed';
import { failedRecord, turnRecord } from './record/make-record';
import { PartialKeeper } from './partial-keeper';
import { redactorOf } from './record/redactor-of';
import type { RunRecord } from './record/run-record';
import type { BegunRun, RunSink } from './run-sink';
import type { OpenRun, Setup } from './setup';
import { toRunSetting } from './setup';
import type { RunWire } from './record/wire-record';
import { toRunWire } from './record/wire-record';

/** Length of a response from which on it is large, in UTF-16 code units. */
const LARGE = 1_000_000;

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
  begun: BegunRun;
  opened: OpenRun | Promise<OpenRun>;
  /** Returns the conversation to send. May wait; what it throws fails the run. @default the messages of the setup */
  messages?: (connection: OpenConnection) => Promise<readonly Message[]>;
  /** Calls in earlier replies to the same question. If there are any, a reply without calls counts as the answer. */
  callsBefore: { count: number; rescued: number };
  /** Sent byte for byte in place of the body that the setup would give. */
  body?: string | undefined;
  signal: AbortSignal;
  /** Lets requests go first that a person waits for. @default false */
  isBackground?: boolean | undefined;
}

export class ChatStep {
  readonly #services: StepServices;
  readonly #sink: RunSink;
  readonly #request: StepRequest;
  /** Absent when nothing is stored while the reply arrives. */
  readonly #keeper: PartialKeeper | undefined;
  /** When the request left the queue: waiting for other requests is not time that the model needed. */
  #startedAt: number;
  /** Undefined until then. */
  #startMs: number | undefined;
  #hasBegun = false;
  #isQueued = false;
  #feed: ProgressFeed | undefined;
  readonly #attempts: ObservedAttempt[] = [];
  #wire: RunWire | undefined;

  constructor(services: StepServices, sink: RunSink, request: StepRequest) {
    this.#services = services;
    this.#sink = sink;
    this.#request = request;
    this.#startedAt = services.clock.now();
    this.#keeper =
      sink.keepPartial &&
      new PartialKeeper(
        services.clock,
        () => this.#feed?.view(),
        (piece) => sink.keepPartial?.(request.runId, piece),
      );
  }

  /** Never rejects: every failure becomes a record. */
  async run(): Promise<RunRecord> {
    const { runId, begun } = this.#request;
    // A step first answers the calls that an earlier reply left open; it stands behind their results.
    if (!begun.step) this.#begin();
    this.#sink.setProgress({ view: () => this.#feed?.view(), keep: () => this.#keeper?.keep() });
    const opened = await this.#request.opened;
    this.#sink.setSetup(runId, opened.stored);
    const record = await this.#chat(opened).catch((error: unknown) => this.#toFailure(opened, error));
    this.#keeper?.end();
    this.#begin();
    this.#sink.setProgress(undefined);
    this.#sink.setRecord(runId, record, this.#wire);
    return record;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { runId, begun } = this.#request;
    this.#sink.beginRun(runId, begun);
    this.#sink.changeRun({ phase: 'running', since: this.#services.clock.now() });
  }

  async #chat({ setup, connection, error }: OpenRun): Promise<RunRecord> {
    if (!connection) throw error;
    const { body, signal, callsBefore, messages, isBackground } = this.#request;
    const { view, secrets } = connection;
    this.#feed = this.#toFeed(secrets);
    this.#services.log.info(
      `${view.label}: run started, model ${setup.model}, tools offered: ${setup.tools.length}`,
    );
    const said = messages ? await messages(connection) : setup.messages;
    this.#begin();
    const request = toChatRequest(setup, said);
    const send = () => {
      this.#startedAt = this.#services.clock.now();
      this.#startMs = this.#services.clock.elapsed();
      this.#setQueue(undefined);
      return connection.provider.chat({
        ...request,
        ...(body !== undefined && { body }),
        signal,
        onDelta: (delta) => {
          this.#feed?.addDelta(delta);
          this.#sink.addDelta?.(delta);
        },
        onProgress: (phase) => {
          this.#feed?.setPhase(phase);
          this.#sink.setPhase?.(phase);
        },
        onAttempt: (attempt) => void this.#attempts.push(attempt),
      });
    };
    const onQueue = (queue: GateQueue | undefined): void => this.#setQueue(queue);
    const turn = await this.#services.gate.run(connection.gate, send, { signal, onQueue, isBackground });
    const setting = toRunSetting(setup, this.#services.knownConnections());
    const described = this.#describe(setup);
    // Making the records of a large reply takes long, so the host gets its turn between them.
    const isLarge = (turn.exchange.response?.body.length ?? 0) > LARGE;
    if (isLarge) await nextTurn();
    const record = turnRecord(described, turn, { setup, setting, callsBefore, secrets });
    if (isLarge) await nextTurn();
    this.#wire = toRunWire({ ...turn, attempts: this.#attempts, setup, secrets });
    if (isLarge) {
      this.#wire.record();
      await nextTurn();
    }
    const { kind, detail } = record.verdict;
    this.#services.log.info(`${view.label}: ${kind}, ${detail}, attempts ${turn.attempts}`);
    return record;
  }

  #toFeed(secrets: readonly string[]): ProgressFeed {
    const { value: mask, held } = redactorOf(secrets);
    return new ProgressFeed({
      runId: this.#request.runId,
      reply: new LiveReply({ secrets, mask, held }),
      clock: this.#services.clock,
      onProgressChange: (length) => {
        this.#sink.progressChanged();
        this.#keeper?.note(length);
      },
    });
  }

  #setQueue(queue: GateQueue | undefined): void {
    const isQueued = queue !== undefined;
    // While the run is queued its position may change; `since` stays the moment at which it was queued.
    const since = isQueued === this.#isQueued ? {} : { since: this.#services.clock.now() };
    this.#isQueued = isQueued;
    this.#sink.changeRun({ phase: isQueued ? 'queued' : 'running', queue, ...since });
  }

  async #toFailure({ setup, connection }: OpenRun, error: unknown): Promise<RunRecord> {
    const { connections, knownConnections, log } = this.#services;
    const secrets = connection?.secrets ?? [];
    const failure = error instanceof ProviderError ? error : undefined;
    const isStopped = this.#request.signal.aborted;
    const record = failedRecord(this.#describe(setup), {
      error: failure,
      info: isStopped ? stopped() : await connections.explain(error, setup.connection.id),
      isStopped,
      // Provider code that ignores the abort signal reports no ledger; the feed has what was observed.
      ledger: failure && failure.ledger.length > 0 ? failure.ledger : (this.#feed?.ledger ?? []),
      live: this.#feed?.partial,
      partial: failure?.partial?.content,
      setting: toRunSetting(setup, knownConnections()),
      secrets,
    });
    if (this.#attempts.length > 0) {
      const { ledger = [], exchange } = failure ?? {};
      this.#wire = toRunWire({ attempts: this.#attempts, ledger, exchange, setup, secrets });
    }
    log.info(`${record.connectionLabel}: the run ${record.verdict.kind}, ${record.error?.code}`);
    return record;
  }

  #describe({ id, connection, model, rescueToolCalls }: Setup) {
    const firstTokenMs = this.#feed?.firstTokenMs;
    const { limits, hasRates } = connection;
    const endMs = this.#services.clock.elapsed();
    return {
      runId: this.#request.runId,
      setup: id,
      connectionId: connection.id,
      connectionLabel: connection.label ?? connection.id,
      model,
      ...(limits && { limits }),
      rescueToolCalls,
      ...(hasRates !== undefined && { hasRates }),
      startedAt: this.#startedAt,
      durationMs: Math.max(0, Math.round(endMs - (this.#startMs ?? endMs))),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    };
  }
}

/** What a provider is given: a copy, because it may change it. @param said The messages after the system prompt. */
export const toChatRequest = (setup: Setup, said: readonly Message[]) =>
  copyJson({
    tools: setup.tools.map(({ name, description, parameters, strict }) => ({
      name,
      description,
      parameters,
      ...(strict !== undefined && { strict }),
    })),
    messages: [...promptOf(setup), ...said.map((message) => withOwnReplay(message, setup.connection.id))],
    sampling: setup.sampling,
    toolChoice: setup.toolChoice,
  });

/** Many times as fast as `structuredClone` for what is as small as most requests. */
const copyJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const promptOf = ({ system }: Setup): Message[] =>
  system.trim() === '' ? [] : [{ role: 'system', content: system }];

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stopped = (): ErrorInfo => ({
  code: 'aborted',
  title: t('Stopped'),
  what: t('The run was stopped.'),
  why: t('Stop was pressed, or the playground was closed.'),
  next: t('Run again.'),
});
