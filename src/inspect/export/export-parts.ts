// Splits an exported run into parts that are printed as Markdown and as HTML. Pure.
import { t } from '@vscode/l10n';
import { countOf, formatCost, formatDuration } from '../count-words';
import { bodyKind } from '../wire/body-kind';
import { formatJson } from '../wire/format-json';
import type { ExportPart } from './export-document';
import type { ExportedRun } from './exported-run';
import { describeSettings, formatRate, formatTokens, outcomeOf } from './run-figures';

/** Limit of a text in UTF-16 code units; the JSON export has all of it. */
const MAX_TEXT = 200_000;

export function exportParts(run: ExportedRun): ExportPart[] {
  return [
    { kind: 'facts', rows: toFacts(run) },
    ...toAsked(run),
    ...toFindings(run),
    ...toReply(run),
    ...toParameters(run),
    ...toAttempts(run),
    ...toWire(run),
  ];
}

function toFacts(run: ExportedRun): [string, string][] {
  const { connection, model, askedBy, startedAt, durationMs, firstTokenMs, rates, usage, raw } = run;
  const rate = formatRate(rates);
  return [
    [t('Connection'), connection],
    [t('Model'), model],
    ...(askedBy === undefined ? [] : [[t('Asked by'), askedBy] as const]),
    [t('Outcome'), outcomeOf(run)],
    [t('Finish reason'), raw?.finishReason ?? t('not in the reply')],
    [t('Tokens'), formatTokens(raw?.usage) || t('not reported')],
    [t('Started'), startedAt],
    [t('Time'), formatDuration(durationMs)],
    ...(firstTokenMs === undefined ? [] : [[t('First token'), formatDuration(firstTokenMs)] as const]),
    ...(rate === '' ? [] : [[t('Tokens per second'), rate] as const]),
    ...(usage?.costUsd === undefined ? [] : [[t('Cost'), formatCost(usage.costUsd)] as const]),
    [t('Settings'), describeSettings(run)],
  ].map(([name = '', value = '']) => [name, value]);
}

/** What the run was asked, as it was sent and not as the playground is now. */
function toAsked({ setup }: ExportedRun): ExportPart[] {
  const { system = '', messages = [] } = setup ?? {};
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return [
    ...(system.trim() === '' ? [] : [toText(t('System prompt'), system, 'text')]),
    ...(question === '' ? [] : [toText(t('Message'), question, 'text')]),
  ];
}

function toFindings({ findings, error }: ExportedRun): ExportPart[] {
  const failure = error ? [`${error.title}. ${error.what} ${error.why} ${error.next}`] : [];
  const items = [
    ...failure,
    ...findings.map(({ what, evidence = [], next }) => {
      const quotes = evidence.map(({ place, quote }) => `${place}: ${quote}`).join('; ');
      return [what, ...(quotes === '' ? [] : [`(${quotes})`]), ...(next === undefined ? [] : [next])].join(
        ' ',
      );
    }),
  ];
  return items.length > 0 ? [{ kind: 'list', title: t('Findings'), items }] : [];
}

function toReply({ raw, calls }: ExportedRun): ExportPart[] {
  if (!raw) return [];
  // A reply of calls alone has no content; where there is nothing else either, that is what is shown.
  const hasContent = raw.content !== '' || calls.length === 0;
  const parts: ExportPart[] = hasContent ? [toText(t('Content'), raw.content, 'text')] : [];
  if (raw.reasoning !== undefined) parts.push(toText(t('Reasoning'), raw.reasoning, 'text'));
  for (const [index, { name, arguments: value, source, format }] of calls.slice(0, 100).entries()) {
    const how = format === undefined ? source : `${source}, ${format}`;
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    parts.push(toText(t('Tool call {0}: {1} ({2})', index + 1, name, how), text, 'json'));
  }
  return parts;
}

function toParameters({ parameters }: ExportedRun): ExportPart[] {
  const shown = parameters.filter(({ way }) => way !== 'not-set');
  const isReported = shown.some(({ reported }) => reported !== undefined);
  const rows = shown.map(
    ({ key, value = '', setIn = '', way, sentAs = '', sentValue = '', reported = '' }) => [
      key,
      value,
      setIn,
      way,
      sentAs === '' ? '' : `${sentAs}: ${sentValue}`,
      ...(isReported ? [reported] : []),
    ],
  );
  const head = [
    t('Parameter'),
    t('Value'),
    t('Set in'),
    t('What happened'),
    t('Sent as'),
    ...(isReported ? [t('Reported')] : []),
  ];
  return rows.length > 0 ? [{ kind: 'table', title: t('Parameters'), head, rows }] : [];
}

function toAttempts({ ledger }: ExportedRun): ExportPart[] {
  if (ledger.length === 0) return [];
  const rows = ledger
    .slice(-200)
    .map(({ attempt, status, errorCode, endMs, decision, reason }) => [
      String(attempt),
      String(status ?? errorCode ?? t('no status')),
      formatDuration(endMs),
      decision,
      reason,
    ]);
  const head = [t('Attempt'), t('Result'), t('Time'), t('Then'), t('Why')];
  return [{ kind: 'table', title: countOf(ledger.length, t('{0} attempt'), t('{0} attempts')), head, rows }];
}

function toWire({ request, attempts }: ExportedRun): ExportPart[] {
  const parts: ExportPart[] = [];
  if (request) {
    const head = `${request.method} ${request.url}\n${printHeaders(request.headers)}`;
    parts.push(toText(t('Request'), `${head}\n${printBody(request.body)}`, 'http'));
  }
  for (const { name, response } of attempts) {
    if (!response) {
      parts.push(toText(t('Answer of {0}', name), t('No answer was received.'), 'text'));
      continue;
    }
    const { status, headers, body, isBase64, isComplete, omittedBytes } = response;
    const head = status === undefined ? `${withoutHttp()}\n` : `HTTP ${status}\n${printHeaders(headers)}`;
    const notes = [
      ...(isBase64 ? [t('(not UTF-8: the bytes in base64)')] : []),
      ...(isComplete ? [] : [t('(the answer is not complete)')]),
      ...(omittedBytes === undefined ? [] : [omittedNote(omittedBytes)]),
    ];
    const text = [`${head}\n${isBase64 ? body : printBody(body)}`, ...notes].join('\n');
    parts.push(toText(t('Answer of {0}', name), text, 'http'));
  }
  return parts;
}

const withoutHttp = (): string =>
  t('Passed on inside VS Code: no wire, no status, no finish reason. One part a line, as it arrived.');

const omittedNote = (bytes: number): string =>
  countOf(
    bytes,
    t('({0} more byte arrived and is not kept)'),
    t('({0} more bytes arrived and are not kept)'),
  );

const printHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

/** Formats JSON over several lines; other text is not changed. */
const printBody = (body: string): string =>
  bodyKind(body, '') === 'json' ? formatJson(body, MAX_TEXT) : body;

function toText(title: string, text: string, language: 'json' | 'http' | 'text'): ExportPart {
  const shown =
    text.length > MAX_TEXT
      ? `${text.slice(0, MAX_TEXT)}\n${t('… The rest is left out; the export as JSON has it.')}`
      : text;
  return { kind: 'text', title, text: shown, language, isLong: shown.length > 2_000 };
}
