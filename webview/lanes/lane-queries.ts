// Queries on the state of the panel about lanes, conversations and settings. Pure.
import { t } from '@vscode/l10n';
import { billingOf } from '../../src/protocol';
import type {
  ConnectionView,
  DocumentLane,
  LaneEntry,
  LiveReplyView,
  MessageEntry,
  ReplyView,
  RunEntry,
} from '../../src/protocol';
import type { Billing, ProviderToolCall } from '../../src/types';
import type { ModelsState, PanelState } from '../state/panel-state';
import type { LaneState, SessionState } from '../state/session-state';
import { laneOf } from '../state/session-state';

/** The current lane, or the first one if that no longer exists. */
export function currentLaneId({ session, view }: PanelState): string {
  return session.laneIds.includes(view.laneId) ? view.laneId : (session.laneIds[0] ?? '');
}

/** The lanes that the message box sends to. */
export function targetLaneIds({ session, view }: PanelState): readonly string[] {
  return session.laneIds.includes(view.target) ? [view.target] : session.laneIds;
}

/** Counted from 1. Lanes have no name but their position. */
export const laneNumber = ({ laneIds }: SessionState, laneId: string): number => laneIds.indexOf(laneId) + 1;

/** Such as `lane 1` or `lanes 2 and 3`, in their order. */
export function describeLanes(session: SessionState, laneIds: readonly string[]): string {
  const numbers = laneIds.map((id) => laneNumber(session, id)).toSorted((one, other) => one - other);
  const last = numbers.at(-1) ?? '';
  return numbers.length < 2
    ? t('lane {0}', last)
    : t('lanes {0} and {1}', numbers.slice(0, -1).join(', '), last);
}

export function laneSettings({ document }: SessionState, laneId: string): DocumentLane | undefined {
  return document?.document.lanes.find(({ id }) => id === laneId);
}

export function connectionOf(session: SessionState, laneId: string): ConnectionView | undefined {
  const id = laneSettings(session, laneId)?.connection;
  return session.environment?.connections.find((connection) => connection.id === id);
}

/** Whether the history has nothing more of a run than that it was. */
export const isNotKept = ({ outcome }: RunEntry): boolean => outcome?.error?.code === 'not-kept';

/** How a run was paid. Its connection may have got rates since. */
export function billingOfRun({ environment }: SessionState, { outcome }: RunEntry): Billing {
  if (outcome?.hasRates) return 'rates';
  const connection = environment?.connections.find(({ id }) => id === outcome?.connectionId);
  return billingOf(connection && { ...connection, hasRates: false });
}

/** Whether the editor passes on the requests of every lane. */
export const isAllInEditor = (session: SessionState): boolean =>
  session.laneIds.length > 0 &&
  session.laneIds.every((laneId) => connectionOf(session, laneId)?.isInEditor === true);

/** Model that a run of the lane uses: its own, otherwise the connection's. */
export function modelOf(session: SessionState, laneId: string): string {
  return laneSettings(session, laneId)?.model ?? connectionOf(session, laneId)?.model ?? '';
}

/** Known models of a connection, without those that can only embed. */
export function chatModels({ models }: PanelState, connectionId: string): string[] {
  const list = models.get(connectionId);
  return list?.chatModels ?? list?.models ?? [];
}

/** Note on a truncated list of models; '' when the list is complete. */
export const describeOmitted = ({ models, omitted = 0 }: ModelsState): string =>
  omitted === 0
    ? ''
    : t('The server lists {0} more than these {1}; type the name of one.', omitted, models.length);

/** Whether the document can be changed from the panel. */
export const canEdit = ({ document }: SessionState): boolean =>
  document !== undefined && !document.error && document.readOnly === undefined;

/** Why nothing of the document can be sent. */
export const documentBlocker = ({ document }: SessionState): string | undefined =>
  document ? document.blocker : t('The playground is not known yet.');

export function entriesOf({ order, entries }: LaneState): LaneEntry[] {
  return order.flatMap((id) => entries.get(id) ?? []);
}

const runsOf = (lane: LaneState): RunEntry[] =>
  entriesOf(lane).filter((entry): entry is RunEntry => entry.kind === 'run');

/** Searches from the end, because conversations can be long. */
export function lastRun({ order, entries }: LaneState): RunEntry | undefined {
  for (let index = order.length - 1; index >= 0; index--) {
    const entry = entries.get(order[index] ?? '');
    if (entry?.kind === 'run') return entry;
  }
  return undefined;
}

