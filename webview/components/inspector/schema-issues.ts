// Places where the arguments of a call do not match the schema of its tool.
import { html } from 'lit';
import { icon } from '../../icons';
import { prose, renderCut } from '../controls/prose';

const MAX_SHOWN = 200;

export function renderIssues(issues: readonly { path: string; message: string }[]): unknown {
  return issues.slice(0, MAX_SHOWN).map(
    ({ path, message }) =>
      html`<p class="has-icon">
        <span class="s-warning">${icon('warning')}</span
        ><span><code>${renderCut(path || '/', 200)}</code> ${prose(message)}</span>
      </p>`,
  );
}
