// What the host tells the webview unasked. Every event is a complete snapshot, never a delta.
import type { PlaygroundSnapshot, RunProgress } from './view-models';

export interface HostEvents {
  'playground/snapshot': PlaygroundSnapshot;
  'run/progress': RunProgress;
}
export type HostEventName = keyof HostEvents;
