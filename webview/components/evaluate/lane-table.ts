// The lanes of an evaluation, one row each: how many samples pass and how sure that is, how the replies came out, and what
// they took. Every number stands under its like.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationProgress, EvaluationSnapshot } from '../../../src/protocol';
import type { EvaluationLane, GateState, Interval, LaneSummary } from '../../../src/types';
import { choosePart } from '../../actions/evaluate';
import {
  countBeside,
  describeInterval,
  describeRate,
  formatShare,
  noCostWord,
} from '../../evaluate/rate-words';
import { icon } from '../../icons';
import { connectionOf } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { cssText } from '../../text/css-text';
import { formatClock, formatCost, formatCount, formatDuration } from '../../text/format';
import { renderMarked } from '../controls/marked-text';
import { prose, renderCut } from '../controls/prose';
import { renderBar } from './outcome-bar';
import { gateMark, gateWord } from './verdict-mark';

/** The number of samples of which all have to pass: the column, and the figure below it. */
const POWERS = [3, 5] as const;

interface LaneRow {
  lane: EvaluationLane;
  summary: LaneSummary;
  /** Whether its figures may still change. */
  isPartial: boolean;
}

export function renderLaneTable(playground: Playground): unknown {
  const { evaluation } = playground.state.session;
  const { result, gates, lanes = [], progress } = evaluation ?? {};
  if (!evaluation || !result || !gates) return nothing;
  const isPartial = progress !== undefined || result.stopped !== undefined;
  const required =
    gates.lane === undefined
      ? t('each row needs {0}', formatShare(gates.case))
      : t('{0} required', formatShare(gates.lane));
  return html`<table class="heads num" role="table" aria-label=${t('Lanes')}>
    <thead role="rowgroup">
      <tr role="row">
        ${head(t('Lane'))} ${head(html`${t('Passed')} <small>· ${required}</small>`)}
        ${head(t('What came back'), 'came')}
        ${head(t('pass^{0}', POWERS[0]), 'r', t('The chance that {0} samples of a row all pass', POWERS[0]))}
        ${head(t('Median time'), 'r', t('Without the first sample, which may have loaded the model'))}
        ${head(t('Tokens'), 'r')} ${head(t('Cost'), 'r')}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${result.summary.lanes.map((summary) => {
        const lane = lanes.find(({ id }) => id === summary.laneId) ?? {
          id: summary.laneId,
          label: summary.laneId,
          billing: 'unknown' as const,
        };
        return renderLane(playground, evaluation, { lane, summary, isPartial });
      })}
    </tbody>
  </table>`;
}

const head = (label: unknown, className = '', title?: string): TemplateResult =>
  html`<th scope="col" role="columnheader" class=${className} title=${title ?? nothing}>${label}</th>`;

