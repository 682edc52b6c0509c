// Four numbers at the same place in every lane: tokens, time, attempts, cost. Among compared lanes the best one is
// bold; the message box says so.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RunState } from '../../../src/protocol';
import type { Billing } from '../../../src/types';
import type { Row } from '../../lanes/compare-lanes';
import { BEST_WORDS } from '../../lanes/compare-lanes';
import type { Figures } from '../../lanes/figures';
import { isUnknown } from '../../lanes/figures';
import { lastRun } from '../../lanes/lane-queries';
import type { LaneState } from '../../state/session-state';
import {
  countBegunAttempts,
  countOf,
  formatClock,
  formatCost,
  formatDuration,
  formatTokens,
  whyNoCost,
} from '../../text/format';

interface Cell {
  row: Row;
  label: string;
  text: string;
  /** Whether the text only says that nothing is known. */
  isMuted?: boolean;
  /** Text of a second line. */
  detail?: string | undefined;
}

const labels = (): Pick<Cell, 'row' | 'label'>[] => [
  { row: 'tokens', label: t('Tokens') },
  { row: 'time', label: t('Time') },
  { row: 'attempts', label: t('Attempts') },
  { row: 'cost', label: t('Cost') },
];

export interface FiguresOptions {
  lane: LaneState;
  figures: Figures | undefined;
  best: readonly Row[];
  billing: Billing;
  /** Whether some lane has a second line, so that all lanes keep room for one. */
  hasDetails: boolean;
  now: number;
}

export function renderFigures(options: FiguresOptions): TemplateResult {
  const { lane, best, hasDetails } = options;
  const { run } = lane;
  // A paused run has figures to show; a running one has only a clock.
  const isCounting = run !== null && run.phase !== 'paused';
  const cells = isCounting ? toLiveCells(lane, run, options.now) : toCells(options, isInterrupted(lane));
  return html`<dl class="nums num ${hasDetails ? 'has-details' : ''}">
    ${cells.map((cell) => renderCell(cell, !isCounting && best.includes(cell.row)))}
  </dl>`;
}

function renderCell({ row, label, text, isMuted, detail }: Cell, isBest: boolean): TemplateResult {
  return html`<div class="num-cell ${isBest ? 'is-best' : ''}">
    <dt class="sr">${label}</dt>
    <dd class=${isMuted ? 'muted' : ''}>
      <span class="value" title=${isBest ? BEST_WORDS[row]() : nothing}
        >${text}${isBest ? html`<span class="sr">, ${BEST_WORDS[row]()}</span>` : nothing}</span
      >
      ${detail ? html`<small class="muted">${detail}</small>` : nothing}
    </dd>
  </div>`;
}

/** Tokens and cost are unknown during a run: the server reports them at its end. */
function toLiveCells({ progress }: LaneState, run: RunState, now: number): Cell[] {
  return [
    { row: 'tokens', label: t('Tokens'), text: t('… tok'), isMuted: true },
    { row: 'time', label: t('Time'), text: formatClock(now - run.begunAt) },
    {
      row: 'attempts',
      label: t('Attempts'),
      text: countOf(countBegunAttempts(progress), t('{0} attempt'), t('{0} attempts')),
    },
    { row: 'cost', label: t('Cost'), text: t('no cost yet'), isMuted: true },
  ];
}

function isInterrupted(lane: LaneState): boolean {
  const run = lastRun(lane);
  return run !== undefined && isUnknown(run);
}

function toCells({ figures, billing }: FiguresOptions, isNotKnown: boolean): Cell[] {
  if (isNotKnown) return labels().map((cell) => ({ ...cell, text: t('not known'), isMuted: true }));
  // Nothing has run in the lane.
  if (!figures) return labels().map((cell) => ({ ...cell, text: '–', isMuted: true }));
  const { usage, durationMs, attempts, costUsd, firstTokenMs, tokensPerSecond } = figures;
  const tokens = formatTokens(usage);
  return [
    {
      row: 'tokens',
      label: t('Tokens'),
      text: tokens,
      isMuted: tokens === t('not reported'),
      detail: tokensPerSecond === undefined ? undefined : t('{0} tok/s', formatRate(tokensPerSecond)),
    },
    {
      row: 'time',
      label: t('Time'),
      text: formatDuration(durationMs),
      detail: firstTokenMs === undefined ? undefined : t('first {0}', formatDuration(firstTokenMs)),
    },
    {
      row: 'attempts',
      label: t('Attempts'),
      text: attempts > 0 ? countOf(attempts, t('{0} attempt'), t('{0} attempts')) : t('no attempts'),
      isMuted: attempts === 0,
    },
    {
      row: 'cost',
      label: t('Cost'),
      text: costUsd === undefined ? whyNoCost(billing) : formatCost(costUsd),
      isMuted: costUsd === undefined,
    },
  ];
}

const formatRate = (rate: number): string => (rate < 10 ? rate.toFixed(1) : String(Math.round(rate)));
