// The attempts as bars on a time axis. Drawn as SVG with percentages, so that it follows the width of its place.
// The table beside it has the same numbers.
import { t } from '@vscode/l10n';
import { html, nothing, svg } from 'lit';
import type { TemplateResult } from 'lit';
import type { AttemptRecord, CallProgress } from '../../../src/types';
import { attemptWord, countOf, formatDuration, formatSeconds, isGoodAttempt } from '../../text/format';

const ROW = 36;
const TOP = 12;
const BAR = 12;
const MIN_PERCENT = 0.6;
/** Possible distances between two marks of the time axis; the first that yields at most five intervals is used. */
const STEPS_MS = [
  50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
];
const MAX_ROWS = 40;

/** The attempt under way, or the wait before it. */
export interface LiveBar {
  attempt: number;
  phase: CallProgress['phase'];
  /** Milliseconds since the epoch. */
  since: number;
  now: number;
}

interface Axis {
  /** Milliseconds since the epoch. */
  start: number;
  stepMs: number;
  endMs: number;
}

export function renderTimeline(all: readonly AttemptRecord[], live: LiveBar | undefined): TemplateResult {
  const ledger = all.slice(-MAX_ROWS);
  const isRunning = live !== undefined && live.phase !== 'waiting-to-retry';
  const rows = ledger.length + (isRunning ? 1 : 0);
  const height = TOP + rows * ROW;
  const axis = toAxis(ledger, live);
  return html`<div class="timeline">
      <ol aria-hidden="true">
        ${ledger.map((attempt) => html`<li>${t('Attempt {0}, {1}', attempt.attempt, attemptWord(attempt))}</li>`)}
        ${isRunning ? html`<li>${t('Attempt {0}', live.attempt)}</li>` : nothing}
      </ol>
      <svg
        class="plot"
        width="100%"
        height=${height + 24}
        role="img"
        aria-label=${countOf(rows, t('Timeline of {0} attempt; the table below has the same numbers'), t('Timeline of {0} attempts; the table below has the same numbers'))}
      >
        ${WAIT_HATCH} ${renderAxis(axis, height)}
        ${ledger.map((attempt, row) => renderAttempt(attempt, row, axis, live?.now))}
        ${isRunning ? renderLive(live, rows - 1, axis) : nothing}
      </svg>
    </div>
    ${renderLegend()}`;
}

function toAxis(ledger: readonly AttemptRecord[], live: LiveBar | undefined): Axis {
  const start = ledger[0]?.startedAt ?? live?.since ?? 0;
  const ends = ledger.map(({ startedAt, endMs }) => startedAt + endMs - start);
  const longest = Math.max(1, ...ends, live ? live.now - start : 0);
  const stepMs = STEPS_MS.find((step) => longest / step <= 5) ?? 1_200_000;
  return { start, stepMs, endMs: Math.ceil(longest / stepMs) * stepMs };
}

function renderAxis({ stepMs, endMs }: Axis, height: number): unknown {
  const count = Math.round(endMs / stepMs);
  const marks = Array.from({ length: count + 1 }, (_, index) => index);
  return svg`${marks.map((index) => {
    const x = `${((index / count) * 100).toFixed(2)}%`;
    const anchor = index === 0 ? 'start' : index === count ? 'end' : 'middle';
    return svg`<line class="grid" x1=${x} x2=${x} y1="0" y2=${height}></line>
      <text class="dim" x=${x} y=${height + 16} text-anchor=${anchor}>${formatMark(index * stepMs)}</text>`;
  })}<line class="axis" x1="0" x2="100%" y1=${height} y2=${height}></line>`;
}

