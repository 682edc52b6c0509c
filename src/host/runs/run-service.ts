// Runs chats for one panel. A run goes on while the panel is hidden and its outcome waits to be fetched; it ends with
// the panel. Never rejects: whatever happens is an outcome.
import type { CallProgress, ChatDelta, ChatTurn } from '../../types';
import type { RunForm, RunOutcome, RunProgress, Verdict } from '../../protocol';
import type { Connection } from '../connections/connection';
import type { ConnectionService } from '../connections/connection-service';
import { loadEngine } from '../load-engine';
import { TOOL_SAMPLES } from '../tools/tool-samples';
import { boundOutcome } from './bound-outcome';
import { toErrorInfo } from './error-info';
import { LiveReply } from './live-reply';
import type { LogSink } from './retry-log';
import { formatRetry } from './retry-log';

/** Outcomes that are kept for a panel that was hidden when they came. */
const MAX_KEPT = 8;
/** Between two looks at a reply that streams. */
const REPLY_INTERVAL_MS = 60;

interface Run {
  controller: AbortController;
  feed: ProgressFeed;
  outcome: Promise<RunOutcome>;
  isFinished: boolean;
}

export class RunService {
  readonly #connections: ConnectionService;
  readonly #log: LogSink;
  readonly #onProgress: (progress: RunProgress) => void;
  readonly #runs = new Map<string, Run>();

  constructor(connections: ConnectionService, log: LogSink, onProgress: (progress: RunProgress) => void) {
    this.#connections = connections;
    this.#log = log;
    this.#onProgress = onProgress;
  }

  /** @param signal Stops the run; the outcome then says so. */
  start(form: RunForm, signal: AbortSignal): Promise<RunOutcome> {
    // a run that is known already is followed, not sent a second time
    const run = this.#runs.get(form.runId) ?? this.#begin(form);
    return follow(run, signal);
  }

  /** The same run for a panel that came back; undefined when it is not known here. */
  attach(runId: string, signal: AbortSignal): Promise<RunOutcome> | undefined {
    const run = this.#runs.get(runId);
    // what was sent while the panel was hidden did not arrive
    run?.feed.send();
    return run && follow(run, signal);
  }

  dispose(): void {
    for (const { controller } of this.#runs.values()) controller.abort();
    this.#runs.clear();
  }

  #begin(form: RunForm): Run {
    const controller = new AbortController();
    const feed = new ProgressFeed(form.runId, controller.signal, this.#onProgress);
    const run: Run = { controller, feed, outcome: this.#execute(form, feed), isFinished: false };
    void run.outcome.then(() => (run.isFinished = true));
    this.#runs.set(form.runId, run);
    const finished = [...this.#runs].filter(([, { isFinished }]) => isFinished);
    for (const [runId] of finished.slice(0, -MAX_KEPT)) this.#runs.delete(runId);
    return run;
  }

  async #execute(form: RunForm, feed: ProgressFeed): Promise<RunOutcome> {
    const started = { startedAt: Date.now(), start: performance.now() };
    let connection: Connection | undefined;
    const secrets: string[] = [];
    try {
      connection = this.#connections.find(form.connectionId);
      const { turn, findings, verdict } = await this.#chat(form, connection, feed, secrets);
      return await seal(
        { ...describe(form, connection, started), verdict, turn, ledger: turn.ledger, findings },
        secrets,
      );
    } catch (error) {
      const outcome = await failedOutcome(error, describe(form, connection, started), connection);
      if (outcome.error?.code === 'internal') this.#log.error(error instanceof Error ? error : String(error));
      this.#log.info(`${outcome.connectionLabel}: the run ${outcome.verdict.kind}, ${outcome.error?.code}`);
      return seal(outcome, secrets);
    } finally {
      feed.end();
    }
  }

  async #chat(
    form: RunForm,
    connection: Connection,
    feed: ProgressFeed,
    secrets: string[],
  ): Promise<{ turn: ChatTurn; findings: RunOutcome['findings']; verdict: Verdict }> {
    const { label } = connection;
    const made = await this.#connections.makeProvider({
      connection,
      model: form.model,
      rescueToolCalls: form.rescueToolCalls,
      onRetry: (info) => this.#log.warn(formatRetry(label, info)),
    });
    secrets.push(...made.secrets);
    const tools = TOOL_SAMPLES.filter(({ name }) => form.toolNames.includes(name));
    const system = form.systemPrompt.trim() ? [{ role: 'system' as const, content: form.systemPrompt }] : [];
    const { checkArguments, createRedactor, diagnose, judgeTurn, rescueFormatInfo } = await loadEngine();
    feed.reply = new LiveReply({ secrets, mask: createRedactor(secrets).value });
    this.#log.info(`${label}: run started, model ${form.model}, tools offered: ${tools.length}`);
    const turn = await made.provider.chat({
      tools,
      messages: [...system, ...form.messages],
      sampling: form.sampling,
      signal: feed.signal,
      onDelta: feed.addDelta,
      onProgress: feed.setPhase,
    });
    const nativeHint = (format: string): string | undefined => rescueFormatInfo(format)?.nativeHint;
    const verdict = judgeTurn(turn, form);
    this.#log.info(`${label}: ${verdict.kind}, ${verdict.detail}, attempts ${turn.attempts}`);
    return { turn, verdict, findings: diagnose({ turn, tools, checkArguments, nativeHint }) };
  }
}

