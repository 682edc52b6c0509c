// One cell in the inspector: how many of its samples pass, the variables of the row, the samples with failing ones first, and
// which calls were made.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationCaseView } from '../../../src/protocol';
import type { JudgedSample } from '../../../src/types';
import { setPlace } from '../../actions/evaluate';
import { describeCase, describePassed, formatShare } from '../../evaluate/rate-words';
import { focusSoon } from '../../focus/focus';
import type { Playground } from '../../playground';
import { formatCount, formatDuration } from '../../text/format';
import { jsonValue } from '../controls/json-text';
import { renderCut } from '../controls/prose';
import { outcomeWord, renderStack } from './outcome-bar';
import { renderSampleList } from './sample-list';
import { gateMark } from './verdict-mark';

export function renderSamples(playground: Playground, view: EvaluationCaseView): TemplateResult {
  const { summary, gates, samples, variables } = view;
  return html`<section class="sec case-head">
      <p class="num">
        ${gateMark(summary.gate)}<b>${describePassed(summary)}</b>
        <span class="muted">${describeCase(summary, gates)}</span>
      </p>
      ${renderStack(summary.outcomes, summary.planned)}
      ${
        variables.length > 0
          ? html`<dl class="kv">
              ${variables.map(
                ({ name, value }) =>
                  html`<dt>${renderCut(name, 100)}</dt>
                    <dd class="mono">${renderVariable(value)}</dd>`,
              )}
            </dl>`
          : nothing
      }
    </section>
    <section class="sec">
      <h3>${t('Samples')} <small>${t('failing first')}</small></h3>
      ${renderSampleList(
        'samples-of-case',
        t('Samples'),
        samples.map((sample) => ({
          repeat: sample.repeat,
          verdict: sample.verdict,
          message: sample.verdict === 'passed' ? undefined : sample.message,
          detail: describeSample(sample),
          onOpen: () => openSample(playground, sample),
        })),
      )}
    </section>
    ${renderCalls(view)}`;
}

/** JSON texts are coloured by their type; one that was cut is text. */
function renderVariable(value: string): unknown {
  try {
    return jsonValue(JSON.parse(value));
  } catch {
    return renderCut(value, 200);
  }
}

export function openSample(
  playground: Playground,
  { rowId, laneId, repeat }: Pick<JudgedSample, 'rowId' | 'laneId' | 'repeat'>,
): void {
  setPlace(playground, { cell: { rowId, laneId }, repeat, isFirstTab: true, expectation: undefined });
  focusSoon(() => document.querySelector<HTMLElement>('.side .pane'));
}

/** Such as `rescued · 71 tok · 1.1 s`. */
export function describeSample(sample: JudgedSample): string {
  const { outcome, promptTokens, completionTokens, timeMs, attempts = 1, cache, requeued = 0 } = sample;
  const isCounted = promptTokens !== undefined || completionTokens !== undefined;
  return [
    outcome ? outcomeWord(outcome) : t('no reply'),
    isCounted
      ? t('{0} tok', formatCount((promptTokens ?? 0) + (completionTokens ?? 0)))
      : t('no token counts'),
    ...(timeMs === undefined ? [] : [formatDuration(timeMs)]),
    ...(attempts > 1 ? [t('{0} attempts', attempts)] : []),
    ...(requeued > 0 ? [t('sent again')] : []),
    ...(cache === undefined ? [] : [t('from a cache')]),
  ].join(' · ');
}

function renderCalls({ calls, summary }: EvaluationCaseView): unknown {
  if (calls.length === 0) return nothing;
  const { agreement } = summary;
  return html`<section class="sec">
    <h3>
      ${t('Calls made')}
      ${agreement ? html`<small>${t('agreement {0}', formatShare(agreement.largest))}</small>` : nothing}
    </h3>
    <table class="made num" aria-label=${t('Different calls and how often each was made')}>
      <tbody>
        ${calls.map(
          ({ count, calls: made }) =>
            html`<tr>
              <td class="r">${formatCount(count)}</td>
              <td class=${made === '' ? 'muted' : 'mono'}>
                ${made === '' ? t('no call') : renderCut(made, 500)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
