// One recorded request in short, for the list and for the journal. Pure.
import { t } from '@vscode/l10n';
import type { RecordedRow, Verdict } from '../../protocol';
import type { RecordedExchange } from '../../types';
import type { RunRecord } from '../run/record/run-record';
import type { Setup } from '../run/setup';
import { saidMessages } from './said-messages';

const MAX_PATH = 2_000;
const MAX_NAME = 200;

/** Lane of the runs of one conversation, as the page asks for them. */
export const laneOf = (session = 0): string => `c${session}`;

export interface RowStart extends Pick<RecordedExchange, 'number' | 'startedAt' | 'program'> {
  method: string;
  path: string;
}

export const toRowStart = ({ number, startedAt, program, method, path }: RowStart): RecordedRow => ({
  number,
  startedAt,
  program: program.slice(0, MAX_NAME),
  method: method.slice(0, MAX_NAME),
  path: path.slice(0, MAX_PATH),
});

/** @param run Absent for what is no chat. */
export function toRow(
  exchange: RecordedExchange,
  run: { record: RunRecord; setup: Setup } | undefined,
): RecordedRow {
  const { request, response, session, model, firstByteMs, endMs, repaired } = exchange;
  const { method, url } = request;
  const row = toRowStart({ ...exchange, method, path: pathOf(url) });
  const verdict = run ? boundVerdict(run.record.verdict) : verdictOf(exchange);
  const { promptTokens, completionTokens } = run?.record.turn?.usage ?? {};
  const problem = exchange.problem ?? (run ? undefined : unreadProblem(exchange));
  const tokens = (promptTokens ?? 0) + (completionTokens ?? 0);
  return {
    ...row,
    ...(session !== undefined && { session }),
    ...(model !== undefined && { model: model.slice(0, MAX_NAME) }),
    ...(run && { messages: countMessages(run.setup), tools: run.setup.tools.length }),
    ...(verdict && { verdict }),
    ...(repaired && { isRepaired: true }),
    ...(tokens > 0 && { tokens }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    endMs,
    ...(response && { status: response.status }),
    ...(problem !== undefined && { problem: problem.slice(0, MAX_PATH) }),
    ...(run && { run: { laneId: laneOf(session), runId: run.record.runId } }),
  };
}

const pathOf = (url: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // As it was written: a parser would change it.
  return parsed ? url.slice(url.indexOf(parsed.host) + parsed.host.length) || '/' : url;
};

function countMessages({ system, messages, raw = {} }: Setup): number {
  return saidMessages({ messages, raw }).length + (system === '' ? 0 : 1);
}

const boundVerdict = ({ kind, detail }: Verdict): Verdict => ({ kind, detail: detail.slice(0, MAX_NAME) });

/** Of what is no chat: that it failed, or was stopped. */
function verdictOf({ response, endedBy }: RecordedExchange): Verdict | undefined {
  const { status = 0 } = response ?? {};
  if (endedBy === 'network') return { kind: 'failed', detail: t('no answer') };
  if (status >= 400) return { kind: 'failed', detail: String(status) };
  if (response?.isComplete || endedBy === 'server') return undefined;
  return {
    kind: 'stopped',
    detail: endedBy === 'program' ? t('by the program') : t('the recording was stopped'),
  };
}

/** Of a chat that could not be read as one. */
const unreadProblem = ({ protocol, response }: RecordedExchange): string | undefined =>
  protocol !== undefined && response?.status === 200
    ? t('The request is too long to be read, or no JSON.')
    : undefined;
