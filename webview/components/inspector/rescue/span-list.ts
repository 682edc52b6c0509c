// The spans of a reply's text in words: what was rescued and how, what was left as text and why, and what remains.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RescuedCall, RescueRejection, RescueReport } from '../../../../src/types';
import { countOf, formatCount } from '../../../text/format';
import { findReasoning, quoteAt, toPoint } from '../../../text/reply-text';
import type { TraceSpan } from '../../../text/trace-spans';
import type { ReadText } from '../../controls/long-text';
import { renderMarked } from '../../controls/marked-text';
import { prose, renderCut } from '../../controls/prose';
import { renderNearest } from '../../transcript/rejected-card';
import { MAX_DRAWN, spanRowId } from './rescue-trace';
import { renderIssues } from '../schema-issues';
import { sentence } from '../../../text/sentence';
import { repairWord } from './span-words';

const MAX_ROWS = 200;
const MAX_PLACES = 8;

export interface SpanListOptions {
  spans: readonly TraceSpan[];
  /** The text of the reply as far as the panel has it. */
  text: string;
  /** Whether rescue was off, so that calls were found but not taken. */
  isOff: boolean;
  selected: TraceSpan | undefined;
  onSelect: (span: TraceSpan) => void;
  /** Number of all spans where `spans` has only the first ones. */
  count?: number;
  /** Rows without a number, after the others. */
  rest: unknown;
}

export function renderSpanList(options: SpanListOptions): TemplateResult {
  const { spans, rest, count = spans.length } = options;
  return html`<ol class="spans" role="list">
    ${spans.slice(0, MAX_ROWS).map((span) => renderSpan(span, options))}
    ${
      count > MAX_ROWS
        ? html`<li>
            <span></span
            ><span class="muted"
              >… ${countOf(count - MAX_ROWS, t('{0} more span'), t('{0} more spans'))}</span
            >
          </li>`
        : nothing
    }
    ${rest}
  </ol>`;
}

export interface RestOptions {
  /** Label of the content that the answer keeps. @default that it is left as content */
  label?: string;
  /** Position of that content in the text, if it stands there in one piece. */
  place?: Extent | undefined;
  content?: TextRest;
  reasoning?: TextRest;
}

/** The length of a text where only its beginning is available, in characters, and how to read the whole. */
export interface TextRest {
  length?: number | undefined;
  read?: ReadText;
}

/** Rows for the closed reasoning and for the content that the answer keeps. */
export function renderRest(
  { reasoning, content }: Pick<RescueReport, 'reasoning' | 'content'>,
  text: string,
  { label = t('Left as content'), place, content: rest = {}, reasoning: aside = {} }: RestOptions = {},
): unknown {
  const blocks = reasoning ? findReasoning(text, reasoning) : [];
  const whole = text.trim();
  const isAll = whole.startsWith(content) && (rest.length ?? content.length) === whole.length;
  const kept =
    content === '' || isAll
      ? html`<span class="muted">${isAll ? t('All of it.') : t('Nothing.')}</span>`
      : html`<pg-content-value
          .text=${content}
          .length=${rest.length}
          .read=${rest.read}
        ></pg-content-value>`;
  return html`${
    reasoning
      ? renderPlainRow(
          t('Closed reasoning'),
          html`<pg-content-value
            .text=${reasoning}
            .length=${aside.length}
            .read=${aside.read}
          ></pg-content-value>`,
          blocks.length === 1 ? blocks[0] : undefined,
        )
      : nothing
  }
  ${renderPlainRow(label, kept, content === '' || isAll ? undefined : place)}`;
}

interface Extent {
  start: number;
  end: number;
}

function renderPlainRow(label: unknown, content: unknown, place?: Extent): unknown {
  return html`<li>
    <span></span>
    <div>${label}</div>
    ${place ? renderPlace(place) : html`<span></span>`}
    <div class="kept">${content}</div>
  </li>`;
}

