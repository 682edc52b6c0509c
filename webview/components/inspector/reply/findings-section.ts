// A list of findings: severity, statement, evidence, what to do about it, and the actions offered.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { Finding, FindingEvidence } from '../../../../src/types';
import { icon } from '../../../icons';
import { prose, renderCut } from '../../controls/prose';

const SEVERITIES: Readonly<Record<Finding['severity'], () => string>> = {
  error: () => t('error'),
  warning: () => t('warning'),
  info: () => t('info'),
};

export interface FindingParts {
  /** Text beside the heading. */
  note?: string | undefined;
  /** Drawn below a finding: a link to the place that shows it, and the buttons of its remedies. */
  renderBelow?: (finding: Finding) => unknown;
  /** Drawn below all findings. */
  foot?: unknown;
}

export function renderFindings(
  findings: readonly Finding[],
  { note, renderBelow = () => nothing, foot }: FindingParts = {},
): unknown {
  if (findings.length === 0 && !foot) return nothing;
  return html`<section class="sec">
    <h3>${t('Findings')}${note === undefined ? nothing : html` <small>${note}</small>`}</h3>
    <ul class="findings">
      ${findings.map(
        (finding) =>
          html`<li>
            <span class="s-${finding.severity}">${icon(finding.severity)}</span>
            <div>
              <span class="sr">${SEVERITIES[finding.severity]()}: </span>${prose(finding.what)}
              ${renderEvidence(finding.evidence ?? [])}
              ${finding.next ? html`<span class="next">${prose(finding.next)}</span>` : nothing}
              ${renderBelow(finding)}
            </div>
          </li>`,
      )}
    </ul>
    ${foot ?? nothing}
  </section>`;
}

/** Quotes from the request, the reply or the settings, each with its place. */
function renderEvidence(evidence: readonly FindingEvidence[]): unknown {
  if (evidence.length === 0) return nothing;
  return html`<ul class="evidence" aria-label=${t('Evidence')}>
    ${evidence.map(
      ({ place, quote }) =>
        html`<li><span class="muted">${prose(place)}</span> <q class="mono">${renderCut(quote)}</q></li>`,
    )}
  </ul>`;
}
