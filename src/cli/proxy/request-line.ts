// One line for each recorded exchange, and the counts at the end. Pure.
import { t } from '@vscode/l10n';
import { countOf, describeHindrance, formatDuration, toLabel } from '../../inspect';
import type { ExchangeReading } from '../../recording';
import type { OutcomeKind, RecordedExchange } from '../../types';
import { readExchange } from '../../recording';
import type { Stream } from '../terminal';

type Outcome = OutcomeKind | 'failed' | 'stopped' | 'other';

const COLORS = {
  native: 'green',
  rescued: 'yellow',
  malformed: 'red',
  failed: 'red',
  stopped: 'dim',
  none: 'dim',
  answer: 'dim',
  other: 'dim',
} as const satisfies Record<Outcome, string>;

/** Counts exchanges by how they came out, and describes each in one line. */
export class RequestLines {
  readonly #style: Stream['style'];
  readonly #counts = new Map<Outcome, number>();

  constructor(style: Stream['style']) {
    this.#style = style;
  }

  /** Time, program, what was asked of which model, how it ended and in which time, and how the reply came out. */
  add(exchange: RecordedExchange): string {
    const { startedAt, program, model, request, response, endMs, session } = exchange;
    const reading = readExchange(exchange);
    const outcome = outcomeOf(exchange, reading);
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    const asked = reading && [
      ...(session === undefined ? [] : [t('conversation {0}', session)]),
      countOf(reading.messages, t('{0} message'), t('{0} messages')),
      countOf(reading.tools.length, t('{0} tool'), t('{0} tools')),
    ];
    const parts = [
      new Date(startedAt).toTimeString().slice(0, 8),
      toLabel(program) || t('unnamed program'),
      `${toLabel(request.method)} ${toLabel(pathOf(request.url))}`,
      ...(model === undefined ? [] : [toLabel(model)]),
      ...(asked ? [asked.join(', ')] : []),
      response ? String(response.status) : '–',
      formatDuration(endMs),
      this.#style(COLORS[outcome], describeOutcome(exchange, reading, outcome)),
    ];
    return `${parts.filter((part) => part !== '').join('  ')}\n`;
  }

  /** Such as `12 requests: 8 native, 3 with calls as text, 1 failed`. */
  summary(): string {
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const requests = countOf(total, t('{0} request'), t('{0} requests'));
    const kinds = [...this.#counts].map(([outcome, count]) => `${count} ${nameOf(outcome)}`);
    return kinds.length === 0 ? requests : `${requests}: ${kinds.join(', ')}`;
  }
}

/** Without its query, and as it was written: a parser would change it. */
const pathOf = (url: string): string => url.replace(/^\w+:\/\/[^/]*/, '').replace(/\?.*/s, '');

const nameOf = (outcome: Outcome): string =>
  ({
    native: t('native'),
    rescued: t('with calls as text'),
    malformed: t('malformed'),
    failed: t('failed'),
    stopped: t('stopped'),
    none: t('without a call'),
    answer: t('answered'),
    other: t('other'),
  })[outcome];

function outcomeOf({ endedBy, response }: RecordedExchange, reading: ExchangeReading | undefined): Outcome {
  if (endedBy === 'network' || (response?.status ?? 0) >= 400) return 'failed';
  // A program may close the connection after the end mark of a stream: then nothing is missing.
  if (endedBy !== 'server' && reading?.verdict === undefined) return 'stopped';
  if (!response || reading?.problem !== undefined) return 'failed';
  return reading?.verdict?.kind ?? 'other';
}

function describeOutcome(
  { endedBy, problem, repaired, repairing }: RecordedExchange,
  reading: ExchangeReading | undefined,
  outcome: Outcome,
): string {
  if (outcome === 'stopped')
    return endedBy === 'program' ? t('the program left') : t('the recording was stopped');
  if (outcome === 'failed')
    return [t('failed'), toLabel(problem ?? reading?.problem ?? '', 200)].filter(Boolean).join(': ');
  const { detail } = reading?.verdict ?? {};
  if (repaired && detail !== undefined)
    return t('{0}: {1}; returned as native', nameOf(outcome), toLabel(detail, 200));
  const said = detail === undefined ? '' : `${nameOf(outcome)}: ${toLabel(detail, 200)}`;
  if (repairing === undefined || repairing === 'searched') return said;
  return [said, t('not repaired: {0}', describeHindrance(repairing))].filter(Boolean).join('; ');
}
