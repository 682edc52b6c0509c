// Chooses the panel's one primary button: what the person most likely does next. Pure.
import type { PanelState } from '../state/panel-state';
import type { LaneState } from '../state/session-state';
import { laneOf } from '../state/session-state';
import type { ViewState } from '../state/view-state';
import { connectionOf, currentLaneId, lastSent, openCalls, targetLaneIds } from './lane-queries';

export type PrimaryAction =
  | { kind: 'run' }
  | { kind: 'set-key'; laneId: string }
  | { kind: 'next-step'; laneId: string }
  | { kind: 'give-result'; laneId: string; runId: string; index: number };

/** @param text Text of the message box. */
export function primaryAction(state: PanelState, text: string): PrimaryAction {
  const { session, view } = state;
  const laneId = currentLaneId(state);
  const connection = connectionOf(session, laneId);
  if (connection?.needsKey && !connection.hasKey) return { kind: 'set-key', laneId };
  const lane = laneOf(session, laneId);
  // What the person is writing comes first, whether it is a result or a message.
  const written = lane.run || text.trim() === '' ? writtenResult(lane, view.results) : undefined;
  if (written) return { kind: 'give-result', laneId, ...written };
  if (lane.run?.phase === 'paused') return { kind: 'next-step', laneId };
  const last = lastSent(lane);
  // The lanes belong together first: a result in one of them is not what is missing most.
  const isChanged = targetLaneIds(state).some((id) => laneOf(session, id).next === 'again');
  const isWaiting = lane.run ? lane.run.phase === 'answering' : text.trim() === '' && !isChanged;
  const [index] = last?.kind === 'run' && isWaiting ? openCalls(last) : [];
  if (!last || index === undefined) return { kind: 'run' };
  return { kind: 'give-result', laneId, runId: last.id, index };
}

/** The call of the lane whose result is being written. */
function writtenResult(
  { entries }: LaneState,
  results: ViewState['results'],
): { runId: string; index: number } | undefined {
  for (const [runId, drafts] of results) {
    const open = Object.entries(drafts).find(([, { isOpen }]) => isOpen);
    if (open && entries.has(runId)) return { runId, index: Number(open[0]) };
  }
  return undefined;
}
