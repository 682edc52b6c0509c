// The bar of how samples came out: native, rescued, malformed, none, answer, no verdict. Each part has a pattern and, where
// it is large, an icon of its own, so that it is known without its colour.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { OutcomeCounts, SampleKind, SampleVerdict } from '../../../src/types';
import type { IconName } from '../../icons';
import { icon } from '../../icons';
import { cssText } from '../../text/css-text';
import { formatCount } from '../../text/format';
import { VERDICT_WORDS } from '../../text/verdict-words';
import { verdictWord } from './verdict-mark';

type Outcome = keyof OutcomeCounts;

/** In the order of the bar. */
export const OUTCOMES: readonly { id: Outcome; icon: IconName; word: () => string }[] = [
  { id: 'native', icon: 'native', word: VERDICT_WORDS.native },
  { id: 'rescued', icon: 'rescued', word: VERDICT_WORDS.rescued },
  { id: 'malformed', icon: 'malformed', word: VERDICT_WORDS.malformed },
  { id: 'none', icon: 'none', word: VERDICT_WORDS.none },
  { id: 'answer', icon: 'answer', word: VERDICT_WORDS.answer },
  { id: 'noVerdict', icon: 'noVerdict', word: () => t('no verdict') },
];

export const outcomeWord = (outcome: Outcome): string =>
  OUTCOMES.find(({ id }) => id === outcome)?.word() ?? outcome;

export const kindWord = (kind: SampleKind): string =>
  OUTCOMES.find(({ id }) => id === kind)?.word() ?? verdictWord(kind as SampleVerdict);

/** From this share of the bar on, a part has room for its icon. */
const ICON_SHARE = 0.15;

/** Such as `8 rescued, 2 malformed`. */
export function describeOutcomes(counts: OutcomeCounts): string {
  const parts = OUTCOMES.flatMap(({ id, word }) =>
    counts[id] > 0 ? [`${formatCount(counts[id])} ${word()}`] : [],
  );
  return parts.length > 0 ? parts.join(', ') : t('no samples yet');
}

/** @param planned Number of samples of the whole width; the rest of it is left empty. */
export function renderStack(counts: OutcomeCounts, planned: number): TemplateResult {
  return html`<div class="stack num" role="img" aria-label=${describeOutcomes(counts)}>
    ${partsOf(counts, planned).map(
      ({ id, style, content }) => html`<span class="seg is-${id}" .style=${style}>${content}</span>`,
    )}${renderLeft(planned - sumOf(counts))}
  </div>`;
}

/** What of a bar is chosen, and what choosing a part does. */
export interface BarChoice {
  /** The lane, or what else the samples are of. */
  of: string;
  chosen: SampleKind | undefined;
  onChoose: (kind: SampleKind) => void;
}

/** The same, with each part a button. The bar is one stop of the tab key; the arrow keys move between its parts. */
export function renderBar(
  counts: OutcomeCounts,
  planned: number,
  { of, chosen, onChoose }: BarChoice,
): TemplateResult {
  const left = planned - sumOf(counts);
  const looks = partsOf(counts, planned);
  const kinds: SampleKind[] = [...looks.map(({ id }) => id), ...(left > 0 ? (['not-run'] as const) : [])];
  const stop = kinds.find((kind) => kind === chosen) ?? kinds[0];
  const part = (kind: SampleKind, count: number, look: Part & { word: string }): TemplateResult =>
    html`<button
      type="button"
      class="seg is-${look.id}"
      .style=${look.style}
      tabindex=${kind === stop ? 0 : -1}
      aria-pressed=${kind === chosen ? 'true' : 'false'}
      aria-label=${t('{0}: {1} of {2}', look.word, formatCount(count), of)}
      title=${t('Show the rows with samples like this: {0}', look.word)}
      @click=${() => onChoose(kind)}
    >
      ${look.content}
    </button>`;
  return html`<div
    class="stack num"
    role="toolbar"
    aria-label=${t('What came back from {0}', of)}
    @keydown=${moveBetweenParts}
  >
    ${looks.map((look) => part(look.id, counts[look.id], { ...look, word: outcomeWord(look.id) }))}
    ${left > 0 ? part('not-run', left, { id: 'left', style: cssText({ 'flex-grow': left }), content: nothing, word: t('not run') }) : nothing}
  </div>`;
}

function moveBetweenParts(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey, currentTarget, target } = event;
  if (altKey || ctrlKey || metaKey) return;
  const parts = [...(currentTarget as HTMLElement).querySelectorAll('button')];
  const index = parts.indexOf(target as HTMLButtonElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: Math.min(index + 1, parts.length - 1),
    ArrowLeft: Math.max(index - 1, 0),
    Home: 0,
    End: parts.length - 1,
  };
  const next = parts[targets[key] ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

interface Part {
  id: Outcome | 'left';
  style: string;
  content: unknown;
}

/** The parts that have samples. */
function partsOf(counts: OutcomeCounts, planned: number): (Part & { id: Outcome })[] {
  const whole = Math.max(sumOf(counts), planned);
  return OUTCOMES.flatMap(({ id, icon: name }) => {
    const count = counts[id];
    const content = html`${count / whole >= ICON_SHARE ? icon(name) : nothing}${formatCount(count)}`;
    return count > 0 ? [{ id, style: cssText({ 'flex-grow': count }), content }] : [];
  });
}

/** The same without numbers, for a cell. */
export function renderMix(counts: OutcomeCounts, planned: number): TemplateResult {
  return html`<span class="mix" aria-hidden="true"
    >${OUTCOMES.map(({ id }) => (counts[id] > 0 ? html`<i class="is-${id}" .style=${cssText({ 'flex-grow': counts[id] })}></i>` : nothing))}${renderLeft(planned - sumOf(counts), 'i')}</span
  >`;
}

function renderLeft(left: number, tag: 'i' | 'span' = 'span'): unknown {
  if (left <= 0) return nothing;
  const style = cssText({ 'flex-grow': left });
  return tag === 'i'
    ? html`<i class="is-left" .style=${style}></i>`
    : html`<span class="seg is-left" .style=${style}></span>`;
}

const sumOf = (counts: OutcomeCounts): number => OUTCOMES.reduce((sum, { id }) => sum + counts[id], 0);

export const renderLegend = (): TemplateResult =>
  html`<div class="legend" aria-hidden="true">
    ${OUTCOMES.map(({ id, word }) => html`<span><i class="is-${id}"></i>${word()}</span>`)}
  </div>`;
