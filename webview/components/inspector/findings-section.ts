// What was found: how grave, what is so, what to do about it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { Finding } from '../../../src/types';
import { icon } from '../../icons';
import { prose } from '../controls/prose';

/** @param renderLink Such as to where it is shown. */
export function renderFindings(
  findings: readonly Finding[],
  renderLink: (finding: Finding) => unknown = () => nothing,
): unknown {
  if (findings.length === 0) return nothing;
  return html`<section class="sec">
    <h3>${t('Findings')}</h3>
    <ul class="findings">
      ${findings.map(
        (finding) =>
          html`<li>
            <span class="s-${finding.severity}">${icon(finding.severity)}</span>
            <div>
              <span class="sr">${finding.severity}: </span>${prose(finding.what)}
              ${finding.next ? html`<span class="next">${prose(finding.next)}</span>` : nothing}
              ${renderLink(finding)}
            </div>
          </li>`,
      )}
    </ul>
  </section>`;
}
