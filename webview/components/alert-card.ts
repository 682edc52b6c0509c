// A failure: what happened, why, what to do next; and a run that was stopped.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ErrorInfo } from '../../src/protocol';
import { icon } from '../icons';
import type { Playground } from '../playground';
import { settingsBlocker } from '../run-request';
import { button } from './controls';
import { prose } from './prose';

export function renderAlert(playground: Playground, error: ErrorInfo, isLast: boolean): TemplateResult {
  return html`<div class="alert" role="alert">
    <h3><span class="s-error">${icon('error')}</span><span>${prose(error.title)}</span></h3>
    <dl>
      ${renderLine('what', error.what)} ${renderLine('why', error.why)} ${renderLine('next', error.next)}
    </dl>
    <div class="actions">
      ${isLast ? renderRunAgain(playground) : nothing}
      ${button({ label: 'Show log', onClick: () => void playground.showLog() })}
    </div>
  </div>`;
}

export function renderStopped(playground: Playground, isLast: boolean): TemplateResult {
  return html`<p class="muted">Stopped. No reply was kept; the message was.</p>
    ${isLast ? html`<div class="actions">${renderRunAgain(playground)}</div>` : nothing}`;
}

export function renderRunAgain(playground: Playground): TemplateResult {
  const blocker = settingsBlocker(playground.state);
  return button({
    label: 'Run again',
    isDisabled: blocker !== undefined,
    title: blocker?.replaceAll('`', ''),
    onClick: () => void playground.runAgain(),
  });
}

function renderLine(term: string, text: string): unknown {
  return text
    ? html`<dt>${term}</dt>
        <dd>${prose(text)}</dd>`
    : nothing;
}