function renderSpan(span: TraceSpan, options: SpanListOptions): TemplateResult {
  const { number, call, rejection } = span;
  const isSelected = options.selected?.number === number;
  return html`<li
    id=${spanRowId(span)}
    class=${isSelected ? 'is-selected' : ''}
    aria-current=${isSelected ? 'true' : nothing}
  >
    <span class="tag ${call ? 'is-taken' : 'is-left'}">${number}</span>
    <div>
      <button class="title" type="button" @click=${() => options.onSelect(span)}>
        ${call ? describeCall(call, options.isOff) : nothing}${rejection ? describeRejection(rejection) : nothing}
      </button>
      ${call ? renderCall(call, options.text) : nothing} ${rejection ? renderRejection(rejection) : nothing}
      ${renderLimit(span, options.text)}
    </div>
    ${renderPlace(span)}
  </li>`;
}

/** The first character is 1, as in findings. */
const renderPlace = ({ start, end }: { start: number; end: number }): TemplateResult =>
  html`<span class="at num"
    ><span class="sr">${t('characters')} </span
    >${t('{0} to {1}', formatCount(start + 1), formatCount(end))}</span
  >`;

function describeCall({ name, format, evidence }: RescuedCall, isOff: boolean): TemplateResult {
  return html`${sentence(
    t('{0}: {1}, {2} by its {3}'),
    html`<b>${isOff ? t('Would be rescued') : t('Rescued')}</b>`,
    html`<code>${renderCut(name, 200)}</code>`,
    renderCut(format, 200),
    evidence,
  )}`;
}

function describeRejection({ reason, format }: RescueRejection): TemplateResult {
  return html`<b>${t('Left as text')}</b>: <code>${renderCut(reason, 200)}</code>, ${renderCut(format, 200)}`;
}

function renderCall(call: RescuedCall, text: string): TemplateResult {
  const kinds = [...new Set(call.repairs.map(({ kind }) => kind))];
  return html`${call.rawName === call.name ? nothing : html`<p class="sub">${sentence(t('Written as {0}'), html`<code>${renderCut(call.rawName, 200)}</code>`)}</p>`}
  ${kinds.map((kind) => renderRepair(call, kind, text))} ${renderIssues(call.schemaIssues ?? [])}`;
}

/** All repairs of one kind, each with what is around it. */
function renderRepair(call: RescuedCall, kind: string, text: string): unknown {
  const repairs = call.repairs.filter((repair) => repair.kind === kind);
  const [first] = repairs;
  if (!first) return nothing;
  const places = repairs.slice(0, MAX_PLACES).map(({ at }) => formatCount(at + 1));
  const more = repairs.length - places.length;
  const at = more > 0 ? t('{0} and {1} more', places.join(', '), formatCount(more)) : places.join(', ');
  return html`<p class="sub">
    ${sentence(t('Repaired {0} at {1}'), html`<span title=${kind}>${renderCut(repairWord(kind), 200)}</span>`, at)}${first.note ? html`, ${renderCut(first.note, 200)}` : ''}:
    ${repairs.slice(0, MAX_PLACES).map((repair) => renderQuote(toPoint(repair), call, text))}
  </p>`;
}

function renderQuote(point: ReturnType<typeof toPoint>, call: RescuedCall, text: string): TemplateResult {
  const { before, bit, after } = quoteAt(text, point, call);
  return html`<code class="quote"
    >${renderMarked(before)}<span class="mark is-${point.shape}">${renderMarked(bit)}</span
    >${renderMarked(after)}</code
  > `;
}

function renderRejection({ detail, nearest = [], hint }: RescueRejection): TemplateResult {
  return html`<p class="sub">${prose(detail)} ${renderNearest(`${detail} ${hint ?? ''}`, nearest)}</p>
    ${hint ? html`<p class="sub">${prose(hint)}</p>` : nothing}`;
}

function renderLimit({ start }: TraceSpan, text: string): unknown {
  if (start < Math.min(text.length, MAX_DRAWN) || text === '') return nothing;
  return html`<p class="sub">
    ${
      start < text.length
        ? t('Outside the part of the text that is shown.')
        : t('Outside the part of the text that the panel has.')
    }
  </p>`;
}
