// Makes the record of a chat: verdict, findings and the redacted content. Pure.
import { t } from '@vscode/l10n';
import {
  cameToNothing,
  findMarkup,
  findServerWords,
  HttpError,
  nearestTools,
  PROVIDER_CATALOG,
  rescueFormatInfo,
  rescueToolCalls,
} from '../../../library';
import type { ProviderError } from '../../../library';
import type { RunSetting } from '../../../inspect';
import { diagnose, diagnoseFailure, judgeTurn, tokenRates } from '../../../inspect';
import type { ErrorInfo, LiveReplyView, ReplyView } from '../../../protocol';
import type { AttemptRecord, ChatTurn, Finding, Message, ServerName } from '../../../types';
import { checkAgainstSchema } from '../../tools/schema/check-against-schema';
import { CheckBudget } from '../../tools/schema/check-budget';
import { redactorOf } from './redactor-of';
import type { RunRecord } from './run-record';
import type { Setup } from '../setup';

type Described = Omit<RunRecord, 'verdict' | 'turn' | 'ledger' | 'findings' | 'rates'>;

/** Maximum number of calls of one reply whose arguments are validated against the schema. */
const MAX_CHECKED = 1_000;

export function turnRecord(
  described: Described,
  turn: ChatTurn,
  asked: {
    setup: Setup;
    setting: RunSetting;
    callsBefore: { count: number; rescued: number };
    secrets: readonly string[];
  },
): RunRecord {
  const { tools, idleTools, connection } = asked.setup;
  const entry = PROVIDER_CATALOG.find(({ id }) => id === connection.provider);
  const nativeHint = (format: string, server: ServerName | undefined): string | undefined =>
    entry?.nativeHint ?? joinHints(format, server);
  const { ledger, exchange, assistant, ...rest } = turn;
  const { replay: _once, ...raw } = turn.raw;
  const redactor = redactorOf(asked.secrets);
  const { request: _request, response: _response, ...translation } = exchange;
  const { issues, misfits } = checkCalls(turn, tools);
  const { firstTokenMs } = described;
  const rates = tokenRates({ response: exchange.response, usage: turn.usage, ledger, firstTokenMs });
  return redactor.value({
    ...described,
    ...(rates && { rates }),
    verdict: judgeTurn(turn, {
      toolNames: tools.map(({ name }) => name),
      callsBefore: asked.callsBefore,
    }),
    turn: {
      ...rest,
      raw,
      assistant: withStoredReplay(assistant, connection, redactor.value),
      exchange: translation,
    },
    schemaIssues: issues,
    ledger,
    findings: diagnose({
      catalog: PROVIDER_CATALOG,
      turn,
      tools,
      idleTools,
      setting: asked.setting,
      schemaIssues: misfits,
      nearestTools: (name) => nearestTools(name, tools),
      cameToNothing,
      nativeHint,
      readText: (text) => rescueToolCalls(text, tools),
      findMarkup,
    }),
  });
}

/** @param server Who answered: what starts another server is no advice. */
function joinHints(format: string, server: ServerName | undefined): string | undefined {
  const hints = rescueFormatInfo(format)?.nativeHints ?? [];
  const fitting = hints.filter((hint) => !server || !hint.server || hint.server === server);
  return fitting.map(({ text }) => text).join(' ') || undefined;
}

/**
 * Replay data in which a secret is masked is never sent: a server would take it for whole, and refuse its signature. A built-in
 * server has another port after each start and is still the same, so that only the connection counts.
 */
function withStoredReplay(
  { replay: given, ...message }: Message,
  { id: connection, scope }: Setup['connection'],
  redact: (data: unknown) => unknown,
): Message {
  if (!given) return message;
  const { origin, ...others } = given;
  const replay = scope === 'built-in' || origin === undefined ? others : given;
  const data = redact(replay.data);
  const isMasked = JSON.stringify(data) !== JSON.stringify(replay.data);
  return { ...message, replay: { ...replay, connection, ...(isMasked && { isWithheld: true }), data } };
}

