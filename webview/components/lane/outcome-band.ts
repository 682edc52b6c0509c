// The band of a lane: the outcome in one word, how it differs from the other lanes, and the number of findings.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RunEntry } from '../../../src/protocol';
import type { Finding } from '../../../src/types';
import type { IconName } from '../../icons';
import { EVALUATED_TIMES } from '../../actions/evaluate';
import { icon } from '../../icons';
import type { Band } from '../../lanes/band';
import { spellMarks } from '../../text/text-marks';
import { renderMarked } from '../controls/marked-text';
import { prose } from '../controls/prose';

export interface BandOptions {
  band: Band | undefined;
  run: RunEntry | undefined;
  /** What this lane did differently from the others. */
  deviation?: string | undefined;
  laneNumber: number;
  onShow: () => void;
  /** Absent where nothing can be evaluated. */
  onEvaluate?: (() => void) | undefined;
  onFindings: () => void;
}

export function renderBand({
  band,
  run,
  deviation,
  laneNumber,
  onShow,
  onEvaluate,
  onFindings,
}: BandOptions): TemplateResult {
  if (!band) {
    return html`<div class="outcome o-none is-blank">
      <span class="what muted">${t('Not run yet')}</span>
    </div>`;
  }
  const name: IconName = band.kind;
  // *None* already says that no tool was called, and why.
  const said = band.kind === 'none' ? undefined : deviation;
  return html`<div class="outcome o-${band.kind}">
    <button class="what num" type="button" title=${describe(band, said)} @click=${onShow}>
      <span class="o-icon">${icon(name, band.kind === 'busy' ? 'spin' : '')}</span>
      <span class="clip"
        ><b>${band.word}</b
        >${prose(band.rest)}${band.clock ? html`<span aria-hidden="true"> · ${band.clock}</span>` : nothing}${said ? html` · <em class="odd">${renderMarked(said)}</em>` : nothing}</span
      >
    </button>
    ${onEvaluate && run?.outcome?.reply ? renderEvaluate(onEvaluate) : nothing}
    ${renderCount(run, laneNumber, onFindings)}
  </div>`;
}

/** The word is shown where the lane is wide enough. */
function renderEvaluate(onEvaluate: () => void): TemplateResult {
  const label = t('Evaluate ×{0}', EVALUATED_TIMES);
  return html`<button class="again" type="button" aria-label=${label} title=${label} @click=${onEvaluate}>
    ${icon('evaluate')}<span class="word">${t('Evaluate')}</span> ×${EVALUATED_TIMES}
  </button>`;
}

/** The whole text, because the band itself may be truncated. */
const describe = ({ word, rest }: Band, deviation: string | undefined): string =>
  spellMarks(`${word}${rest}${deviation ? ` · ${deviation}` : ''}`.replaceAll('`', ''));

/** Counts errors and warnings; the icon is that of the gravest. */
function renderCount(run: RunEntry | undefined, laneNumber: number, onFindings: () => void): unknown {
  const findings = run?.outcome?.findings ?? [];
  const errors = countFindings(findings, 'error');
  const count = errors + countFindings(findings, 'warning');
  if (count === 0) return nothing;
  const severity = errors > 0 ? 'error' : 'warning';
  return html`<button
    class="found"
    type="button"
    aria-label=${count === 1 ? t('1 finding in lane {0}', laneNumber) : t('{0} findings in lane {1}', count, laneNumber)}
    @click=${onFindings}
  >
    <span class="s-${severity}">${icon(severity)}</span>${count}
  </button>`;
}

const countFindings = (findings: readonly Finding[], severity: Finding['severity']): number =>
  findings.filter((finding) => finding.severity === severity).length;
