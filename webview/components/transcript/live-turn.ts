// A reply while it is being written, with a caret at its end. It is not interpreted yet: a call is shown as the
// text it arrives as. New text is added to the page and never drawn again. Text nodes only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { LiveReplyView } from '../../../src/protocol';
import { connectionOf, liveReply } from '../../lanes/lane-queries';
import type { PanelState } from '../../state/panel-state';
import { laneOf } from '../../state/session-state';
import { findCallOpener } from '../../text/call-opener';
import { countOf, formatClock } from '../../text/format';
import { icon } from '../../icons';
import { renderMarked } from '../controls/marked-text';
import { renderOmitted } from '../controls/omitted';
import { prose } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { GrowingText } from './growing-text';

interface LivePiece {
  key: string;
  text: string;
  /** Number of characters that came before it. */
  start: number;
}

export class LiveTurn extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
    runId: { attribute: false as const },
  };
  declare laneId: string;
  declare runId: string;
  /** Offset at which a call was found to begin, counted from the first character of the reply. */
  #opener: number | undefined;

  override render(): TemplateResult {
    const { session } = this.playground.state;
    const lane = laneOf(session, this.laneId);
    const reply = liveReply(lane, this.runId);
    if (!reply) {
      this.#opener = undefined;
      return html`<p class="muted">${prose(this.#describeWait())}</p>`;
    }
    return renderLiveReply(reply, this.#placeOpener(reply));
  }

  override updated(): void {
    const { session } = this.playground.state;
    const reply = liveReply(laneOf(session, this.laneId), this.runId);
    if (reply) showLiveTexts(this, reply, this.#opener);
  }

  protected override watched({ session }: PanelState): readonly unknown[] {
    const lane = session.lanes.get(this.laneId);
    return [lane?.progress, lane?.run?.phase];
  }

  #placeOpener({ content, omitted }: LiveReplyView): number | undefined {
    const end = omitted.content + content.length;
    if (this.#opener !== undefined && this.#opener <= end) return this.#opener;
    const found = findCallOpener(content);
    this.#opener = found < 0 ? undefined : omitted.content + found;
    return this.#opener;
  }

  #describeWait(): string {
    const { session } = this.playground.state;
    const { run, progress } = laneOf(session, this.laneId);
    const { limits } = connectionOf(session, this.laneId) ?? {};
    if (run?.phase === 'queued') return t('Other requests to this server come first.');
    if (progress?.phase === 'reading') return t('The server answers; its reply is being read.');
    if (progress?.phase === 'waiting-to-retry') {
      return progress.ledger.at(-1)?.reason ?? t('The last attempt failed; the next one follows.');
    }
    const limit = limits?.timeoutMs
      ? t('An attempt may take {0}; Stop ends it.', formatClock(limits.timeoutMs))
      : t('There is no time limit; Stop ends it.');
    return t(
      'The server has the request and has not answered yet. A first run loads the model, which can take minutes. {0}',
      limit,
    );
  }
}

/** The markup around the texts, which `showLiveTexts` puts in. */
export function renderLiveReply(reply: LiveReplyView, opener: number | undefined): TemplateResult {
  const { reasoning, toolCalls, omitted } = reply;
  const [prosePart, callPart] = splitContent(reply, opener);
  const more =
    omitted.toolCalls > 0 ? `… ${countOf(omitted.toolCalls, t('{0} more call'), t('{0} more calls'))}` : '';
  return html`${
    reasoning === ''
      ? nothing
      : html`<details class="fold">
          <summary>
            ${icon('right')}${countOf(omitted.reasoning + reasoning.length, t('Reasoning, {0} character'), t('Reasoning, {0} characters'))}
          </summary>
          <div class="text muted">
            ${renderOmitted(omitted.reasoning)}<pg-growing-text data-part="reasoning"></pg-growing-text>
          </div>
        </details>`
  }
  ${renderOmitted(omitted.content)}
  ${prosePart ? html`<div class="text live"><pg-growing-text data-part="prose"></pg-growing-text></div>` : nothing}
  ${callPart ? html`<div class="text live mono"><pg-growing-text data-part="call"></pg-growing-text></div>` : nothing}
  ${toolCalls.map(
    ({ name }, index) =>
      html`<div class="text live mono">
        <b>${renderMarked(name) || t('(no name yet)')}</b>
        <pg-growing-text data-part="call-${index}"></pg-growing-text>
      </div>`,
  )}
  ${more === '' ? nothing : html`<p class="text muted">${more}</p>`}
  ${prosePart || callPart || toolCalls.length > 0 ? nothing : html`<p class="text live"></p>`}`;
}

export function showLiveTexts(root: ParentNode, reply: LiveReplyView, opener: number | undefined): void {
  const [prosePart, callPart] = splitContent(reply, opener);
  const parts: (LivePiece | undefined)[] = [
    { key: 'reasoning', text: reply.reasoning, start: reply.omitted.reasoning },
    prosePart,
    callPart,
    // The host sends only the end of the arguments and not how much came before, so the offset is always 0.
    ...reply.toolCalls.map(({ arguments: text }, index) => ({ key: `call-${index}`, text, start: 0 })),
  ];
  for (const part of parts) {
    const place = part && root.querySelector(`[data-part="${part.key}"]`);
    if (part && place instanceof GrowingText) place.show(part.text, part.start);
  }
}

/** Splits the content into prose and what looks like a call; either may be missing. */
function splitContent(
  { content, omitted }: LiveReplyView,
  opener: number | undefined,
): [prose: LivePiece | undefined, call: LivePiece | undefined] {
  const start = omitted.content;
  const cut = opener === undefined ? content.length : Math.max(0, opener - start);
  const before = content.slice(0, cut);
  const after = content.slice(cut);
  return [
    before.trim() === '' ? undefined : { key: 'prose', text: before, start },
    after === '' ? undefined : { key: 'call', text: after, start: start + cut },
  ];
}
