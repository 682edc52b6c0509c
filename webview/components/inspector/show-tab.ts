// Leads from one tab of the inspector to another.
import type { RunEntry } from '../../../src/protocol';
import type { InspectorTab } from '../../../src/types';
import { focusSoon, inspectorPane } from '../../focus/focus';
import type { Playground } from '../../playground';
import { selectedSpan, toSelection, traceSpans } from '../../text/trace-spans';
import type { Selection } from '../../state/view-state';

/**
 * Shows another tab and moves the focus there, because the link that was pressed is gone. In the text of the reply a span
 * is selected: the one that is selected already, or the first one.
 */
export function showTab(playground: Playground, laneId: string, run: RunEntry, tab: InspectorTab): void {
  const { selection } = playground.state.view;
  const shown = tab === 'rescue' ? selectInText(laneId, run, selection) : undefined;
  playground.setView({ tab, ...(shown && { selection: shown }) });
  focusSoon(inspectorPane);
}

function selectInText(laneId: string, run: RunEntry, before: Selection | undefined): Selection | undefined {
  const reply = run.outcome?.reply;
  if (!reply) return undefined;
  const selected = before?.runId === run.id ? selectedSpan(reply, before) : undefined;
  const span = selected ?? traceSpans(reply.rescue)[0];
  // A new object, so that the span scrolls into view again.
  return span && toSelection({ laneId, runId: run.id }, reply, span);
}
