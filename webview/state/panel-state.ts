// State of the panel: the mirror of the session, the panel's own view state, and data it has read in addition.
import type { ErrorInfo, ModelList, PromptPlace, PromptView, ToolCheck } from '../../src/protocol';
import type { EvaluatePlace } from './evaluate-place';
import type { SessionState } from './session-state';
import { emptySession } from './session-state';
import type { ViewState } from './view-state';

export type ModelsState = ModelList &
  ({ status: 'loading' } | { status: 'ready' } | { status: 'failed'; error: ErrorInfo });

/** The prompt that was asked for last; with neither, the answer is awaited. */
export interface PromptState {
  readonly place: PromptPlace;
  readonly view?: PromptView | undefined;
  readonly error?: ErrorInfo | undefined;
}

export interface PanelState {
  readonly session: SessionState;
  readonly view: ViewState;
  /** By connection id. */
  readonly models: ReadonlyMap<string, ModelsState>;
  /** What the servers of the lanes refuse in the tools; read while the view *Tools* is open. */
  readonly toolChecks: readonly ToolCheck[];
  readonly prompt?: PromptState | undefined;
  /** What the view *Evaluate* shows. */
  readonly evaluate: EvaluatePlace;
  /** Why the session could not be opened. */
  readonly openError?: ErrorInfo | undefined;
  /** Milliseconds since the epoch; ticks while something is under way. */
  readonly now: number;
  /** Announced once, such as after a copy. */
  readonly notice: string;
  /** Whether the panel is wide enough to show the inspector unless the person has folded it. */
  readonly hasInspectorRoom: boolean;
  /** Whether the parts that are loaded later are available or have failed to load. */
  readonly hasLaterParts: boolean;
}

export const initialPanel = (view: ViewState, evaluate: EvaluatePlace, now: number): PanelState => ({
  session: emptySession(),
  view,
  models: new Map(),
  toolChecks: [],
  evaluate,
  now,
  notice: '',
  hasInspectorRoom: true,
  hasLaterParts: false,
});
