// The tab *Rescue*: the text of the reply, which parts were rescued as calls, which were left as text and why, and how
// the same text reads with rescue switched the other way.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ReplyView, RunEntry } from '../../../../src/protocol';
import type { RescueReport } from '../../../../src/types';
import { countAt, countSpans } from '../../../lanes/lane-queries';
import { countOf, formatCount } from '../../../text/format';
import type { TraceSpan } from '../../../text/trace-spans';
import { formatsOf, selectedSpan, toSelection, traceSpans } from '../../../text/trace-spans';
import type { Selection } from '../../../state/view-state';
import { readOutcomeText } from '../../controls/outcome-text';
import { linkButton } from '../../controls/controls';
import { renderCut } from '../../controls/prose';
import type { Inspected } from '../inspected';
import type { TextRest } from './span-list';
import { renderRest, renderSpanList } from './span-list';
import { sentence } from '../../../text/sentence';

const MAX_FORMATS = 20;

export function renderRescueTab({ playground, lane, run }: Inspected): TemplateResult {
  const reply = run.outcome?.reply;
  if (!reply) {
    return html`<p class="muted">
      ${run.outcome ? t('There is no reply whose text could be read.') : t('The text is read when the reply is complete.')}
    </p>`;
  }
  const place = { laneId: lane.id, runId: run.id };
  const text = reply.raw.content;
  const restOf = (path: string) => readOutcomeText(playground, { laneId: lane.id, run }, path);
  const { length, read } = restOf('reply.raw.content');
  const selected = toSelected(playground.state.view.selection, run, reply);
  const select = (span: TraceSpan): void =>
    playground.setView({ selection: toSelection(place, reply, span) });
  return html`<section class="sec">
      <h3>${t('Text of the reply')} <small>${summarize(run, reply)}</small></h3>
      ${renderWhy(reply, run)}
      ${
        text === ''
          ? html`<p class="muted">${t('The reply has no text.')}</p>`
          : linkButton(t('Open in the format lab'), () => void playground.send('run/open-lab', place))
      }
    </section>
    ${
      text === ''
        ? nothing
        : html`<pg-rescue-trace
            .text=${text}
            .length=${length}
            .read=${read}
            .report=${reply.rescue}
            .selected=${selected}
            @pg-select=${({ detail }: CustomEvent<TraceSpan>) => select(detail)}
          ></pg-rescue-trace>`
    }
    ${reply.rescue ? renderSpans(reply, reply.rescue, { text, selected: selected?.span, select, restOf, count: countSpans(run) }) : nothing}
    ${
      text === ''
        ? nothing
        : html`<pg-read-again
            .playground=${playground}
            .laneId=${lane.id}
            .runId=${run.id}
            .wasRescued=${reply.toolCalls.length > 0}
          ></pg-read-again>`
    }`;
}

/** True when rescue was off, or the tool choice forbade calls, and it would have found at least one. */
export const isLeftByChoice = ({ rescue, toolCalls }: ReplyView): boolean =>
  rescue !== undefined && rescue.calls.length > 0 && toolCalls.length === 0;

/** Caches one object per selection, so that a span scrolls into view once for each click. */
const selections = new WeakMap<Selection, { span: TraceSpan } | undefined>();

function toSelected(
  selection: Selection | undefined,
  run: RunEntry,
  reply: ReplyView,
): { span: TraceSpan } | undefined {
  if (selection?.runId !== run.id) return undefined;
  if (!selections.has(selection)) {
    const span = selectedSpan(reply, selection);
    selections.set(selection, span && { span });
  }
  return selections.get(selection);
}

/** Such as `1 call rescued, 1 left as text`. */
function summarize(run: RunEntry, reply: ReplyView): string {
  const { rescue } = reply;
  if (!rescue) return t('not searched');
  const calls = countAt(run, 'reply.rescue.calls', rescue.calls);
  const rejected = countAt(run, 'reply.rescue.rejected', rescue.rejected);
  if (calls + rejected === 0) return t('nothing in it looks like a call');
  const rescued = describeRescued(calls, isLeftByChoice(reply));
  return rejected > 0 ? `${rescued}, ${t('{0} left as text', formatCount(rejected))}` : rescued;
}

function describeRescued(count: number, isOff: boolean): string {
  if (count === 0) return isOff ? t('no call would be rescued') : t('no call rescued');
  return isOff
    ? countOf(count, t('{0} call would be rescued'), t('{0} calls would be rescued'))
    : countOf(count, t('{0} call rescued'), t('{0} calls rescued'));
}

/** Explains what the marks cannot: why there are none, or none for a call. */
function renderWhy(reply: ReplyView, { outcome }: RunEntry): unknown {
  const { rescue, raw } = reply;
  const native = raw.toolCalls.length;
  if (native > 0) {
    return renderNote(
      countOf(
        native,
        t('The server returned {0} native call. When there is a native call, none is read from the text.'),
        t('The server returned {0} native calls. When there is a native call, none is read from the text.'),
      ),
    );
  }
  if (!rescue) return renderNote(t('No tools were offered, so the text cannot be a call.'));
  if (isLeftByChoice(reply)) {
    return renderNote(
      outcome?.rescueToolCalls === true
        ? t('The tool choice is none, so the whole text is the answer.')
        : t('Rescue is off, so the whole text is the answer.'),
    );
  }
  if (rescue.calls.length > 0 || rescue.rejected.length === 0) return nothing;
  const formats = formatsOf(rescue).slice(0, MAX_FORMATS);
  const names = formats.map(
    (format, index) => html`${index > 0 ? ', ' : ''}<code>${renderCut(format, 200)}</code>`,
  );
  return renderNote(sentence(t('The text looks like {0}, and nothing in it can be read as a call.'), names));
}

const renderNote = (note: unknown): TemplateResult => html`<p class="trace-note muted">${note}</p>`;

interface SpansOptions {
  text: string;
  selected: TraceSpan | undefined;
  select: (span: TraceSpan) => void;
  restOf: (path: string) => TextRest;
  /** Number of spans, of which the panel may have only the first ones. */
  count: number;
}

function renderSpans(
  reply: ReplyView,
  report: RescueReport,
  { text, selected, select, restOf, count }: SpansOptions,
): unknown {
  const spans = traceSpans(report);
  const content = restOf('reply.rescue.content');
  if (spans.length === 0 && !report.reasoning) return nothing;
  return html`<section class="sec">
    <h3>${t('Spans')}</h3>
    ${renderSpanList({
      spans,
      text,
      isOff: isLeftByChoice(reply),
      selected,
      onSelect: select,
      count,
      rest: renderRest(report, text, {
        ...(isLeftByChoice(reply) && { label: t('Would be left as content') }),
        place: content.length === undefined ? placeOf(report.content, text) : undefined,
        content,
        reasoning: restOf('reply.rescue.reasoning'),
      }),
    })}
  </section>`;
}

/** Position of the kept content in the text, if it stands there in one piece. */
function placeOf(content: string, text: string): { start: number; end: number } | undefined {
  const start = text.indexOf(content);
  return start === -1 ? undefined : { start, end: start + content.length };
}
