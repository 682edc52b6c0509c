// What the host tells the webview unasked. Every event is a complete snapshot, never a delta.
import type { AgentStepView, PlaygroundSnapshot, RunProgress } from './view-models';

export interface HostEvents {
  'playground/snapshot': PlaygroundSnapshot;
  'run/progress': RunProgress;
  /** A step of a run to the end that is finished, as a whole. */
  'agent/step': AgentStepView;
}
export type HostEventName = keyof HostEvents;
