// Events that the host sends to a front end without a request.
import type { GivenDocument } from './lab/lab';
import type { RunProgress } from './lanes';
import type { RecordingChange } from './recording';
import type { SessionSnapshot } from './view-models';
import type { ExportForm } from './wire';

/** What a command of the editor lets the panel do, as its own buttons do. */
export type PanelAction =
  | { kind: 'run' | 'run-agent' | 'add-lane' | 'toggle-inspector' }
  /** Exports the last run of each lane. */
  | { kind: 'export'; form: ExportForm };

/** What the panel is to show. */
export type ShownPlace =
  /** This run, if one of its lanes has it. */
  | { kind: 'run'; runId: string }
  /** The conversation of a lane. */
  | { kind: 'lane'; laneId: string }
  /** A stored evaluation, compared with the baseline, without one with none; or the evaluation as it is. */
  | { kind: 'evaluation'; shown?: { id: string; baselineId?: string | undefined } }
  /** A case of the evaluation, or one of its samples. */
  | { kind: 'case'; rowId: string; laneId: string; repeat?: number | undefined };

export interface HostEvents {
  /** What changed since the last event: complete parts and complete entries, never parts of those. */
  'session/changed': SessionSnapshot;
  /** Progress of the run in a lane; complete each time. */
  'run/progress': { laneId: string; progress: RunProgress };
  'panel/show': ShownPlace;
  'panel/act': PanelAction;
  /** An open format lab gets a new text. */
  'lab/given': GivenDocument;
  'recording/changed': RecordingChange;
}
export type HostEventName = keyof HostEvents;
