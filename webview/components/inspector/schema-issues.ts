// Places where the arguments of a call do not match the schema of its tool.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../../icons';
import { prose, renderCut } from '../controls/prose';

const MAX_SHOWN = 200;

interface Issue {
  path: string;
  message: string;
}

export function renderIssues(issues: readonly Issue[]): unknown {
  return issues
    .slice(0, MAX_SHOWN)
    .map(
      (issue) =>
        html`<p class="has-icon">
          <span class="s-warning">${icon('warning')}</span><span>${renderIssue(issue)}</span>
        </p>`,
    );
}

/** What is wrong at a place of the arguments. A whole sentence is about the call, which no pointer leads to. */
export function renderIssue({ path, message }: Issue): TemplateResult {
  const isSentence = path === '' && message.endsWith('.');
  return html`${isSentence ? nothing : html`<code>${renderCut(path || '/', 200)}</code> `}${prose(message)}`;
}
