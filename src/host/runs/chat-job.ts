// What every chat of the panel goes through, whether it stands alone or is a step of a run to the end: a provider that is
// made, a judgement of what came back, and an outcome that may leave the host. Part of the engine; knows no vscode.
import { createRedactor, checkArguments, PROVIDER_CATALOG, rescueFormatInfo } from '../../library';
import type { Providers } from '../../library';
import { diagnose, judgeTurn } from '../../inspect';
import type { ErrorInfo, RunForm, RunOutcome, RunProgress } from '../../protocol';
import type { AttemptRecord, ChatTurn, Message } from '../../types';
import type { ToolSample } from '../tools/tool-samples';
import { boundOutcome } from './bound-outcome';
import type { CutTexts } from './cut-texts';
import { LiveReply } from './live-reply';
import { ProgressFeed } from './progress-feed';
import type { LogSink } from './retry-log';

export interface ChatJob<Form extends RunForm = RunForm> {
  form: Form;
  provider: Providers;
  connection: { label: string; provider: string };
  /** The conversation, whole, without the system prompt. */
  messages: Message[];
  /** Those that are offered. */
  tools: readonly ToolSample[];
  secrets: readonly string[];
  texts: CutTexts;
  signal: AbortSignal;
  log: LogSink;
  onProgress: (progress: RunProgress) => void;
  explain: (error: unknown) => Promise<ErrorInfo>;
}

/** When a chat began, in both kinds of time. */
export interface Start {
  startedAt: number;
  start: number;
}

export const startNow = (): Start => ({ startedAt: Date.now(), start: performance.now() });

export function createFeed(job: ChatJob, runId: string): ProgressFeed {
  const { secrets, signal, onProgress } = job;
  const feed = new ProgressFeed(runId, signal, onProgress);
  feed.reply = new LiveReply({ secrets, mask: createRedactor(secrets).value });
  return feed;
}

export const systemPrompt = ({ systemPrompt: text }: RunForm): string | undefined =>
  text.trim() ? text : undefined;

/** Of a turn that came, sealed. */
export function toOutcome(job: ChatJob, runId: string, turn: ChatTurn, began: Start): RunOutcome {
  const { form, connection, tools, log } = job;
  const entry = PROVIDER_CATALOG.find(({ id }) => id === connection.provider);
  const nativeHint = (format: string): string | undefined =>
    entry?.nativeHint ?? rescueFormatInfo(format)?.nativeHint;
  const verdict = judgeTurn(turn, form);
  log.info(`${connection.label}: ${verdict.kind}, ${verdict.detail}, attempts ${turn.attempts}`);
  const findings = diagnose({ turn, tools, checkArguments, nativeHint });
  return seal(job, { ...describe(job, runId, began), verdict, turn, ledger: turn.ledger, findings });
}

/** Of a chat that came to no turn, sealed. */
export async function toFailure(
  job: ChatJob,
  runId: string,
  failed: { error: unknown; ledger: AttemptRecord[]; began: Start },
): Promise<RunOutcome> {
  const { error, ledger, began } = failed;
  const info = await job.explain(error);
  return seal(job, { ...describe(job, runId, began), ...judgeError(info), ledger, findings: [] });
}

export function judgeError(error: ErrorInfo): Pick<RunOutcome, 'verdict' | 'error'> {
  const isStopped = error.code === 'aborted';
  return {
    verdict: isStopped ? { kind: 'stopped', detail: 'by you' } : { kind: 'failed', detail: error.title },
    error,
  };
}

/** The last step of every outcome: no secret leaves the host, and no size is unbounded. */
function seal({ secrets, texts }: ChatJob, outcome: RunOutcome): RunOutcome {
  return boundOutcome(createRedactor(secrets).value(outcome), texts);
}

function describe({ form, connection }: ChatJob, runId: string, { startedAt, start }: Start) {
  const { connectionId, model } = form;
  const durationMs = Math.round(performance.now() - start);
  return { runId, connectionId, connectionLabel: connection.label, model, startedAt, durationMs };
}