function renderAttempt(attempt: AttemptRecord, row: number, axis: Axis, now: number | undefined): unknown {
  const { headersMs, endMs, delayMs = 0 } = attempt;
  const from = attempt.startedAt - axis.start;
  const isGood = isGoodAttempt(attempt);
  // A wait that was cut short ends where the run ends.
  const waitEnd = Math.min(from + endMs + delayMs, now === undefined ? axis.endMs : now - axis.start);
  const labelStart = delayMs > 0 ? from + endMs : from;
  const barEnd = delayMs > 0 ? waitEnd : from + endMs;
  // A label that began far to the right would leave the picture, so it ends there instead.
  const [x, anchor] = labelStart / axis.endMs > 0.6 ? [barEnd, 'end'] : [labelStart, 'start'];
  return svg`${
    isGood && headersMs !== undefined
      ? svg`${bar('head', from, from + headersMs, row, axis)}${bar('good', from + headersMs, from + endMs, row, axis)}`
      : bar(toKind(attempt), from, from + endMs, row, axis)
  }${delayMs > 0 && waitEnd > from + endMs ? bar('wait', from + endMs, waitEnd, row, axis) : nothing}
  <text x=${percent(x, axis)} y=${TOP + row * ROW - 2} text-anchor=${anchor}>${describe(attempt)}</text>`;
}

function renderLive({ phase, since, now }: LiveBar, row: number, axis: Axis): unknown {
  const from = since - axis.start;
  return svg`${bar(phase === 'reading' ? 'reading' : 'head', from, now - axis.start, row, axis)}
  <text x=${percent(from, axis)} y=${TOP + row * ROW - 2}>${phase === 'reading' ? t('reads') : t('waits for headers')}</text>`;
}

function toKind(attempt: AttemptRecord): string {
  if (isGoodAttempt(attempt)) return 'good';
  return attempt.endedBy === 'caller' ? 'stopped' : 'bad';
}

function describe({ delayMs, delaySource, decision, endMs, endedBy }: AttemptRecord): string {
  if (delayMs)
    return delaySource === 'retry-after'
      ? t('waits {0}, Retry-After', formatSeconds(delayMs))
      : t('waits {0}', formatSeconds(delayMs));
  if (endedBy === 'caller') return t('stopped');
  // Whoever decided it: a run can also be stopped while it waits for its next attempt.
  if (decision === 'stop') return t('no further attempt');
  if (decision === 'reconnect') return t('reconnects');
  return decision === 'retry' ? t('retries') : t('takes {0}', formatSeconds(endMs));
}

function bar(kind: string, fromMs: number, toMs: number, row: number, axis: Axis): unknown {
  const width = Math.max(((toMs - fromMs) / axis.endMs) * 100, MIN_PERCENT);
  const fill = kind === 'wait' ? 'url(#hatch-wait)' : nothing;
  return svg`<rect class=${kind} fill=${fill} x=${percent(fromMs, axis)} y=${TOP + row * ROW + 2} width="${width.toFixed(2)}%" height=${BAR}></rect>`;
}

function percent(valueMs: number, { endMs }: Axis): string {
  return `${((valueMs / endMs) * 100).toFixed(2)}%`;
}

/** Formats the round numbers of the marks: `0 s`, `0.5 s`, `2 min`. */
function formatMark(valueMs: number): string {
  return valueMs < 60_000 ? t('{0} s', valueMs / 1000) : formatDuration(valueMs);
}

function renderLegend(): TemplateResult {
  return html`<p class="legend" aria-hidden="true">
    <span>${swatch('head')}${t('until headers')}</span><span>${swatch('good')}${t('reading')}</span
    ><span>${swatch('bad')}${t('failed')}</span><span>${swatch('wait')}${t('waiting')}</span>
  </p>`;
}

function swatch(kind: string): TemplateResult {
  return html`<svg class="plot swatch" width="16" height="8" aria-hidden="true">
    <rect
      class=${kind}
      fill=${kind === 'wait' ? 'url(#hatch-wait)' : nothing}
      x=".5"
      y=".5"
      width="15"
      height="7"
    ></rect>
  </svg>`;
}

const WAIT_HATCH = svg`<defs><pattern id="hatch-wait" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
  <line class="hatch-wait" x1="2" y1="0" x2="2" y2="5" stroke-width="1"></line></pattern></defs>`;
