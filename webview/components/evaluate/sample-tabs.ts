// One sample in the inspector: what was expected of it first, then its reply, calls, rescue, attempts and wire as the chat's
// inspector shows them.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationSampleView, RequestParams, RunEntry } from '../../../src/protocol';
import type { JudgedExpectation } from '../../../src/types';
import { openSample } from './case-samples';
import { editExpectation } from '../../actions/evaluate-document';
import { focusSoon } from '../../focus/focus';
import { canEdit, isNotKept } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import type { LaneState } from '../../state/session-state';
import { findDifference } from '../../text/text-difference';
import { button, linkButton } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import { cut, prose } from '../controls/prose';
import type { Tab } from '../controls/tabs';
import type { Inspected } from '../inspector/inspected';
import { renderNotKept, renderRunTab } from '../inspector/run-tab';
import { RUN_TABS } from '../inspector/run-tabs';
import { outcomeWord, OUTCOMES } from './outcome-bar';
import { icon } from '../../icons';
import { verdictMark, verdictWord } from './verdict-mark';

/** In characters, of what was expected and what came. */
const MAX_SIDE = 4000;
const MAX_DETAILS = 12;
/** In characters, of a value on a button. */
const MAX_VALUE = 40;

/** The run of the sample that is shown: of an agent run the last reply. */
const runOf = ({ entries }: Pick<EvaluationSampleView, 'entries'>): RunEntry | undefined =>
  entries.findLast((entry): entry is RunEntry => entry.kind === 'run');

function inspectedOf(
  playground: Playground,
  { sample, entries }: EvaluationSampleView,
): Inspected | undefined {
  const run = runOf({ entries });
  if (!run) return undefined;
  const lane: LaneState = {
    id: sample.laneId,
    version: 0,
    order: entries.map(({ id }) => id),
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    run: null,
  };
  return { playground, lane, run, isLive: false };
}

export function sampleTabs(playground: Playground, view: EvaluationSampleView | undefined): readonly Tab[] {
  const inspected = view && inspectedOf(playground, view);
  return RUN_TABS.map(({ id, label, count }) => ({
    id,
    label: label(),
    count: inspected ? count(inspected) : 0,
  }));
}

export function renderSampleBand({ sample, expectations }: EvaluationSampleView): TemplateResult {
  const failed = expectations.filter(({ verdict }) => verdict === 'failed').length;
  const { verdict, outcome } = sample;
  const word = verdictWord(verdict);
  const shape = OUTCOMES.find(({ id }) => id === outcome);
  return html`<div class="outcome sample-band v-${verdict}">
    ${verdictMark(verdict)}<span class="what clip"
      ><b>${word.charAt(0).toUpperCase()}${word.slice(1)}</b>${
        verdict === 'failed' && failed > 0
          ? ` · ${t('{0} of {1} expectations', failed, expectations.length)}`
          : ''
      }</span
    >${
      shape && outcome
        ? html`<span class="has-icon o-${outcome}"
            ><span class="o-icon">${icon(shape.icon)}</span>${outcomeWord(outcome)}</span
          >`
        : nothing
    }
  </div>`;
}

export function renderSampleTab(playground: Playground, view: EvaluationSampleView): unknown {
  const { evaluate, view: shown } = playground.state;
  if (evaluate.isFirstTab) return renderJudged(playground, view);
  const inspected = inspectedOf(playground, view);
  if (!inspected) return html`<p class="muted">${t('What the server sent is no longer stored.')}</p>`;
  return renderRunTab(shown.tab, inspected);
}

function renderJudged(playground: Playground, view: EvaluationSampleView): TemplateResult {
  const { sample, expectations, counterpart } = view;
  const run = runOf(view);
  const isKept = run !== undefined && !isNotKept(run);
  return html`<section class="sec">
      ${sample.verdict === 'no-verdict' && sample.message ? html`<p>${prose(sample.message)}</p>` : nothing}
      ${
        expectations.length === 0
          ? html`<p class="muted">${t('Nothing is expected of this row in this lane.')}</p>`
          : html`<ul class="judged">
              ${expectations.map((expectation) => renderExpectation(playground, view, expectation))}
            </ul>`
      }
    </section>
    ${run && !isKept ? renderNotKept({ playground, run }) : nothing}
    <section class="sec">
      <h3>${t('This sample')}</h3>
      <div class="actions">
        ${isKept ? button({ label: t('Open in Chat'), onClick: () => void openInChat(playground, view) }) : nothing}
        ${
          counterpart === undefined
            ? nothing
            : button({
                label:
                  sample.verdict === 'passed'
                    ? t('Show sample {0}, which failed', counterpart)
                    : t('Show sample {0}, which passed', counterpart),
                onClick: () => openSample(playground, { ...sample, repeat: counterpart }),
              })
        }
      </div>
    </section>`;
}