export function failedRecord(
  described: Described,
  failure: {
    info: ErrorInfo;
    /** Undefined for an error that is not of the library. */
    error: ProviderError | undefined;
    isStopped: boolean;
    ledger: AttemptRecord[];
    live: LiveReplyView | undefined;
    /** The whole text that had arrived. */
    partial: string | undefined;
    setting: RunSetting;
    secrets: readonly string[];
  },
): RunRecord {
  const { info, error, isStopped, ledger, live, partial } = failure;
  const arrived = toPartial(live, partial);
  const verdict = isStopped
    ? { kind: 'stopped' as const, detail: t('by you') }
    : { kind: 'failed' as const, detail: describeFailure(info, ledger) };
  // The errors of other providers are known by their text alone.
  const findWords = () =>
    error instanceof HttpError ? error.serverWords : findServerWords(`${info.what} ${info.why}`);
  const words = isStopped ? undefined : findWords();
  const findings = isStopped
    ? []
    : diagnoseFailure({
        words,
        exchange: error?.exchange,
        catalog: PROVIDER_CATALOG,
        setting: failure.setting,
      });
  const isOfHistory = findings.some(({ cause }) => cause === 'refused-messages');
  return redactorOf(failure.secrets).value({
    ...described,
    verdict,
    error: withFinding(info, findings),
    // Servers say the same of a call that the model wrote and of one in the history: the doctor looks into the request.
    ...(words && { words: isOfHistory ? ('refused-messages' as const) : words.cause }),
    ...(arrived && { partial: arrived }),
    ledger,
    findings,
  });
}

/** A finding knows the request and the settings, so it says more than the error. */
function withFinding(info: ErrorInfo, [finding]: readonly Finding[]): ErrorInfo {
  if (!finding) return info;
  return { ...info, why: `${finding.what} ${info.why}`, next: finding.next ?? info.next };
}

/** Says which failure it was, such as `503 after 3 attempts`. */
function describeFailure({ title }: ErrorInfo, ledger: readonly AttemptRecord[]): string {
  const last = ledger.at(-1);
  if (!last) return title;
  const attempts = ledger.reduce((most, { attempt }) => Math.max(most, attempt), 0);
  const { status = 0, errorCode, endedBy } = last;
  // A status below 300 does not say what went wrong.
  const what = status >= 300 && endedBy === 'server' ? status : errorCode;
  // "The answer cannot be read after 1 attempt" would say that another attempt might have been readable.
  if (what === undefined && attempts === 1) return title;
  return attempts === 1
    ? t('{0} after 1 attempt', what ?? title)
    : t('{0} after {1} attempts', what ?? title, attempts);
}

/** The live view contains only the end of a long text, while the failure has all of it. */
function toPartial(live: LiveReplyView | undefined, text: string | undefined): LiveReplyView | undefined {
  if (!text) return live;
  const { reasoning = '', toolCalls = [], omitted } = live ?? {};
  return {
    content: text,
    reasoning,
    toolCalls,
    omitted: { content: 0, reasoning: omitted?.reasoning ?? 0, toolCalls: omitted?.toolCalls ?? 0 },
  };
}

/** @returns all issues, and as `misfits` those that are caused by the arguments rather than by the tool or its schema */
function checkCalls(
  turn: ChatTurn,
  tools: Setup['tools'],
): Record<'issues' | 'misfits', ReplyView['schemaIssues']> {
  const issues: ReplyView['schemaIssues'] = {};
  const misfits: ReplyView['schemaIssues'] = {};
  const budget = new CheckBudget();
  for (const [index, call] of turn.toolCalls.slice(0, MAX_CHECKED).entries()) {
    const tool = tools.find(({ name }) => name === call.name);
    if (!tool) {
      issues[index] = [{ path: '', message: t('`{0}` is not an offered tool.', call.name) }];
    } else if (turn.exchange.toolCalls[index]?.parseError === undefined) {
      const { issues: found, schemaError } = checkAgainstSchema(call.arguments, tool.parameters, budget);
      const ofCall = schemaError === undefined ? found : [{ path: '', message: schemaError }];
      if (ofCall.length > 0) issues[index] = ofCall;
      if (schemaError === undefined && found.length > 0) misfits[index] = found;
    }
  }
  return { issues, misfits };
}
