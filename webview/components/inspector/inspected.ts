// What the tabs of the inspector are given. Draws nothing.
import type { RunEntry } from '../../../src/protocol';
import type { Playground } from '../../playground';
import type { LaneState } from '../../state/session-state';

/** The run that a tab shows, and its lane. */
export interface Inspected {
  playground: Playground;
  lane: LaneState;
  run: RunEntry;
  isLive: boolean;
}
