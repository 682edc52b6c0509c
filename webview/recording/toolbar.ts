// The bar of the page *Recording* and the line below it: the address, where requests go, what is done with calls, and counts.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RecordedConnection, RecordingForm, RecordingSnapshot } from '../../src/protocol';
import { RECORDING_FORMS } from '../../src/protocol';
import { button, linkButton } from '../components/controls/controls';
import type { MenuGroup } from '../components/controls/menu-button';
import { cut, prose, renderCut } from '../components/controls/prose';
import { icon } from '../icons';
import { countOf } from '../text/format';
import type { Recording } from './recording';
import type { RecordingCounts } from './recording-state';
import { timeOf } from './row-words';

const MAX_LABEL = 60;

const FORM_LABELS: Readonly<Record<RecordingForm, () => string>> = {
  jsonl: () => t('JSON lines (.jsonl)'),
  har: () => t('HTTP archive (.har)'),
};

/** What the switch does, in one sentence. */
const repairHint = (): string =>
  t(
    'Calls that the model wrote as text are returned to the program as native calls, and damaged arguments repaired. What is not certain stays as it is.',
  );

export function renderBar(recording: Recording, snapshot: RecordingSnapshot): TemplateResult {
  const { state, file } = snapshot;
  const hasRows = recording.state.rows.length > 0;
  const isLive = state === 'waiting' || state === 'recording' || state === 'starting';
  return html`<div class="bar">
    <h1 class="bar-title">
      <span class="o-icon ${isLive ? 'o-failed' : 'o-stopped'}">${icon('record')}</span>${t('Recording')}
    </h1>
    ${state === 'file' ? html`<span class="clip">${renderCut(file ?? '', 200)}</span>` : renderLive(recording, snapshot, isLive)}
    ${
      hasRows && state !== 'file'
        ? html`<button class="ghost" type="button" @click=${() => void recording.send('recording/clear', {})}>
            ${icon('clear')}${t('Clear')}
          </button>`
        : nothing
    }
    ${
      hasRows
        ? html`<pg-menu-button
            .label=${t('Export')}
            .icon=${'export'}
            .hasText=${true}
            .groups=${() => toExports(recording)}
          ></pg-menu-button>`
        : nothing
    }
  </div>`;
}

function renderLive(recording: Recording, snapshot: RecordingSnapshot, isLive: boolean): TemplateResult {
  const { connection, connections, isRepairing } = snapshot;
  const others = (): MenuGroup[] => [
    { heading: t('Record requests to'), items: connections.map((each) => toItem(recording, each)) },
  ];
  return html`${renderAddress(recording, snapshot, isLive)}
    <pg-menu-button
      .label=${t('to {0}', cut(connection.label, MAX_LABEL))}
      .icon=${'rightwards'}
      .hasText=${true}
      .groups=${others}
    ></pg-menu-button>
    <button
      class="switch"
      type="button"
      role="switch"
      aria-checked=${isRepairing ? 'true' : 'false'}
      aria-description=${repairHint()}
      title=${repairHint()}
      @click=${() => void recording.repair(!isRepairing)}
    >
      <span class="box">${isRepairing ? icon('answer') : nothing}</span>${t('Repair calls')}
    </button>
    <span class="sep"></span>
    ${renderSwitchOff(recording, snapshot, isLive)}`;
}

function renderAddress(
  recording: Recording,
  { state, address }: RecordingSnapshot,
  isLive: boolean,
): TemplateResult {
  if (!isLive) return html`<span class="muted">${t('stopped, the address no longer works')}</span>`;
  return html`<span class="address combo"
      ><input
        class="mono"
        readonly
        aria-label=${t('Address for the program')}
        .value=${address}
        @focus=${({ target }: Event) => (target as HTMLInputElement).select()}
    /></span>
    ${button({
      label: t('Copy'),
      icon: 'copy',
      name: t('Copy the address'),
      appearance: state === 'waiting' ? 'primary' : 'secondary',
      isDisabled: address === '',
      onClick: () => void recording.copy(address),
    })}`;
}

function renderSwitchOff(
  recording: Recording,
  { state }: RecordingSnapshot,
  isLive: boolean,
): TemplateResult {
  if (isLive)
    return button({
      label: t('Stop recording'),
      icon: 'stop',
      isDisabled: state === 'starting',
      onClick: () => void recording.send('recording/stop', {}),
    });
  return button({
    label: t('Record again'),
    icon: 'record',
    appearance: 'primary',
    onClick: () => void recording.send('recording/start', {}),
  });
}

const toItem = (
  recording: Recording,
  { id, label, problem }: RecordedConnection,
): MenuGroup['items'][number] => ({
  label: problem === undefined ? label : `${label} · ${problem}`,
  isDisabled: problem !== undefined,
  icon: recording.state.snapshot?.connection.id === id ? 'answer' : undefined,
  onSelect: () => void recording.send('recording/start', { connectionId: id }),
});

function toExports(recording: Recording): MenuGroup[] {
  const { rows, shown } = recording.state;
  const toItems = (numbers?: number[]): MenuGroup['items'] =>
    RECORDING_FORMS.map((form) => ({
      label: FORM_LABELS[form](),
      onSelect: () => void recording.send('recording/export', { form, ...(numbers && { numbers }) }),
    }));
  const all = { heading: t('All requests'), items: toItems() };
  if (shown.length === rows.length || shown.length === 0) return [all];
  const heading = countOf(shown.length, t('The {0} shown'), t('The {0} shown'));
  return [{ heading, items: toItems(shown.map(({ number }) => number)) }, all];
}

/** Below the bar: how many requests there are, and what a person should know of all of them. */
export function renderLine(
  recording: Recording,
  snapshot: RecordingSnapshot,
  { all, open, repaired, unrepaired }: RecordingCounts,
): TemplateResult {
  const { since, requestsLeaveFrom, first, state } = snapshot;
  const requests = countOf(all, t('{0} request'), t('{0} requests'));
  return html`<div class="plan num">
    <p>
      <b>${open > 0 ? t('{0}, {1} open', requests, open) : requests}</b>
      <span class="muted"
        >${[
          t('since {0}', timeOf(since, false)),
          ...(first > 1 && state !== 'file' ? [t('older ones are no longer kept')] : []),
          t('keys are not stored'),
          ...(state === 'file' ? [] : [t('requests leave from: {0}', requestsLeaveFrom)]),
        ].join(' · ')}</span
      >
    </p>
    ${
      repaired > 0
        ? html`<p class="has-icon">
            <span class="o-icon o-rescued">${icon('rescued')}</span>
            ${countOf(repaired, t('{0} reply was repaired'), t('{0} replies were repaired'))}
          </p>`
        : nothing
    }
    ${
      unrepaired > 0 && !snapshot.isRepairing && state !== 'file'
        ? html`<p class="has-icon">
            <span class="o-icon s-warning">${icon('warning')}</span>
            ${countOf(unrepaired, t('{0} reply had its calls in the text, where the program does not see them.'), t('{0} replies had their calls in the text, where the program does not see them.'))}
            ${linkButton(t('Repair calls'), () => void recording.repair(true), t('Repair calls from the next request on'))}
          </p>`
        : nothing
    }
  </div>`;
}

/** Why there is no recording, or not any more. */
export function renderProblem({ problem }: Pick<RecordingSnapshot, 'problem'>): unknown {
  if (!problem) return nothing;
  return html`<div class="banner is-error" role="alert">
    <span class="s-error">${icon('error')}</span>
    <p>${prose([problem.what, problem.why, problem.next].filter(Boolean).join(' '))}</p>
  </div>`;
}
