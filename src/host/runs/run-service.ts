// Runs chats, runs to the end and embeddings for one panel. A run goes on while the panel is hidden and its outcome waits
// to be fetched; it ends with the panel. Never rejects: whatever happens is an outcome.
import type {
  AgentForm,
  AgentOutcome,
  AgentStepView,
  EmbeddingForm,
  EmbeddingOutcome,
  ErrorInfo,
  RunForm,
  RunOutcome,
  RunProgress,
} from '../../protocol';
import type { Connection } from '../connections/connection';
import type { ConnectionService } from '../connections/connection-service';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { TOOL_SAMPLES } from '../tools/tool-samples';
import type { ChatJob } from './chat-job';
import { CutTexts } from './cut-texts';
import { reportError } from './error-info';
import type { LogSink } from './retry-log';
import { formatRetry } from './retry-log';
import type { BegunRun } from './run-registry';
import { RunRegistry } from './run-registry';

/** What a panel is told while runs are under way. */
export interface RunListener {
  onProgress: (progress: RunProgress) => void;
  onStep?: (step: AgentStepView) => void;
}

type Prepared<Form extends RunForm> = { engine: Engine; job: ChatJob<Form> };
const nothing = (): void => undefined;

export class RunService {
  readonly #connections: ConnectionService;
  readonly #log: LogSink;
  readonly #listener: Required<RunListener>;
  readonly #chats = new RunRegistry<RunOutcome>();
  readonly #agents = new RunRegistry<AgentOutcome>();
  readonly #embeddings = new RunRegistry<EmbeddingOutcome>();
  readonly #texts = new CutTexts();

