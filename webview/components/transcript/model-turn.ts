// One reply of the model, or the end of a run that brought none.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { expectReply } from '../../actions/evaluate';
import { inspect } from '../../actions/inspect';
import type { ErrorInfo, ReplyView, RunEntry, RunOutcome } from '../../../src/protocol';
import { canEdit, contentOf } from '../../lanes/lane-queries';
import { renderLater } from '../../later';
import { copyText } from '../../text/copy-text';
import { iconButton } from '../controls/controls';
import { announceCopy, copyOutcomeJson, readOutcomeText } from '../controls/outcome-text';
import { renderAlert, renderRunAgain, renderStopped } from './alert-card';
import { renderPartialReply } from './partial-reply';
import { renderReasoning } from './reasoning-fold';
import { renderRejectedCard } from './rejected-card';
import { renderRunEnd } from './run-end';
import type { TurnElement } from './turn-element';

const MAX_CARDS = 50;

export function renderModelTurn(turn: TurnElement, entry: RunEntry): TemplateResult {
  return html`${renderTurn(turn, entry)}${turn.isLast || entry.ending ? renderRunEnd(turn, entry) : nothing}`;
}

function renderTurn(turn: TurnElement, entry: RunEntry): TemplateResult {
  const { outcome } = entry;
  if (!outcome) return entry.isStored ? renderStored() : renderLive(turn, entry);
  if (outcome.reply) return renderReply(turn, entry, outcome.reply);
  // A stopped run is not a failure, even if the outcome carries the stop as an error.
  const { kind } = outcome.verdict;
  if (kind === 'stopped' || kind === 'interrupted' || !outcome.error) {
    return renderRow(turn, entry, renderStopped(turn, outcome));
  }
  return renderFailed(turn, entry, outcome, outcome.error);
}

/** What had arrived is shown where a reply would be, and below it why there is no more. */
function renderFailed(
  turn: TurnElement,
  entry: RunEntry,
  outcome: RunOutcome,
  error: ErrorInfo,
): TemplateResult {
  const row = outcome.partial
    ? html`${renderWho(turn, entry)}
        <div class="what">${renderPartialReply(outcome)}</div>`
    : nothing;
  return html`<div class="turn">
    ${row}
    <div class="all">${renderAlert(turn, entry, outcome, error)}</div>
  </div>`;
}

/** A placeholder of the size of a short reply; the outcome is read when it scrolls near. */
const renderStored = (): TemplateResult =>
  html`<div class="turn is-stored">
    <div class="who">${t('model')}</div>
    <div class="what"><p class="muted">${t('An earlier reply…')}</p></div>
  </div>`;

function renderLive(turn: TurnElement, entry: RunEntry): TemplateResult {
  const { playground, laneId } = turn;
  return renderRow(
    turn,
    entry,
    turn.isLive
      ? html`<pg-live-turn
          class="progress"
          .playground=${playground}
          .laneId=${laneId}
          .runId=${entry.id}
        ></pg-live-turn>`
      : html`<p class="muted">${t('Not asked yet.')}</p>`,
  );
}

function renderRow(turn: TurnElement, entry: RunEntry, content: TemplateResult): TemplateResult {
  const { selected } = turn;
  const isSelected = selected !== undefined && (selected.callIndex ?? selected.spanNumber) === undefined;
  return html`<div
    class="turn ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    ${renderWho(turn, entry)}
    <div class="what">${content}</div>
  </div>`;
}

function renderWho({ playground, laneId }: TurnElement, entry: RunEntry): TemplateResult {
  const select = (): void => inspect(playground, { selection: { laneId, runId: entry.id }, tab: 'reply' });
  return html`<button class="who" type="button" data-row title=${t('Show in the inspector')} @click=${select}>
    ${t('model')}${entry.step ? html` <small>${t('step {0}', entry.step.number)}</small>` : nothing}
  </button>`;
}