/** What a panel is told of one run: each change of phase at once, the reply at most once an interval. */
class ProgressFeed {
  readonly signal: AbortSignal;
  /** What gathers the pieces; set before the first one comes. */
  reply: LiveReply | undefined;
  readonly #runId: string;
  readonly #onProgress: (progress: RunProgress) => void;
  #phase: CallProgress | undefined;
  /** Runs for an interval after each look at the reply. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasNews = false;
  #isOver = false;

  /** @param signal Ends it, as `end` does. */
  constructor(runId: string, signal: AbortSignal, onProgress: (progress: RunProgress) => void) {
    this.#runId = runId;
    this.signal = signal;
    this.#onProgress = onProgress;
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  readonly setPhase = (phase: CallProgress): void => {
    this.#phase = phase;
    this.send();
  };

  readonly addDelta = (delta: ChatDelta): void => {
    this.reply?.add(delta);
    this.#hasNews = true;
    if (!this.#timer) this.#sendNews();
  };

  /** All there is so far; nothing when there is nothing yet, or nothing any more. */
  send(): void {
    if (!this.#phase || this.#isOver) return;
    this.#hasNews = false;
    const reply = this.reply?.view();
    this.#onProgress({ ...this.#phase, runId: this.#runId, ...(reply && { reply }) });
  }

  end(): void {
    this.#isOver = true;
    this.reply = undefined;
    clearTimeout(this.#timer);
  }

  #sendNews(): void {
    this.#timer = undefined;
    if (!this.#hasNews || this.#isOver) return;
    this.send();
    this.#timer = setTimeout(() => this.#sendNews(), REPLY_INTERVAL_MS);
  }
}

type Described = Pick<
  RunOutcome,
  'runId' | 'connectionId' | 'connectionLabel' | 'model' | 'startedAt' | 'durationMs'
>;

function describe(
  form: RunForm,
  connection: Connection | undefined,
  { startedAt, start }: { startedAt: number; start: number },
): Described {
  const { runId, connectionId, model } = form;
  const durationMs = Math.round(performance.now() - start);
  return {
    runId,
    connectionId,
    connectionLabel: connection?.label ?? connectionId,
    model,
    startedAt,
    durationMs,
  };
}

async function failedOutcome(
  error: unknown,
  described: Described,
  connection: Connection | undefined,
): Promise<RunOutcome> {
  const info = await toErrorInfo(error, connection);
  const engine = await loadEngine().catch(() => undefined);
  const ledger = engine && error instanceof engine.ProviderError ? error.ledger : [];
  const verdict: Verdict =
    info.code === 'aborted' ? { kind: 'stopped', detail: 'by you' } : { kind: 'failed', detail: info.title };
  return { ...described, verdict, error: info, ledger, findings: [] };
}

/** The last step of every outcome: no secret leaves the host, and no size is unbounded. */
async function seal(outcome: RunOutcome, secrets: string[]): Promise<RunOutcome> {
  const engine = await loadEngine().catch(() => undefined);
  // without the engine nothing was sent, so there is nothing to mask
  return boundOutcome(engine ? engine.createRedactor(secrets).value(outcome) : outcome);
}

function follow({ controller, outcome }: Run, signal: AbortSignal): Promise<RunOutcome> {
  const stop = (): void => controller.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return outcome.finally(() => signal.removeEventListener('abort', stop));
}
