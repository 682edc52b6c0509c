// What the host tells a front end unasked.
import type { GivenDocument } from './lab';
import type { RunProgress } from './lanes';
import type { SessionSnapshot } from './view-models';

export interface HostEvents {
  /** What changed since the last one: whole parts and whole entries, never pieces of them. */
  'session/changed': SessionSnapshot;
  /** The run that is under way in a lane, as far as it came; complete each time. */
  'run/progress': { laneId: string; progress: RunProgress };
  /** An open format lab gets another text. */
  'lab/given': GivenDocument;
}
export type HostEventName = keyof HostEvents;
