// The view *Evaluate*: every row sent to every lane, several times, and how often the reply was the expected one.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { addExpectation, addRow, askForRowsFile, rowsProblem, setRepeat } from '../actions/evaluate-document';
import { escapeEvaluation, evaluationBlocker, isContinued, startEvaluation } from '../actions/evaluate';
import { button } from '../components/controls/controls';
import type { MenuGroup } from '../components/controls/menu-button';
import { icon } from '../icons';
import { canEdit } from '../lanes/lane-queries';
import { renderLater } from '../later';
import type { Playground } from '../playground';
import type { PanelState } from '../state/panel-state';
import { formatCount } from '../text/format';
import { spellMarks } from '../text/text-marks';
import type { View } from './view';

const REPEATS = [1, 3, 5, 10, 20, 50];
/** In milliseconds: more often, what is announced would drown what a person reads. */
const ANNOUNCED_MS = 10_000;

export const EVALUATE_VIEW: View = {
  id: 'evaluate',
  get label() {
    return t('Evaluate');
  },
  renderActions,
  watchedActions: (state) => [
    state.session.evaluation?.progress !== undefined,
    state.session.evaluation?.progress?.isStopping,
    evaluationBlocker(state),
    isPrimary(state),
    canEdit(state.session),
    state.session.document?.document.evaluate,
    state.session.document?.document.expect.length,
  ],
  render: (playground) =>
    html`<pg-document-banner .playground=${playground}></pg-document-banner> ${renderLater(
        () => html`<pg-evaluation .playground=${playground}></pg-evaluation>`,
      )}`,
  watched: ({ hasLaterParts }) => [hasLaterParts],
  run: (playground) => void startEvaluation(playground),
  stop: escapeEvaluation,
  isBusy: ({ session }) => session.evaluation?.progress !== undefined,
  announce,
};

/** There is one primary action: to say what is expected, or to continue, comes first. */
const isPrimary = (state: PanelState): boolean =>
  (state.session.document?.document.expect.length ?? 0) > 0 && !isContinued(state.session.evaluation);

function renderActions(playground: Playground): TemplateResult {
  const { state } = playground;
  const { session } = state;
  const { evaluate, expect = [] } = session.document?.document ?? {};
  const progress = session.evaluation?.progress;
  const blocker = evaluationBlocker(state);
  const isFixed = !canEdit(session);
  const repeats = evaluate?.repeat ?? 1;
  const rows = rowsProblem(session);
  return html`<span class="run"
      >${button({
        label: t('Evaluate'),
        icon: 'evaluate',
        appearance: isPrimary(state) ? 'primary' : 'secondary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void startEvaluation(playground),
      })}</span
    >
    <span class="stop"
      >${button({
        label: t('Stop'),
        icon: 'stop',
        isDisabled: !progress || progress.isStopping,
        onClick: () => void playground.send('evaluation/stop', {}),
      })}</span
    >
    <pg-menu-button
      .label=${t('Repeat ×{0}', repeats)}
      .icon=${'history'}
      .hasText=${true}
      .groups=${() => repeatMenu(playground, repeats)}
    ></pg-menu-button>
    <span class="sep"></span>
    ${ghost(t('Row'), t('Add row'), isFixed ? t('The playground cannot be changed.') : rows, () => void addRow(playground))}
    <pg-menu-button
      .label=${t('Rows file')}
      .icon=${'rows'}
      .hasText=${true}
      .groups=${() => rowsMenu(playground)}
    ></pg-menu-button>
    ${ghost(t('Expectation'), t('Add expectation'), isFixed ? t('The playground cannot be changed.') : undefined, () => void addExpectation(playground, expect.length))}`;
}

const ghost = (
  label: string,
  name: string,
  reason: string | undefined,
  onClick: () => void,
): TemplateResult =>
  html`<button
    class="ghost add-row"
    type="button"
    aria-label=${name}
    title=${spellMarks(reason ?? name)}
    ?disabled=${reason !== undefined}
    @click=${onClick}
  >
    ${icon('add')}${label}
  </button>`;

function repeatMenu(playground: Playground, current: number): readonly MenuGroup[] {
  const isDisabled = !canEdit(playground.state.session);
  return [
    {
      heading: t('How often each row is sent to each lane'),
      items: REPEATS.map((count) => ({
        label: t('×{0}', count),
        icon: count === current ? ('answer' as const) : undefined,
        isDisabled,
        onSelect: () => void setRepeat(playground, count),
      })),
    },
  ];
}

function rowsMenu(playground: Playground): readonly MenuGroup[] {
  const { session } = playground.state;
  const rows = session.document?.document.evaluate.rows;
  const isDisabled = !canEdit(session);
  const remove = (): void => void playground.edit([{ path: ['evaluate', 'rows'] }]);
  return [
    {
      heading:
        typeof rows === 'string'
          ? t('{0}, {1} rows', rows, formatCount(session.evaluation?.rowCount ?? 0))
          : t('A .csv, .jsonl or .json file beside the playground: each line is a row'),
      items: [
        {
          label: typeof rows === 'string' ? t('Use another file') : t('Use a rows file'),
          icon: 'rows',
          isDisabled,
          onSelect: () => askForRowsFile(playground),
        },
        {
          label: t('Remove all rows'),
          icon: 'remove',
          isDisabled: isDisabled || rows === undefined,
          onSelect: remove,
        },
        {
          label: t('Open as Text'),
          icon: 'edit',
          onSelect: () => void playground.send('document/open-text', {}),
        },
      ],
    },
  ];
}

/** What was announced last, and when: progress is said at most every ten seconds. */
let said: { words: string; at: number } = { words: '', at: 0 };

function announce({ session, now }: PanelState): string[] {
  const { progress, result } = session.evaluation ?? {};
  if (!progress) {
    said = { words: '', at: 0 };
    if (!result) return [];
    const { passed, failed, noVerdict } = result.summary;
    return [
      t(
        '{0} samples passed, {1} failed, {2} have no verdict.',
        String(passed),
        String(failed),
        String(noVerdict),
      ),
    ];
  }
  if (said.words === '' || now - said.at >= ANNOUNCED_MS) {
    said = { words: t('{0} of {1} samples.', progress.done, progress.planned), at: now };
  }
  return [said.words];
}