async function openInChat(playground: Playground, view: EvaluationSampleView): Promise<void> {
  if (!(await playground.send('evaluation/open-sample', placeOf(view)))) return;
  playground.setView({ view: 'chat', laneId: view.sample.laneId, selection: undefined });
}

/** The button goes with what it was for, so the focus stays with the sample. */
async function acceptValue(playground: Playground, of: RequestParams<'evaluation/accept'>): Promise<void> {
  if (await playground.send('evaluation/accept', of))
    focusSoon(() => document.querySelector<HTMLElement>('.side .pane'));
}

const placeOf = ({
  sample: { rowId, laneId, repeat },
}: EvaluationSampleView): {
  rowId: string;
  laneId: string;
  repeat: number;
} => ({ rowId, laneId, repeat });

function renderExpectation(
  playground: Playground,
  view: EvaluationSampleView,
  judged: JudgedExpectation,
): TemplateResult {
  const { verdict, message, details, name, index } = judged;
  const isPassed = verdict === 'passed';
  const more = details.length - MAX_DETAILS;
  return html`<li>
    ${verdictMark(verdict)}
    <div>
      <h3>${renderMarked(name ?? t('expectation {0}', index + 1))} <small>${verdictWord(verdict)}</small></h3>
      ${message === '' ? nothing : html`<p class=${isPassed ? 'muted' : ''}>${prose(message)}</p>`}
      ${isPassed ? nothing : renderSides(judged)}
      ${
        details.length > 0 && !isPassed
          ? html`<ul class="details muted">
              ${details.slice(0, MAX_DETAILS).map((line) => html`<li>${prose(line, 400)}</li>`)}${more > 0 ? html`<li>${t('{0} more', more)}</li>` : nothing}
            </ul>`
          : nothing
      }
      ${isPassed ? nothing : renderActions(playground, view, judged)}
    </div>
  </li>`;
}

/** What was expected and what came, one under the other, with the part in which they differ marked. */
function renderSides({ expected, actual }: JudgedExpectation): unknown {
  if (expected === '' && actual === '') return nothing;
  const [want, got] = [cut(expected, MAX_SIDE), cut(actual, MAX_SIDE)];
  const { start, end, otherEnd } = findDifference(want, got) ?? { start: 0, end: 0, otherEnd: 0 };
  const side = (text: string, to: number, className: string): unknown =>
    to > start
      ? html`${renderMarked(text.slice(0, start))}<mark class=${className}
            >${renderMarked(text.slice(start, to))}</mark
          >${renderMarked(text.slice(to))}`
      : renderMarked(text);
  return html`<dl class="versus-call">
    <dt>${t('expected')}</dt>
    <dd>${side(want, end, 'want')}</dd>
    <dt>${t('actual')}</dt>
    <dd>${got === '' ? html`<span class="muted">${t('nothing')}</span>` : side(got, otherEnd, 'got')}</dd>
  </dl>`;
}

function renderActions(
  playground: Playground,
  view: EvaluationSampleView,
  { index, accept, name, verdict }: JudgedExpectation,
): TemplateResult {
  const { session } = playground.state;
  const of = { ...placeOf(view), expectation: index };
  const label = name ?? t('expectation {0}', index + 1);
  const openDiff = (): TemplateResult =>
    button({
      label: t('Open diff'),
      name: t('Open diff of {0}', label),
      icon: 'compare',
      onClick: () => void playground.send('evaluation/diff', of),
    });
  // Those of a row follow those of the document, and are edited where the rows are.
  const own = index - (session.document?.document.expect.length ?? 0);
  const { ownExpect } = own < 0 ? {} : view;
  if (ownExpect && 'line' in ownExpect)
    return html`<p class="muted">
        ${t('This is expected of the row alone: it is in the rows file, line {0}.', ownExpect.line)}
      </p>
      <div class="actions">
        ${openDiff()}
        ${button({ label: t('Open rows file'), name: t('Open the rows file for {0}', label), onClick: () => void playground.send('document/open-text', { line: ownExpect.line, isInRows: true }) })}
      </div>`;
  const isKnown = own < 0 || ownExpect !== undefined;
  const edit = (): void =>
    ownExpect
      ? void playground.send('document/open-text', { path: [...ownExpect.path, own] })
      : editExpectation(playground, index);
  const value = accept ? cut(JSON.stringify(accept.value) ?? '', MAX_VALUE) : '';
  return html`<div class="actions">
    ${openDiff()}
    ${isKnown ? button({ label: t('Edit expectation'), name: t('Edit expectation {0}', label), onClick: edit }) : nothing}
    ${accept && verdict === 'failed' && isKnown && canEdit(session) ? linkButton(t('Accept {0} too', value), () => void acceptValue(playground, of)) : nothing}
  </div>`;
}
