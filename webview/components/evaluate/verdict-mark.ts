// The marks of a verdict and of a gate: bare check, bare cross, question mark. The count or the word beside it says the same.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { GateState, SampleVerdict } from '../../../src/types';
import type { IconName } from '../../icons';
import { icon } from '../../icons';

const MARKS: Readonly<Record<SampleVerdict, { icon: IconName; word: () => string }>> = {
  passed: { icon: 'judgedPassed', word: () => t('passed') },
  failed: { icon: 'judgedFailed', word: () => t('failed') },
  'no-verdict': { icon: 'noVerdict', word: () => t('no verdict') },
  'not-run': { icon: 'wait', word: () => t('not run') },
};

export const verdictWord = (verdict: SampleVerdict): string => MARKS[verdict].word();

export const verdictMark = (verdict: SampleVerdict): TemplateResult =>
  html`<span class="v-mark v-${verdict}">${icon(MARKS[verdict].icon)}</span>`;

/** Nothing but its room while the gate can still be met and lost. */
export function gateMark(gate: GateState): TemplateResult {
  return gate === 'open'
    ? html`<span class="v-mark v-open"></span>`
    : verdictMark(gate === 'met' ? 'passed' : 'failed');
}

export const gateWord = (gate: GateState): string =>
  ({ met: t('gate met'), lost: t('gate not met'), open: t('gate open') })[gate];
