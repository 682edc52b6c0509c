// How the panel shows a place that the host wants to be shown.
import type { ShownPlace } from '../../src/protocol';
import { firstPlace } from './evaluate-place';
import type { PanelState } from './panel-state';
import type { SessionState } from './session-state';
import type { ViewState } from './view-state';

type PlaceChange = { view: Partial<ViewState> } & Partial<Pick<PanelState, 'evaluate'>>;

/** @returns undefined while the session does not have it */
export function placeChange(place: ShownPlace, { lanes, evaluation }: SessionState): PlaceChange | undefined {
  if (place.kind === 'run') {
    const { runId } = place;
    const lane = [...lanes.values()].find(({ order }) => order.includes(runId));
    return lane && { view: { view: 'chat', laneId: lane.id, selection: { laneId: lane.id, runId } } };
  }
  if (place.kind === 'evaluation')
    return evaluation && { view: { view: 'evaluate' }, evaluate: firstPlace() };
  const { laneId } = place;
  if (!lanes.has(laneId)) return undefined;
  if (place.kind === 'lane') return { view: { view: 'chat', laneId, selection: undefined } };
  const { rowId, repeat } = place;
  const cell = { rowId, laneId };
  return {
    view: { view: 'evaluate' },
    evaluate: { ...firstPlace(), cell, ...(repeat !== undefined && { repeat }) },
  };
}