function renderLane(playground: Playground, evaluation: EvaluationSnapshot, row: LaneRow): TemplateResult {
  const { lane, summary, isPartial } = row;
  const { part } = playground.state.evaluate;
  const { label: connection = '' } = connectionOf(playground.state.session, lane.id) ?? {};
  const done = summary.planned - summary.notRun;
  const place = isPartial
    ? t('{0} · {1} of {2}', connection, formatCount(done), formatCount(summary.planned))
    : connection;
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      <span class="clip">${renderCut(lane.label)}</span><span class="sub clip">${renderMarked(place)}</span>
    </th>
    <td role="cell" class="rate">${renderRate(evaluation, row)}</td>
    <td role="cell" class="came">
      ${renderBar(summary.outcomes, summary.planned, {
        of: lane.label,
        chosen: part?.laneId === lane.id ? part.kind : undefined,
        onChoose: (kind) => choosePart(playground, { laneId: lane.id, kind }),
      })}
      ${renderWaiting(playground, evaluation.progress, lane.id)}
    </td>
    ${done > 0 ? renderFigures(playground, lane, summary) : renderNoFigures()}
  </tr>`;
}

function renderRate(
  { gates, result, baseline }: EvaluationSnapshot,
  { summary, isPartial }: LaneRow,
): TemplateResult {
  const { rate, interval, bounds } = summary;
  const flips = result?.summary.flips?.find(({ laneId }) => laneId === summary.laneId);
  const was = baseline && flips?.rateBefore;
  const gate = gateOf(summary, isPartial);
  const words = isPartial
    ? t('so far')
    : was !== undefined
      ? t('before {0}', formatShare(was))
      : interval
        ? describeInterval(interval)
        : countBeside(summary);
  return html`<p>
      ${gateMark(gate)}<span class="sr">${gate === 'open' ? '' : gateWord(gate)}</span
      ><b
        title=${bounds ? t('{0} if all samples without a verdict had failed or passed', describeInterval(bounds)) : nothing}
        >${describeRate(summary)}</b
      >
      <span class="muted">${words}</span>
    </p>
    ${interval && !isPartial ? renderWhisker({ rate, interval, gate: gates.lane, was }) : nothing}`;
}

/** Without a gate of the lane, that of its cases counts. */
function gateOf({ gate, lostCases, passed, failed }: LaneSummary, isPartial: boolean): GateState {
  if (gate) return gate;
  if (lostCases > 0) return 'lost';
  return isPartial || passed + failed === 0 ? 'open' : 'met';
}

const at = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** From 0 to 100 %, under one another in every lane. The cell has the same numbers as words. */
function renderWhisker({
  rate,
  interval,
  gate,
  was,
}: {
  rate: number | undefined;
  interval: Interval;
  gate: number | undefined;
  was: number | undefined;
}): TemplateResult {
  return html`<span class="whisk" aria-hidden="true">
    <i
      class="span"
      .style=${cssText({ left: at(interval.low), width: at(interval.high - interval.low) })}
    ></i>
    ${was === undefined ? nothing : html`<i class="old" .style=${cssText({ left: at(was) })}></i>`}
    ${rate === undefined ? nothing : html`<i class="dot" .style=${cssText({ left: at(rate) })}></i>`}
    ${gate === undefined ? nothing : html`<i class="gate" .style=${cssText({ left: at(gate) })}></i>`}
  </span>`;
}

/** What the lane waits for while the evaluation runs. */
function renderWaiting(
  playground: Playground,
  progress: EvaluationProgress | undefined,
  laneId: string,
): unknown {
  const waiting = progress?.waiting.find((each) => each.laneId === laneId);
  if (!waiting) return nothing;
  const { reason, untilMs } = waiting;
  const clock = untilMs === undefined ? '' : formatClock(untilMs - playground.state.now);
  return html`<p class="phase">${icon('wait')}<span class="clip">${prose(reason)}</span> ${clock}</p>`;
}

const renderFigures = (playground: Playground, lane: EvaluationLane, summary: LaneSummary): TemplateResult =>
  html`${renderPower(summary)} ${renderTimes(summary)} ${renderTokens(summary)}
  ${renderCost(playground, lane, summary)}`;

/** Of a lane of which nothing ran, there is nothing to say. */
function renderNoFigures(): TemplateResult {
  const none = html`<span class="muted" title=${t('not run')}>–</span>`;
  const labels = [t('pass^{0}', POWERS[0]), t('Median time'), t('Tokens'), t('Cost')];
  return html`${labels.map((label) => cell(label, none, ''))}`;
}

const cell = (label: string, value: unknown, sub: unknown): TemplateResult =>
  html`<td role="cell" class="r">
    <span class="lbl" aria-hidden="true">${label}</span>${value}<span class="sub">${sub}</span>
  </td>`;

function renderPower({ passPower }: LaneSummary): TemplateResult {
  const [first, second] = POWERS.map((power) => passPower.find(({ k }) => k === power));
  const label = t('pass^{0}', POWERS[0]);
  if (!first)
    return cell(
      label,
      html`<span class="muted" title=${t('needs {0} judged samples of a row', POWERS[0])}>–</span>`,
      '',
    );
  return cell(
    label,
    formatShare(first.all),
    second ? t('pass^{0} {1}', second.k, formatShare(second.all)) : '',
  );
}

function renderTimes({ medianMs, p90Ms, firstMs }: LaneSummary): TemplateResult {
  const shown = medianMs ?? firstMs;
  const value =
    shown === undefined ? html`<span class="muted">${t('not known')}</span>` : formatDuration(shown);
  return cell(t('Median time'), value, p90Ms === undefined ? '' : t('p90 {0}', formatDuration(p90Ms)));
}

function renderTokens({ tokens }: LaneSummary): TemplateResult {
  if (!tokens || tokens.samples === 0)
    return cell(t('Tokens'), html`<span class="muted">${t('not reported')}</span>`, '');
  const each = t('{0} each', formatCount(Math.round(tokens.total / tokens.samples)));
  return cell(t('Tokens'), formatCount(tokens.total), each);
}

function renderCost(playground: Playground, lane: EvaluationLane, { costUsd }: LaneSummary): TemplateResult {
  if (costUsd && costUsd.samples > 0) {
    const each = t('{0} each', formatCost(costUsd.total / costUsd.samples));
    return cell(t('Cost'), formatCost(costUsd.total), each);
  }
  const [word, reason] = whyNoCost(playground, lane);
  return cell(t('Cost'), html`<span class="muted">${word}</span>`, reason);
}

function whyNoCost(playground: Playground, { id, billing }: EvaluationLane): [word: string, reason: string] {
  const word = noCostWord(billing);
  if (billing === 'rates') return [word, t('no token counts')];
  if (billing === 'quota') return [word, t("of VS Code's models")];
  if (billing === 'unknown') return [word, t('no rates')];
  const { scope = 'built-in' } = connectionOf(playground.state.session, id) ?? {};
  // The demo is named with the lane.
  return [word, scope === 'built-in' ? '' : t('own server')];
}
