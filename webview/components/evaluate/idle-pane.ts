// The inspector with nothing selected: what is waited for and the newest failures, what was not run, or what is expected.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type {
  EvaluationProgress,
  EvaluationResult,
  EvaluationSnapshot,
  SampleUnderWay,
} from '../../../src/protocol';
import { setPlace } from '../../actions/evaluate';
import type { Playground } from '../../playground';
import { countOf, formatClock, formatCost, formatCount, formatDuration } from '../../text/format';
import { linkButton } from '../controls/controls';
import { prose, renderCut } from '../controls/prose';
import { roundTime } from '../../evaluate/plan-words';
import { noCostWord } from '../../evaluate/rate-words';
import { openSample } from './case-samples';
import { renderExpectations } from './expectation-list';
import { renderSampleList } from './sample-list';

const MAX_UNDER_WAY = 20;

export function renderIdle(playground: Playground): unknown {
  const { evaluation } = playground.state.session;
  const { progress, result } = evaluation ?? {};
  if (progress) {
    return html`${renderUnderWay(playground, progress)}
    ${result ? renderFailures(playground, result) : nothing}`;
  }
  return html`${evaluation && result?.stopped ? renderNotRun(evaluation, result) : nothing}
  ${result ? html`<p class="muted hint-line">${t('Select a cell to see its samples here, failing first.')}</p>` : nothing}
  ${renderExpectations(playground)}`;
}

function renderUnderWay(playground: Playground, { underWay, waiting }: EvaluationProgress): TemplateResult {
  const { session, now } = playground.state;
  return html`<section class="sec">
    <h3>${t('Under way')} <small>${countOf(underWay.length, t('{0} sample'), t('{0} samples'))}</small></h3>
    ${renderSamplesUnderWay(playground, underWay)}
    ${
      waiting.length > 0
        ? html`<table class="num" aria-label=${t('Lanes that wait')}>
            <tbody>
              ${waiting.map(({ laneId, reason, untilMs }) => {
                const lane = session.evaluation?.lanes.find(({ id }) => id === laneId);
                return html`<tr>
                  <td>${renderCut(lane?.label ?? laneId, 80)}</td>
                  <td>${prose(reason)}</td>
                  <td class="r muted">${untilMs === undefined ? '' : formatClock(untilMs - now)}</td>
                </tr>`;
              })}
            </tbody>
          </table>`
        : nothing
    }
  </section>`;
}

/** Phases of a request in words, in the order in which they come. */
const PHASES: Readonly<Record<NonNullable<SampleUnderWay['phase']>, () => string>> = {
  'waiting-for-headers': () => t('waiting for headers'),
  reading: () => t('reading'),
  'waiting-to-retry': () => t('waiting before the next attempt'),
};

function renderSamplesUnderWay(
  { state: { session, now } }: Playground,
  underWay: readonly SampleUnderWay[],
): unknown {
  if (underWay.length === 0) return nothing;
  const { lanes = [], rows = [] } = session.evaluation ?? {};
  return html`<table class="num" aria-label=${t('Samples under way')}>
    <tbody>
      ${underWay.slice(0, MAX_UNDER_WAY).map(({ laneId, rowId, repeat, since, phase }) => {
        const lane = lanes.find(({ id }) => id === laneId)?.label ?? laneId;
        const row = rows.find(({ id }) => id === rowId)?.name ?? rowId;
        return html`<tr>
          <td>${renderCut(lane, 80)}</td>
          <td>${renderCut(t('{0}, sample {1}', row, repeat), 120)}</td>
          <td class="r muted">
            ${phase ? PHASES[phase]() : t('waiting for its turn')}
            <span aria-hidden="true">${formatClock(now - since)}</span>
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function renderFailures(playground: Playground, { newestFailures, summary }: EvaluationResult): unknown {
  if (newestFailures.length === 0) return nothing;
  const lanes = playground.state.session.evaluation?.lanes ?? [];
  const rows = playground.state.session.evaluation?.rows ?? [];
  const items = newestFailures.map((failure) => ({
    repeat: failure.repeat,
    verdict: 'failed' as const,
    message: failure.message,
    detail: [
      lanes.find(({ id }) => id === failure.laneId)?.label ?? failure.laneId,
      rows.find(({ id }) => id === failure.rowId)?.name ?? failure.rowId,
    ].join(' · '),
    onOpen: () => openSample(playground, failure),
  }));
  return html`<section class="sec">
    <h3>${t('Failed')} <small>${t('newest first')}</small></h3>
    ${renderSampleList('newest-failures', t('Failed samples, newest first'), items)}
    ${
      summary.failed > items.length
        ? html`<div class="actions">
            ${linkButton(t('Show all {0}', formatCount(summary.failed)), () => setPlace(playground, { filter: 'failing', part: undefined }))}
          </div>`
        : nothing
    }
  </section>`;
}

function renderNotRun(
  { lanes }: EvaluationSnapshot,
  { summary, isOutdated, stopped }: EvaluationResult,
): TemplateResult {
  const rows = summary.lanes.map((lane) => {
    const done = lane.planned - lane.notRun;
    const cost =
      lane.costUsd && lane.costUsd.samples > 0 ? lane.costUsd.total / lane.costUsd.samples : undefined;
    const { label = lane.laneId, billing = 'unknown' } = lanes.find(({ id }) => id === lane.laneId) ?? {};
    return {
      label,
      done,
      notRun: lane.notRun,
      time: lane.medianMs === undefined ? '–' : formatDuration(roundTime(lane.medianMs * lane.notRun)),
      cost: cost === undefined ? noCostWord(billing) : formatCost(cost * lane.notRun),
    };
  });
  return html`<section class="sec">
    <h3>
      ${t('Not run')}
      <small>${t('{0} of {1} samples', formatCount(summary.notRun), formatCount(summary.planned))}</small>
    </h3>
    <table class="num" aria-label=${t('What is left in each lane')}>
      <thead>
        <tr>
          <th scope="col">${t('Lane')}</th>
          <th scope="col" class="r">${t('Done')}</th>
          <th scope="col" class="r">${t('Not run')}</th>
          <th scope="col" class="r">${t('About')}</th>
          <th scope="col" class="r">${t('Cost')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ label, done, notRun, time, cost }) =>
            html`<tr>
              <td class="clip">${renderCut(label, 80)}</td>
              <td class="r">${formatCount(done)}</td>
              <td class="r">${formatCount(notRun)}</td>
              <td class="r">${time}</td>
              <td class="r muted">${cost}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${stopped && stopped.reason !== 'person' ? html`<p class="below">${prose(stopped.text)}</p>` : nothing}
    <p class="below">
      ${
        isOutdated
          ? t(
              'Every finished sample is kept. The playground has changed since, so Evaluate sends all samples anew.',
            )
          : t(
              'Every finished sample is kept. Continue sends the {0} that are left; none is sent twice.',
              formatCount(summary.notRun),
            )
      }
    </p>
  </section>`;
}