  constructor(
    connections: ConnectionService,
    log: LogSink,
    listener: RunListener | RunListener['onProgress'],
  ) {
    this.#connections = connections;
    this.#log = log;
    this.#listener = {
      onStep: nothing,
      ...(typeof listener === 'function' ? { onProgress: listener } : listener),
    };
  }

  /** @param signal Stops the run; the outcome then says so. */
  start(form: RunForm, signal: AbortSignal): Promise<RunOutcome> {
    return this.#chats.start(form.runId, (own) => this.#beginChat(form, own), signal);
  }

  /** The same run for a panel that came back; undefined when it is not known here. */
  attach(runId: string, signal: AbortSignal): Promise<RunOutcome> | undefined {
    return this.#chats.attach(runId, signal);
  }

  /** Asks, answers the calls with the mocks of their tools, and asks again, until the model answers or a limit is reached. */
  startToEnd(form: AgentForm, signal: AbortSignal): Promise<AgentOutcome> {
    return this.#agents.start(form.runId, (own) => this.#beginToEnd(form, own), signal);
  }

  attachToEnd(runId: string, signal: AbortSignal): Promise<AgentOutcome> | undefined {
    return this.#agents.attach(runId, signal);
  }

  embed(form: EmbeddingForm, signal: AbortSignal): Promise<EmbeddingOutcome> {
    return this.#embeddings.start(
      form.runId,
      (own) => ({ outcome: this.#embed(form, own), sendAgain: nothing }),
      signal,
    );
  }

  attachEmbedding(runId: string, signal: AbortSignal): Promise<EmbeddingOutcome> | undefined {
    return this.#embeddings.attach(runId, signal);
  }

  dispose(): void {
    for (const registry of [this.#chats, this.#agents, this.#embeddings]) registry.dispose();
  }

  #beginChat(form: RunForm, signal: AbortSignal): BegunRun<RunOutcome> {
    let sendAgain = nothing;
    const run = async ({ engine, job }: Prepared<RunForm>): Promise<RunOutcome> => {
      const feed = engine.createFeed(job, form.runId);
      sendAgain = () => feed.send();
      return engine.runChat(job, feed).finally(() => feed.end());
    };
    const outcome = this.#attempt(form, signal, run, (failed) => failed);
    return { outcome, sendAgain: () => sendAgain() };
  }

  #beginToEnd(form: AgentForm, signal: AbortSignal): BegunRun<AgentOutcome> {
    let sendAgain = nothing;
    const run = ({ engine, job }: Prepared<AgentForm>): Promise<AgentOutcome> => {
      const agentRun = new engine.AgentRun({ ...job, onStep: this.#listener.onStep });
      sendAgain = () => agentRun.sendAgain();
      return agentRun.run();
    };
    const outcome = this.#attempt(form, signal, run, toFailedAgent);
    return { outcome, sendAgain: () => sendAgain() };
  }

  /** What cannot be prepared has failed, too. */
  async #attempt<Form extends RunForm, Outcome>(
    form: Form,
    signal: AbortSignal,
    run: (prepared: Prepared<Form>) => Promise<Outcome>,
    ofFailure: (failed: RunOutcome) => Outcome,
  ): Promise<Outcome> {
    const began = { startedAt: Date.now(), start: performance.now() };
    let connection: Connection | undefined;
    try {
      connection = this.#connections.find(form.connectionId);
      return await run(await this.#prepare(form, connection, signal));
    } catch (error) {
      const info = await this.#explain(error, connection);
      const label = connection?.label ?? form.connectionId;
      this.#log.info(`${label}: the run failed, ${info.code}`);
      const durationMs = Math.round(performance.now() - began.start);
      const { runId, connectionId, model } = form;
      const described = {
        runId,
        connectionId,
        connectionLabel: label,
        model,
        startedAt: began.startedAt,
        durationMs,
      };
      const verdict = { kind: 'failed' as const, detail: info.title };
      return ofFailure({ ...described, verdict, error: info, ledger: [], findings: [] });
    }
  }

  async #prepare<Form extends RunForm>(
    form: Form,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<Prepared<Form>> {
    const { label, setting } = connection;
    const made = await this.#connections.makeProvider({
      connection,
      model: form.model,
      rescueToolCalls: form.rescueToolCalls,
      onRetry: (info) => this.#log.warn(formatRetry(label, info)),
    });
    const job: ChatJob<Form> = {
      form,
      ...made,
      connection: { label, provider: setting.provider },
      messages: this.#texts.restore(form.messages),
      tools: TOOL_SAMPLES.filter(({ name }) => form.toolNames.includes(name)),
      texts: this.#texts,
      signal,
      log: this.#log,
      onProgress: this.#listener.onProgress,
      explain: (error) => this.#explain(error, connection),
    };
    return { engine: await loadEngine(), job };
  }

  async #embed(form: EmbeddingForm, signal: AbortSignal): Promise<EmbeddingOutcome> {
    const start = performance.now();
    const { runId, connectionId, model } = form;
    let connection: Connection | undefined;
    try {
      connection = this.#connections.find(connectionId);
      const { label, setting } = connection;
      let retries = 0;
      const onRetry = (info: Parameters<typeof formatRetry>[1]): void => {
        retries += 1;
        this.#log.warn(formatRetry(label, info));
      };
      // the hosted provider has a model of its own for embeddings; here the panel's counts
      const own = { ...connection, setting: { ...setting, embedModel: model } };
      const made = await this.#connections.makeProvider({
        connection: own,
        model,
        rescueToolCalls: true,
        onRetry,
      });
      const { runEmbedding } = await loadEngine();
      this.#log.info(`${label}: embedding started, model ${model}, texts: ${form.texts.length}`);
      const explain = (error: unknown): Promise<ErrorInfo> => this.#explain(error, connection);
      const countRetries = (): number => retries;
      return await runEmbedding({ form, ...made, connectionLabel: label, signal, countRetries, explain });
    } catch (error) {
      const info = await this.#explain(error, connection);
      const durationMs = Math.round(performance.now() - start);
      return {
        runId,
        connectionLabel: connection?.label ?? connectionId,
        model,
        durationMs,
        tries: 0,
        error: info,
      };
    }
  }

  #explain(error: unknown, connection: Connection | undefined): Promise<ErrorInfo> {
    return reportError(error, { connections: this.#connections, log: this.#log }, connection);
  }
}

function toFailedAgent(outcome: RunOutcome): AgentOutcome {
  const { runId: agentRunId, durationMs } = outcome;
  const step = { agentRunId, step: 1, outcome: { ...outcome, runId: `${agentRunId}/1` }, answers: [] };
  const counts = { steps: 1, answered: 0, unmatched: 0, usage: {} };
  return { agentRunId, steps: [step], ending: { stopReason: 'error', ...counts, durationMs } };
}
