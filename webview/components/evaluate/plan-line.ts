// One line of what an evaluation will cost, is doing, or was, and what can be done next; below it what keeps it from starting.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type {
  EvaluationForm,
  EvaluationProgress,
  EvaluationResult,
  EvaluationSnapshot,
  StoredEvaluation,
} from '../../../src/protocol';
import type { SampleCounts, SampleVerdict } from '../../../src/types';
import { choosePart, isContinued, startEvaluation } from '../../actions/evaluate';
import { describePlan, describeRan, describeSpent, roundTime } from '../../evaluate/plan-words';
import { icon } from '../../icons';
import type { Playground } from '../../playground';
import { cssText } from '../../text/css-text';
import { countOf, formatCost, formatCount, formatDuration } from '../../text/format';
import { button, linkButton } from '../controls/controls';
import type { MenuGroup } from '../controls/menu-button';
import { prose } from '../controls/prose';
import { verdictMark, verdictWord } from './verdict-mark';

/** Number of repeats that one click adds. */
const MORE = 5;
const MAX_STORED = 20;
const MAX_PROBLEMS = 10;

export function renderPlanLine(playground: Playground): unknown {
  const { session } = playground.state;
  const { evaluation } = session;
  if (!evaluation) return nothing;
  return html`<div class="plan num">${renderLine(playground, evaluation)}</div>
    ${renderProblems(playground, evaluation)}`;
}

function renderLine(playground: Playground, evaluation: EvaluationSnapshot): unknown {
  const { progress, result, plan, lanes } = evaluation;
  if (progress) return renderProgress(playground, progress, result);
  if (result && !result.isOutdated) return renderResult(playground, evaluation, result);
  if (!plan)
    return evaluation.problems.length > 0
      ? nothing
      : html`<p class="muted">${t('The rows are being read.')}</p>`;
  const { title, rest } = describePlan(plan, lanes);
  return html`<div>
      ${result ? renderShown(evaluation, result) : nothing}
      <p><b>${result ? t('Now: {0}', title) : title}</b> <span class="muted">${prose(rest)}</span></p>
    </div>
    <div class="do">
      ${renderBudget(playground)}
      <pg-menu-button
        .label=${t('More actions')}
        .groups=${() => (result ? exportMenu(playground) : [terminalMenu(playground)])}
      ></pg-menu-button>
    </div>`;
}

/** What was run, as it was judged last by what was sent then: the playground sends something else by now. */
function renderShown({ stored }: EvaluationSnapshot, { id, startedAt }: EvaluationResult): TemplateResult {
  const shown = stored.find((each) => each.id === id);
  return html`<p>
    <b>${t('Shown: {0}', formatMoment(startedAt))}</b>
    <span class="muted"
      >${prose([shown ? describeRan(shown) : '', t('the playground has changed since')].filter(Boolean).join(' · '))}</span
    >
  </p>`;
}

function renderBudget(playground: Playground): TemplateResult {
  const { maxCostUsd, maxRequests } = playground.state.session.document?.document.evaluate ?? {};
  const parts = [
    ...(maxCostUsd === undefined ? [] : [formatCost(maxCostUsd)]),
    ...(maxRequests === undefined ? [] : [countOf(maxRequests, t('{0} request'), t('{0} requests'))]),
  ];
  return html`<button
    class="ghost"
    type="button"
    title=${t('Set maxCostUsd or maxRequests under “evaluate” in the text of the playground.')}
    @click=${() => void playground.send('document/open-text', { path: ['evaluate'] })}
  >
    ${t('Budget: {0}', parts.join(', ') || t('not set'))}
  </button>`;
}

