// A failed run: what happened, why, and what to do next; or a run that was stopped or interrupted; and what had
// arrived by then.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ErrorInfo, RunEntry, RunOutcome } from '../../../src/protocol';
import { focusBackOnceDone } from '../../focus/focus';
import { connectionOf } from '../../lanes/lane-queries';
import { icon } from '../../icons';
import type { Playground } from '../../playground';
import { button } from '../controls/controls';
import { prose } from '../controls/prose';
import { renderRemedies } from '../inspector/reply/remedy-buttons';
import { renderPartialReply } from './partial-reply';
import type { TurnElement } from './turn-element';

export function renderAlert(
  turn: TurnElement,
  entry: RunEntry,
  outcome: RunOutcome,
  error: ErrorInfo,
): TemplateResult {
  const { playground, laneId } = turn;
  // An earlier failure would be announced again whenever its conversation is drawn.
  return html`<div class="alert" role=${turn.isLast ? 'alert' : nothing}>
    <h3><span class="s-error">${icon('error')}</span><span>${prose(error.title)}</span></h3>
    <dl>
      ${renderLine(t('what'), error.what)} ${renderLine(t('why'), error.why)}
      ${renderLine(t('next'), error.next)}
    </dl>
    ${
      turn.isLast && !turn.isLocked
        ? renderRemedies(
            { playground, laneId, run: entry },
            outcome.findings.flatMap(({ remedies = [] }) => remedies),
          )
        : nothing
    }
    <div class="actions">
      ${turn.isLast && isKeyRefused(turn, outcome, error) ? renderSetKey(playground, turn.laneId) : nothing}
      ${turn.isLast && !turn.isLocked ? renderRunAgain(turn) : nothing}
      ${turn.isLast && lacksUsableAnswer(turn, outcome, error) ? renderDiagnose(playground, outcome) : nothing}
      ${button({ label: t('Show log'), onClick: () => void playground.send('log/show', {}) })}
    </div>
  </div>`;
}

export function renderStopped(turn: TurnElement, outcome: RunOutcome): TemplateResult {
  const word = describeStop(outcome);
  const hasPartial = outcome.partial !== undefined;
  return html`${renderPartialReply(outcome)}
    <p class="muted">
      ${word}
      ${hasPartial ? t('The received part is not added to the conversation.') : t('No reply was received.')}
    </p>
    ${turn.isLast && !turn.isLocked ? html`<div class="actions">${renderRunAgain(turn)}</div>` : nothing}`;
}

function describeStop({ verdict, error }: RunOutcome): string {
  if (verdict.kind !== 'interrupted') return t('Stopped.');
  return error?.code === 'elsewhere'
    ? t('No end recorded yet: the run may still be under way in another window.')
    : t('Interrupted: the panel or its window was closed.');
}

export function renderRunAgain(turn: TurnElement): TemplateResult {
  const { blocker, playground, laneId } = turn;
  return button({
    label: t('Run again'),
    isDisabled: blocker !== undefined,
    title: blocker,
    onClick: () => void playground.runAgain(laneId),
  });
}

/** Opens the dialog for the key of a connection. */
export async function setKey(playground: Playground, connectionId: string): Promise<void> {
  const goBack = focusBackOnceDone();
  await playground.send('connection/set-key', { connectionId });
  goBack();
}

export function renderSetKey(playground: Playground, laneId: string, isPrimary = false): TemplateResult {
  const connectionId = connectionOf(playground.state.session, laneId)?.id ?? '';
  return button({
    label: t('Set API key'),
    icon: 'key',
    appearance: isPrimary ? 'primary' : 'secondary',
    onClick: () => void setKey(playground, connectionId),
  });
}

/** Whether another key for the lane's own connection may help; if none is set, the head of the lane says so. */
function isKeyRefused(turn: TurnElement, { connectionId }: RunOutcome, { isKeyWanted }: ErrorInfo): boolean {
  const connection = connectionOf(turn.playground.state.session, turn.laneId);
  const isMissing = connection?.needsKey === true && !connection.hasKey;
  return isKeyWanted === true && !isMissing && connectionId === connection?.id;
}

function renderDiagnose(playground: Playground, { connectionId, model }: RunOutcome): TemplateResult {
  return button({
    label: t('Diagnose connection'),
    onClick: () => void playground.send('connection/diagnose', { connectionId, model }),
  });
}

/** Whether nothing came back, or nothing that a server of this protocol sends at this address. */
function lacksUsableAnswer(
  { playground }: TurnElement,
  { connectionId, ledger }: RunOutcome,
  { code }: ErrorInfo,
): boolean {
  const connections = playground.state.session.environment?.connections ?? [];
  if (!connections.some(({ id }) => id === connectionId)) return false;
  const status = ledger.at(-1)?.status;
  return /^(network|timeout|response-format)$/.test(code) || (code === 'http' && status === 404);
}

/** A server's message may be a page long, so it is clamped to three lines, with the rest on demand. */
function renderLine(term: string, text: string): unknown {
  return text
    ? html`<dt>${term}</dt>
        <dd><pg-clamped-text .content=${text}></pg-clamped-text></dd>`
    : nothing;
}
