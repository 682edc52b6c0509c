// Where the arguments of a call do not fit the schema of its tool.
import { html } from 'lit';
import type { RescuedCall } from '../../src/types';
import { icon } from '../icons';
import { cut, prose } from './prose';

const MAX_SHOWN = 200;

export function renderIssues(issues: NonNullable<RescuedCall['schemaIssues']>): unknown {
  return issues.slice(0, MAX_SHOWN).map(
    ({ path, message }) =>
      html`<p class="has-icon">
        <span class="s-warning">${icon('warning')}</span
        ><span><code>${cut(path || '/', 200)}</code> ${prose(message)}</span>
      </p>`,
  );
}
