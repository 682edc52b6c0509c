// What was read from the text of the lab: a summary row, how it was read, the spans, and the calls.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ErrorInfo, LabReading } from '../../src/protocol';
import type { RescuedCall } from '../../src/types';
import { iconButton } from '../components/controls/controls';
import { prose, renderCut } from '../components/controls/prose';
import { renderIssues } from '../components/inspector/schema-issues';
import { renderRest, renderSpanList } from '../components/inspector/rescue/span-list';
import type { IconName } from '../icons';
import { icon } from '../icons';
import { copyText } from '../text/copy-text';
import { countOf, formatCount, formatDuration, toJson } from '../text/format';
import { spellMarks } from '../text/text-marks';
import type { TraceSpan } from '../text/trace-spans';
import { formatsOf, traceSpans } from '../text/trace-spans';
import { renderCompared, renderHints, renderWritten } from './formats';
import type { Lab } from './lab';
import type { LabState } from './lab-state';
import { renderChoices } from './choices';

/** Maximum number of calls drawn in full; the list of spans has more. */
const MAX_CALLS = 20;
const MAX_FORMATS = 5;

/** @param replace Replaces the text of the lab. */
export function renderReading(lab: Lab, replace: (text: string) => void): unknown {
  const { reading, problem, document: kept } = lab.state;
  if (problem) return renderProblem(problem);
  if (!reading || kept.text === '') {
    return html`<p class="empty muted">
      ${icon('rescued')}<span
        >${t(
          'The tool calls in the text are shown here as you type, with what was left as text and why. No model and no connection is needed.',
        )}</span
      >
    </p>`;
  }
  const { report, text } = reading;
  const spans = traceSpans(report);
  const select = (span: TraceSpan): void => lab.set({ selected: { span } });
  return html`${renderBand(reading)}
    <div class="lab-pane">
      ${renderChoices(lab)}
      <pg-rescue-trace
        .text=${text}
        .report=${report}
        .selected=${lab.state.selected}
        @pg-select=${({ detail }: CustomEvent<TraceSpan>) => select(detail)}
      ></pg-rescue-trace>
      <section class="sec">
        <h2>${t('Spans')}</h2>
        ${renderSpanList({
          spans,
          text,
          isOff: false,
          selected: lab.state.selected?.span,
          onSelect: select,
          rest: renderRest(reading.report, text, { content: { length: reading.contentLength } }),
        })}
        ${renderOmitted(reading)}
      </section>
      ${renderCalls(lab, reading)} ${renderWritten(lab, replace)} ${renderCompared(lab)}
      ${renderHints(lab.state.formats, formatsOf(report))}
    </div>`;
}

/** Announcement for screen readers; it changes only with the reading. */
export function describeReading({ reading, document: kept }: LabState): string {
  if (!reading || kept.text === '') return '';
  const { word, rest } = toBand(reading);
  return spellMarks(t('{0}: {1}.', word, rest));
}

function renderProblem({ title, what, why, next }: ErrorInfo): TemplateResult {
  return html`<div class="lab-problem" role="alert">
    <p class="has-icon"><span class="s-error">${icon('error')}</span><b>${renderCut(title, 200)}</b></p>
    <p>${prose([what, why, next].filter(Boolean).join(' '))}</p>
  </div>`;
}

function toBand(reading: LabReading): { kind: IconName; word: string; rest: string; aside: string } {
  const { calls, rejected } = reading.report;
  const count = calls.length + reading.omittedCalls;
  const left = rejected.length + reading.omittedRejected;
  const aside = left === 0 ? '' : t('{0} left as text', formatCount(left));
  if (count > 0) {
    const names = [...new Set(calls.map(({ format }) => format))];
    const shown = names.slice(0, MAX_FORMATS).join(', ');
    const formats = names.length > MAX_FORMATS ? t('{0} and others', shown) : shown;
    const rest = `${countOf(count, t('{0} call'), t('{0} calls'))}, ${formats}`;
    return { kind: 'rescued', word: t('Rescued'), rest, aside };
  }
  return left > 0
    ? { kind: 'malformed', word: t('Left as text'), rest: t('no call can be rescued'), aside }
    : { kind: 'none', word: t('No call'), rest: t('nothing in it looks like a call'), aside };
}

function renderBand(reading: LabReading): TemplateResult {
  const { kind, word, rest, aside } = toBand(reading);
  const end = [aside, formatDuration(reading.durationMs)].filter(Boolean).join(' · ');
  return html`<div class="outcome o-${kind}">
    <span class="what num"
      ><span class="o-icon">${icon(kind)}</span
      ><span class="clip"><b>${word}</b> · ${renderCut(rest, 400)}</span></span
    >
    <span class="num">${end}</span>
  </div>`;
}

function renderOmitted({ omittedCalls, omittedRejected, report }: LabReading): unknown {
  if (omittedCalls + omittedRejected === 0) return nothing;
  return html`<p class="muted">
    ${t(
      'Calls that are listed: {0} of {1}. What was left as text: {2} of {3}.',
      formatCount(report.calls.length),
      formatCount(report.calls.length + omittedCalls),
      formatCount(report.rejected.length),
      formatCount(report.rejected.length + omittedRejected),
    )}
  </p>`;
}

function renderCalls(lab: Lab, { report, omittedCalls, partCalls }: LabReading): unknown {
  const { calls } = report;
  if (calls.length === 0) return nothing;
  const more = calls.length + omittedCalls - MAX_CALLS;
  return html`<section class="sec">
    <h2>${t('What a program would get')}</h2>
    ${calls.slice(0, MAX_CALLS).map((call, index) => renderCall(lab, call, partCalls.includes(index)))}
    ${more > 0 ? html`<p class="muted">… ${countOf(more, t('{0} more call'), t('{0} more calls'))}</p>` : nothing}
  </section>`;
}

function renderCall(lab: Lab, call: RescuedCall, isPart: boolean): TemplateResult {
  const { name, format, arguments: value, schemaIssues = [] } = call;
  const shown = spellMarks(name.slice(0, 200));
  const copy = (): void =>
    void copyText(toJson({ name, arguments: value })).then((isCopied) =>
      lab.notify(isCopied ? t('The call of {0} copied as JSON.', shown) : t('The call could not be copied.')),
    );
  return html`<div class="lab-call">
    <h3>
      ${icon('tool')}<span class="mono clip">${renderCut(name, 200)}</span
      ><span class="push muted">${renderCut(format, 200)}</span>
      ${iconButton(t('Copy call of {0}', shown), 'copy', copy)}
    </h3>
    <pre class="raw"><pg-long-text .text=${toJson(value)} .isJson=${true}></pg-long-text></pre>
    ${isPart ? html`<p class="muted">${t('Of a list with more than 1,000 entries, only the beginning is shown and copied.')}</p>` : nothing}
    ${renderIssues(schemaIssues)}
  </div>`;
}