function renderReply(turn: TurnElement, entry: RunEntry, reply: ReplyView): TemplateResult {
  const { raw, rescue, toolCalls } = reply;
  const content = contentOf(reply);
  const reasoning = raw.reasoning ?? rescue?.reasoning;
  const rejected = rescue?.rejected ?? [];
  const isSentBack = raw.replay !== undefined && !raw.replay.isWithheld && toolCalls.length > 0;
  const contentPath = reply.content === undefined ? 'reply.raw.content' : 'reply.content';
  const reasoningPath = raw.reasoning === undefined ? 'reply.rescue.reasoning' : 'reply.raw.reasoning';
  return renderRow(
    turn,
    entry,
    html`${reasoning ? renderReasoning(reasoning, readOf(turn, entry, reasoningPath)) : nothing}
    ${isSentBack ? html`<p class="muted"><small>${t('Reasoning: goes back unchanged with these calls, only to the same connection and model')}</small></p>` : nothing}
    ${content ? renderContent(turn, content, readOf(turn, entry, contentPath)) : nothing}
    ${content === '' && toolCalls.length === 0 ? html`<p class="muted">${t('The reply is empty.')}</p>` : nothing}
    ${
      toolCalls.length > 0
        ? html`<pg-call-list
            .playground=${turn.playground}
            .laneId=${turn.laneId}
            .entry=${entry}
            .selected=${turn.selected}
            .drafts=${turn.drafts}
            .isLast=${turn.isLast}
            .isPaused=${turn.isPaused}
            .primaryCall=${turn.primaryCall}
            .toolNames=${turn.toolNames}
          ></pg-call-list>`
        : nothing
    }
    ${rejected.slice(0, MAX_CARDS).map((rejection) => renderRejectedCard(turn, entry, rejection))}
    ${
      rejected.length > MAX_CARDS
        ? html`<p class="muted">
            ${t('… {0} more left as text; see the inspector.', rejected.length - MAX_CARDS)}
          </p>`
        : nothing
    }
    ${renderActions(turn, reply, entry)}`,
  );
}

function renderContent(
  { isRendered }: TurnElement,
  content: string,
  { length, read }: ReturnType<typeof readOutcomeText>,
): unknown {
  if (isRendered)
    return renderLater(
      () => html`<pg-rendered-reply .text=${content} .length=${length} .read=${read}></pg-rendered-reply>`,
    );
  return html`<p class="text">
    <pg-long-text .text=${content} .length=${length} .read=${read}></pg-long-text>
  </p>`;
}

/** Full length of a text of the outcome, if the panel has it only in part, and how to read the rest. */
const readOf = (
  { playground, laneId }: TurnElement,
  run: RunEntry,
  path: string,
): ReturnType<typeof readOutcomeText> => readOutcomeText(playground, { laneId, run }, path);

function renderActions(turn: TurnElement, reply: ReplyView, entry: RunEntry): TemplateResult {
  const { playground, laneId } = turn;
  const { length, read } = readOf(turn, entry, 'reply.raw.content');
  const copyReply = async (): Promise<void> => {
    const isCut = (length ?? 0) > reply.raw.content.length;
    const text = isCut ? await read() : reply.raw.content;
    if (text !== undefined) announceCopy(playground, t('The reply'), await copyText(text));
  };
  const copyCalls = async (): Promise<void> => {
    const part = { path: 'reply.toolCalls', value: reply.toolCalls };
    const isCopied = await copyOutcomeJson(playground, { laneId, run: entry }, part);
    if (isCopied !== undefined) announceCopy(playground, t('The calls'), isCopied);
  };
  const expectIt = (): Promise<void> => expectReply(playground, { laneId, runId: entry.id, what: 'reply' });
  return html`<div class="turn-foot">
    ${iconButton(t('Copy reply'), 'copy', () => void copyReply())}
    ${
      reply.toolCalls.length > 0
        ? iconButton(t('Copy calls as JSON'), 'malformed', () => void copyCalls())
        : nothing
    }
    ${
      canEdit(playground.state.session)
        ? iconButton(t('Expect this reply'), 'evaluate', () => void expectIt())
        : nothing
    }
    ${contentOf(reply) === '' ? nothing : renderSwitch(turn)}
    ${turn.isLast && !turn.isLocked ? renderRunAgain(turn) : nothing}
  </div>`;
}

function renderSwitch({ playground, isRendered }: TurnElement): TemplateResult {
  return html`<button
    class="ghost"
    type="button"
    title=${t('In all replies of the panel; what is stored and sent stays the same.')}
    @click=${() => playground.setView({ isRendered: !isRendered })}
  >
    ${isRendered ? t('Show as sent') : t('Show rendered')}
  </button>`;
}