/** The last run of each lane, without those under way. */
export const lastRuns = ({ laneIds, lanes }: SessionState): { laneId: string; runId: string }[] =>
  laneIds.flatMap((laneId) => {
    const lane = lanes.get(laneId);
    const run = lane && lastRun(lane);
    return run && (run.outcome || run.isStored) ? [{ laneId, runId: run.id }] : [];
  });

/** The last sent entry; pending messages come after it. */
export function lastSent({ order, entries }: LaneState): LaneEntry | undefined {
  for (let index = order.length - 1; index >= 0; index--) {
    const entry = entries.get(order[index] ?? '');
    if (entry && !(entry.kind === 'message' && entry.isPending)) return entry;
  }
  return undefined;
}

/** The user message that the last run answers. */
export function questionOf(lane: LaneState): MessageEntry | undefined {
  const run = lastRun(lane);
  const end = run ? lane.order.indexOf(run.id) : -1;
  for (let index = end - 1; index >= 0; index--) {
    const entry = lane.entries.get(lane.order[index] ?? '');
    if (entry?.kind === 'message' && entry.role === 'user') return entry;
  }
  return undefined;
}

export const callsOf = ({ outcome }: RunEntry): readonly ProviderToolCall[] =>
  outcome?.reply?.toolCalls ?? [];

/** Number of elements of a list of the outcome, of which the panel may have only the first ones. */
export const countAt = ({ outcome }: RunEntry, path: string, { length }: readonly unknown[] = []): number =>
  outcome?.cut.find((part) => part.path === path)?.length ?? length;

/** Number of calls of the reply. */
export const countCalls = (run: RunEntry): number => countAt(run, 'reply.toolCalls', callsOf(run));

/** Number of spans of the text of the reply: what was rescued as a call, and what was left as text. */
export function countSpans(run: RunEntry): number {
  const { calls, rejected } = run.outcome?.reply?.rescue ?? {};
  return countAt(run, 'reply.rescue.calls', calls) + countAt(run, 'reply.rescue.rejected', rejected);
}

/** Indices of the calls that have no result yet. */
export const openCalls = (entry: RunEntry): number[] =>
  callsOf(entry).flatMap((_call, index) => (entry.results[index] ? [] : [index]));

/** The text of the reply that enters the conversation. */
export const contentOf = (reply: ReplyView): string => reply.content ?? reply.raw.content;

/** The part of a reply that has been received while it is still being written. */
export const liveReply = ({ run, progress }: LaneState, runId: string): LiveReplyView | undefined =>
  run && progress?.runId === runId ? progress.reply : undefined;

/** Whether a run is still under way. */
export const isLive = ({ run }: LaneState, entry: RunEntry): boolean =>
  run?.runId === entry.id && run.phase !== 'paused' && !entry.outcome && !entry.isStored;

export const isBusy = (session: SessionState, laneId: string): boolean =>
  session.lanes.get(laneId)?.run != null;

export const busyLaneIds = (session: SessionState): string[] =>
  session.laneIds.filter((id) => isBusy(session, id));

/** Whether the inspector is shown: as the person chose, otherwise where there is room beside the conversation. */
export const isInspectorOpen = ({ view, hasInspectorRoom }: PanelState): boolean =>
  view.isInspectorOpen ?? hasInspectorRoom;

/** The run that the inspector shows: the selected one, otherwise the latest of the current lane. */
export function inspectedRun(state: PanelState): { lane: LaneState; run: RunEntry } | undefined {
  const { selection } = state.view;
  const chosen = selection && state.session.lanes.get(selection.laneId);
  const selected = chosen?.entries.get(selection?.runId ?? '');
  if (chosen && selected?.kind === 'run') return { lane: chosen, run: selected };
  const lane = laneOf(state.session, currentLaneId(state));
  const run = lastRun(lane);
  return run && { lane, run };
}

/** The runs that led to this one, and it: the steps of its agent run, or the chats whose calls were given results. */
export function runsUpTo(lane: LaneState, run: RunEntry): RunEntry[] {
  if (run.step) return stepsOf(lane, run);
  const runs = [run];
  for (let index = lane.order.indexOf(run.id) - 1; index >= 0; index--) {
    const entry = lane.entries.get(lane.order[index] ?? '');
    if (entry?.kind === 'message' && entry.role === 'user') break;
    if (entry?.kind === 'run' && Object.keys(entry.results).length > 0) runs.unshift(entry);
  }
  return runs;
}

/** The steps of the agent run that this one belongs to; empty for a single chat. */
export function stepsOf(lane: LaneState, { step }: RunEntry): RunEntry[] {
  if (!step) return [];
  return runsOf(lane).filter((entry) => entry.step?.agentRunId === step.agentRunId);
}
