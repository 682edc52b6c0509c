// The text of a reply with its spans marked. Their numbers are in the gutter, or inline where a span begins in the
// middle of a line. The list beside it says the same in words. Text nodes only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RescueReport } from '../../../../src/types';
import { countOf, toCharacterStart } from '../../../text/format';
import { findReasoning, toPoint } from '../../../text/reply-text';
import type { SegmentMark, TextSegment } from '../../../text/text-segments';
import { segmentText } from '../../../text/text-segments';
import type { TraceSpan } from '../../../text/trace-spans';
import { traceSpans } from '../../../text/trace-spans';
import type { ReadText } from '../../controls/long-text';
import { renderMarked } from '../../controls/marked-text';
import { PanelElement } from '../../controls/panel-element';

const FIRST_LENGTH = 20_000;
/** In characters; marks beyond it appear in the list only. */
export const MAX_DRAWN = 200_000;
const MAX_MARKS = 200;
const MAX_POINTS = 500;

export class RescueTrace extends PanelElement {
  static override properties = {
    text: {},
    length: { attribute: false },
    read: { attribute: false, hasChanged: () => false },
    report: { attribute: false },
    selected: { attribute: false },
    isExpanded: { state: true },
    whole: { state: true },
  };
  declare text: string;
  /** Length of the whole text where the panel has only its beginning, in characters. */
  declare length: number | undefined;
  declare read: ReadText | undefined;
  declare whole: string | undefined;
  declare report: RescueReport | undefined;
  /** Selecting the same span again creates a new object, which scrolls it into view again. */
  declare selected: { span: TraceSpan } | undefined;
  declare isExpanded: boolean;
  #segments: readonly TextSegment[] = [];

  constructor() {
    super();
    this.text = '';
    this.isExpanded = false;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('text')) {
      this.isExpanded = false;
      this.whole = undefined;
    }
    const { start = 0 } = this.selected?.span ?? {};
    if (changed.has('selected') && start >= FIRST_LENGTH && start < MAX_DRAWN) this.isExpanded = true;
    if (['text', 'whole', 'report', 'isExpanded'].some((name) => changed.has(name)))
      this.#segments = this.#cut();
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('selected') || !this.selected) return;
    // Scrolls to the row first and to the text last: both are visible if there is room, otherwise the text is.
    document.getElementById(spanRowId(this.selected.span))?.scrollIntoView?.({ block: 'nearest' });
    const pieces = [...this.querySelectorAll('.mark.is-selected')];
    for (const piece of [pieces.at(-1), pieces[0]]) piece?.scrollIntoView?.({ block: 'nearest' });
  }

  override render(): TemplateResult {
    const missing = Math.max(this.length ?? 0, this.#all.length) - this.#limit;
    return html`<div
        class="raw trace ${traceSpans(this.report).length > 0 ? 'has-numbers' : ''}"
        role="group"
        aria-label=${t('Text of the reply with its spans')}
        tabindex="0"
        @click=${this.#clicked}
      >
        <span class="lines">${this.#segments.map((segment) => this.#renderSegment(segment))}</span>
        ${missing > 0 ? this.#renderRest(missing) : nothing}
      </div>
      ${
        traceSpans(this.report).length > MAX_MARKS
          ? html`<p class="hint">${t('Only the first {0} spans are marked.', MAX_MARKS)}</p>`
          : nothing
      }`;
  }

  /** The text as far as the panel has it. */
  get #all(): string {
    return this.whole ?? this.text;
  }

  get #limit(): number {
    const limit = Math.min(this.#all.length, this.isExpanded ? MAX_DRAWN : FIRST_LENGTH);
    return toCharacterStart(this.#all, limit);
  }

  #cut(): TextSegment[] {
    const shown = this.#all.slice(0, this.#limit);
    const spans = traceSpans(this.report).slice(0, MAX_MARKS);
    const marks = spans.map(({ start, end, number, call }): SegmentMark => ({
      start,
      end,
      number,
      kind: call ? 'taken' : 'left',
    }));
    const aside = findReasoning(this.#all, this.report?.reasoning ?? '').slice(0, MAX_MARKS);
    const points = spans.flatMap(({ call }) => call?.repairs ?? []).slice(0, MAX_POINTS);
    return segmentText(
      shown,
      [...aside.map((block): SegmentMark => ({ ...block, kind: 'aside' })), ...marks],
      points.map(toPoint),
    );
  }

  #renderSegment({ start, text, marks, opens, point }: TextSegment): unknown {
    const isLineStart = start === 0 || this.#all.charAt(start - 1) === '\n';
    const numbers = opens.map(
      (mark, index) =>
        html`<span
          class="tag is-${mark.kind} ${isLineStart && index === 0 ? 'is-gutter' : ''} ${this.#stateOf(mark)}"
          aria-hidden="true"
          >${mark.number}</span
        >`,
    );
    const innermost = marks.at(-1);
    const marked = renderMarked(this.#all, start, start + text.length);
    if (!innermost) return html`${numbers}${marked}`;
    const state = marks.map((mark) => this.#stateOf(mark)).find(Boolean) ?? '';
    const number = marks.findLast((mark) => mark.number !== undefined)?.number;
    return html`${numbers}<span
        class="mark is-${innermost.kind} ${state} ${point ? `is-${point.shape}` : ''}"
        data-span=${number ?? nothing}
        >${point && text === '\n' ? '↵\n' : marked}</span
      >`;
  }

  #stateOf({ number }: SegmentMark): string {
    return number !== undefined && number === this.selected?.span.number ? 'is-selected' : '';
  }

  #renderRest(missing: number): TemplateResult {
    const isDrawn = this.isExpanded && (this.whole !== undefined || this.length === undefined);
    return html`<span class="rest"
      >${
        isDrawn
          ? countOf(
              missing,
              t('… {0} more character that is not shown'),
              t('… {0} more characters that are not shown'),
            )
          : html`${countOf(missing, t('… {0} more character'), t('… {0} more characters'))}
              <button class="link" type="button" @click=${() => void this.#showAll()}>
                ${t('Show all')}
              </button>`
      }</span
    >`;
  }

  async #showAll(): Promise<void> {
    const { text, length = 0 } = this;
    if (length > text.length && this.whole === undefined && this.read) {
      const whole = await this.read();
      if (whole !== undefined && this.text === text) this.whole = whole;
    }
    this.isExpanded = true;
  }

  readonly #clicked = ({ target }: Event): void => {
    // The click may have ended a text selection, which is left alone.
    if (document.getSelection()?.isCollapsed === false) return;
    const number = Number((target as HTMLElement).closest<HTMLElement>('[data-span]')?.dataset.span);
    const span = traceSpans(this.report)[number - 1];
    if (span) this.dispatchEvent(new CustomEvent('pg-select', { detail: span }));
  };
}

export const spanRowId = ({ number }: TraceSpan): string => `span-${number}`;