/** Once it has ended, each count is a button that shows the rows with such samples. */
function renderCounts(
  playground: Playground,
  { passed, failed, noVerdict, notRun }: SampleCounts,
  hasEnded: boolean,
): TemplateResult {
  const { part } = playground.state.evaluate;
  const count = (kind: SampleVerdict, words: string): TemplateResult => {
    const shown = html`${kind === 'not-run' ? nothing : verdictMark(kind)}${words}`;
    if (!hasEnded) return html`<span>${shown}</span>`;
    return html`<button
      type="button"
      class="count"
      aria-pressed=${part?.kind === kind && part.laneId === undefined ? 'true' : 'false'}
      title=${t('Show the rows with samples like this: {0}', verdictWord(kind))}
      @click=${() => choosePart(playground, { kind })}
    >
      ${shown}
    </button>`;
  };
  const isLeft = hasEnded && notRun > 0;
  return html`<span class="sum" role="group" aria-label=${t('Samples')}
    >${count('passed', t('{0} passed', formatCount(passed)))}${count('failed', t('{0} failed', formatCount(failed)))}${noVerdict > 0 ? count('no-verdict', t('{0} no verdict', formatCount(noVerdict))) : nothing}${isLeft ? count('not-run', t('{0} not run', formatCount(notRun))) : nothing}</span
  >`;
}

function renderProgress(
  playground: Playground,
  progress: EvaluationProgress,
  result: EvaluationResult | undefined,
): TemplateResult {
  const { done, planned, leftMs, isStopping } = progress;
  const left = leftMs === undefined ? '' : t('about {0} left', formatDuration(roundTime(leftMs)));
  const spent = result && result.costUsd > 0 ? formatCost(result.costUsd) : '';
  const share = planned > 0 ? Math.min(done / planned, 1) : 0;
  return html`<p>
      <b>${t('{0} of {1}', formatCount(done), formatCount(planned))}</b>
      ${result ? renderCounts(playground, result.summary, false) : nothing}
      <span class="muted">${isStopping ? t('stopping') : [spent, left].filter(Boolean).join(' · ')}</span>
    </p>
    <span
      class="track"
      role="progressbar"
      aria-label=${t('Samples')}
      aria-valuemin="0"
      aria-valuemax=${planned}
      aria-valuenow=${done}
      ><i .style=${cssText({ width: `${(share * 100).toFixed(1)}%` })}></i
    ></span>`;
}

function renderResult(
  playground: Playground,
  { lanes, baseline }: EvaluationSnapshot,
  result: EvaluationResult,
): TemplateResult {
  const { summary, stopped } = result;
  const judged = summary.planned - summary.notRun;
  const title = stopped
    ? t('Stopped: {0} of {1}', formatCount(judged), formatCount(summary.planned))
    : countOf(summary.planned, t('{0} sample'), t('{0} samples'));
  return html`<p>
      <b>${title}</b> ${renderCounts(playground, summary, true)}
      ${baseline ? html`<span>${t('against {0}', formatMoment(baseline.startedAt))}</span>` : nothing}
      <span class="muted">${prose(describeSpent(result, lanes))}</span>
      ${stopped && stopped.reason !== 'person' ? html`<span class="why">${prose(stopped.text)}</span>` : nothing}
    </p>
    <div class="do">${renderNext(playground)}</div>`;
}

function renderNext(playground: Playground): TemplateResult {
  const { evaluation } = playground.state.session;
  const start = (params: Parameters<typeof startEvaluation>[1]) => () =>
    void startEvaluation(playground, params);
  const hasFailed = evaluation?.result?.summary.lanes.some(({ lostCases }) => lostCases > 0) === true;
  const isLeft = isContinued(evaluation);
  const again = html`${isLeft ? button({ label: t('Continue'), appearance: 'primary', onClick: start({}) }) : nothing}
  ${hasFailed ? ghost(t('Run failing again'), start({ scope: 'failing' })) : nothing}
  ${isLeft ? nothing : ghost(t('{0} more repeats', MORE), start({ more: MORE }))}`;
  return html`${evaluation?.problems.length === 0 ? again : nothing}
    ${
      evaluation?.baseline
        ? ghost(t('Remove baseline'), () => void playground.send('evaluation/baseline', {}))
        : html`<pg-menu-button
            .label=${t('Baseline')}
            .icon=${'compare'}
            .hasText=${true}
            .groups=${() => storedMenu(playground)}
          ></pg-menu-button>`
    } <pg-menu-button .label=${t('More actions')} .groups=${() => exportMenu(playground)}></pg-menu-button>`;
}

