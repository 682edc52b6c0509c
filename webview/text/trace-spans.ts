// The spans of a reply's text: what was rescued and what was left as text, numbered in text order. Pure.
import type { ReplyView } from '../../src/protocol';
import type { RescuedCall, RescueRejection, RescueReport } from '../../src/types';
import type { Selection } from '../state/view-state';

export interface TraceSpan {
  /** Counted from 1; the same in the text and in the list. */
  number: number;
  start: number;
  end: number;
  /** Exactly one of `call` and `rejection` is present. */
  call?: RescuedCall | undefined;
  rejection?: RescueRejection | undefined;
}

/** Cache: a report never changes, but its spans are needed with every tick of the clock. */
const known = new WeakMap<RescueReport, readonly TraceSpan[]>();

export function traceSpans(report: RescueReport | undefined): readonly TraceSpan[] {
  if (!report) return [];
  const spans = known.get(report) ?? toSpans(report);
  known.set(report, spans);
  return spans;
}

/** Spans that begin at the same place: calls first, then the longest. */
function toSpans({ calls, rejected }: RescueReport): readonly TraceSpan[] {
  const found = [
    ...calls.map((call) => ({ start: call.start, end: call.end, call })),
    ...rejected.map((rejection) => ({ start: rejection.start, end: rejection.end, rejection })),
  ];
  // The sort is stable, and the calls come first.
  const sorted = found.toSorted(
    (one, other) =>
      one.start - other.start || Number('call' in other) - Number('call' in one) || other.end - one.end,
  );
  return sorted.map((span, index) => ({ number: index + 1, ...span }));
}

/** The formats that occur in the text, whether or not a call was taken. */
export function formatsOf(report: RescueReport): string[] {
  const spans = traceSpans(report);
  return [...new Set(spans.map(({ call, rejection }) => call?.format ?? rejection?.format ?? ''))];
}

/** The selected span of a reply, chosen directly or as one of its calls. */
export function selectedSpan(reply: ReplyView, { callIndex, spanNumber }: Selection): TraceSpan | undefined {
  const spans = traceSpans(reply.rescue);
  if (spanNumber !== undefined) return spans[spanNumber - 1];
  const selected = callIndex === undefined ? undefined : reply.toolCalls[callIndex];
  return selected && spans.find(({ call }) => call?.id === selected.id);
}

/** Selection for a span: the call that the reply made of it, if there is one. */
export function toSelection(
  place: { laneId: string; runId: string },
  reply: ReplyView,
  span: TraceSpan,
): Selection {
  const callIndex = reply.toolCalls.findIndex(({ id }) => id === span.call?.id);
  return callIndex >= 0 ? { ...place, callIndex } : { ...place, spanNumber: span.number };
}

/** @param found A call or rejection of the report, compared by identity. */
export function spanOf(
  report: RescueReport | undefined,
  found: RescuedCall | RescueRejection,
): TraceSpan | undefined {
  return traceSpans(report).find(({ call, rejection }) => call === found || rejection === found);
}
