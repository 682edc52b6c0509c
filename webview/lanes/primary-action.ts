// The one primary button of the panel: what the person most likely does next. Pure.
import type { PanelState } from '../panel-state';
import { laneOf } from '../session-state';
import { connectionOf, currentLaneId, lastSent, openCalls } from './lane-queries';

export type PrimaryAction =
  | { kind: 'run' }
  | { kind: 'set-key'; laneId: string }
  | { kind: 'next-step'; laneId: string }
  | { kind: 'give-result'; laneId: string; runId: string; index: number };

/** @param text What stands in the message box. */
export function primaryAction(state: PanelState, text: string): PrimaryAction {
  const { session } = state;
  const laneId = currentLaneId(state);
  const connection = connectionOf(session, laneId);
  if (connection?.needsKey && !connection.hasKey) return { kind: 'set-key', laneId };
  const lane = laneOf(session, laneId);
  if (lane.run?.phase === 'paused') return { kind: 'next-step', laneId };
  const last = lastSent(lane);
  const isWaiting = lane.run ? lane.run.phase === 'answering' : text.trim() === '';
  const [index] = last?.kind === 'run' && isWaiting ? openCalls(last) : [];
  if (!last || index === undefined) return { kind: 'run' };
  return { kind: 'give-result', laneId, runId: last.id, index };
}
