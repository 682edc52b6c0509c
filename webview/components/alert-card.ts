// A failure: what happened, why, what to do next; and a run that was stopped.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ErrorInfo } from '../../src/protocol';
import { countOf } from '../format';
import { icon } from '../icons';
import type { Playground } from '../playground';
import { settingsBlocker } from '../run-request';
import type { RunEntry } from '../state';
import { currentConnection } from '../state';
import { button } from './controls';
import { prose } from './prose';

export function renderAlert(
  playground: Playground,
  { entry, error, isLast }: { entry: RunEntry; error: ErrorInfo; isLast: boolean },
): TemplateResult {
  return html`<div class="alert" role="alert">
    <h3><span class="s-error">${icon('error')}</span><span>${prose(error.title)}</span></h3>
    <dl>
      ${renderLine('what', error.what)} ${renderLine('why', error.why)} ${renderLine('next', error.next)}
    </dl>
    ${renderPartial(error)}
    <div class="actions">
      ${isLast && isKeyRefused(playground, entry, error) ? renderSetKey(playground) : nothing}
      ${isLast ? renderRunAgain(playground) : nothing}
      ${button({ label: 'Show log', onClick: () => void playground.showLog() })}
    </div>
  </div>`;
}

export function renderStopped(
  playground: Playground,
  error: ErrorInfo | undefined,
  isLast: boolean,
): TemplateResult {
  return html`<p class="muted">Stopped. No reply was kept; the message was.</p>
    ${renderPartial(error)}
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

/** The same button as in the head of a lane that has no key. */
export function renderSetKey(playground: Playground): TemplateResult {
  return button({
    label: 'Set API key',
    icon: 'key',
    onClick: () => void playground.changeKey('connection/set-key'),
  });
}

/** Whether another key of the lane's own connection may help. */
function isKeyRefused({ state }: Playground, { outcome }: RunEntry, { code }: ErrorInfo): boolean {
  const connection = currentConnection(state);
  if (!connection?.needsKey || outcome?.connectionId !== connection.id) return false;
  const status = outcome.ledger.at(-1)?.status;
  return code === 'connection-key' || (code === 'http' && (status === 401 || status === 403));
}

/** What came before it failed is no reply, but it is evidence. */
function renderPartial(error: ErrorInfo | undefined): unknown {
  if (!error?.partial) return nothing;
  return html`<details class="fold">
    <summary>${icon('right')}What had arrived, ${countOf(error.partial.length, 'character')}</summary>
    <p class="text"><pg-long-text .text=${error.partial}></pg-long-text></p>
  </details>`;
}

function renderLine(term: string, text: string): unknown {
  return text
    ? html`<dt>${term}</dt>
        <dd>${prose(text)}</dd>`
    : nothing;
}