const ghost = (label: string, onClick: () => void): TemplateResult =>
  html`<button class="ghost" type="button" @click=${onClick}>${label}</button>`;

const describeStored = ({ startedAt, passed, planned, name }: StoredEvaluation): string =>
  [name, t('{0}, {1} of {2} passed', formatMoment(startedAt), formatCount(passed), formatCount(planned))]
    .filter(Boolean)
    .join(' · ');

function storedMenu(playground: Playground): readonly MenuGroup[] {
  const { stored = [], result } = playground.state.session.evaluation ?? {};
  const others = stored.filter(({ id }) => id !== result?.id).slice(0, MAX_STORED);
  const items = others.map((evaluation) => ({
    label: describeStored(evaluation),
    onSelect: () => void playground.send('evaluation/baseline', { id: evaluation.id }),
  }));
  const none = { label: t('No earlier evaluation is stored'), isDisabled: true, onSelect: () => undefined };
  return [{ heading: t('Compare with'), items: items.length > 0 ? items : [none] }];
}

const FORM_WORDS: Readonly<Record<EvaluationForm, () => string>> = {
  markdown: () => t('Export as Markdown'),
  html: () => t('Open as HTML in the browser'),
  json: () => t('Export as JSON'),
  csv: () => t('Export as CSV'),
};

function exportMenu(playground: Playground): readonly MenuGroup[] {
  const { stored = [], result } = playground.state.session.evaluation ?? {};
  const forms = Object.keys(FORM_WORDS) as EvaluationForm[];
  const others = stored.filter(({ id }) => id !== result?.id).slice(0, MAX_STORED);
  return [
    {
      items: forms.map((form) => ({
        label: FORM_WORDS[form](),
        icon: 'export' as const,
        onSelect: () => void playground.send('evaluation/export', { form }),
      })),
    },
    terminalMenu(playground),
    {
      heading: t('Show an earlier evaluation'),
      items: others.map((evaluation) => ({
        label: describeStored(evaluation),
        icon: 'history' as const,
        onSelect: () => void playground.send('evaluation/show', { id: evaluation.id }),
      })),
    },
  ];
}

const terminalMenu = (playground: Playground): MenuGroup => ({
  heading: t('Without the editor'),
  items: [
    {
      label: t('Copy Command for a Terminal'),
      icon: 'copy',
      onSelect: () => void playground.send('evaluation/terminal', { action: 'copy' }),
    },
    {
      label: t('Evaluate in Terminal'),
      icon: 'evaluate',
      onSelect: () => void playground.send('evaluation/terminal', { action: 'run' }),
    },
  ],
});

function renderProblems(playground: Playground, { problems, progress }: EvaluationSnapshot): unknown {
  if (problems.length === 0 || progress) return nothing;
  const more = problems.length - MAX_PROBLEMS;
  return html`<ul class="problems" aria-label=${t('What keeps the evaluation from starting')}>
    ${problems.slice(0, MAX_PROBLEMS).map(
      ({ message, line, isInRows, isNote }) =>
        html`<li>
          ${isNote ? html`<span class="s-info">${icon('info')}</span>` : html`<span class="s-error">${icon('error')}</span>`}
          <p>
            ${line === undefined ? nothing : html`<b>${isInRows ? t('Rows file, line {0}', line) : t('Line {0}', line)}</b>: `}${prose(message)}
          </p>
          ${line === undefined ? nothing : linkButton(isInRows ? t('Open rows file') : t('Open as Text'), () => void playground.send('document/open-text', { line, ...(isInRows && { isInRows }) }))}
        </li>`,
    )}
    ${more > 0 ? html`<li class="muted">${countOf(more, t('{0} more problem'), t('{0} more problems'))}</li>` : nothing}
  </ul>`;
}

/** Such as `27 Nov, 18:20`, in the language of the person. */
export const formatMoment = (atMs: number): string =>
  new Date(atMs).toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
