// Shows something in the inspector, folds and unfolds it. Does not touch the DOM.
import { isInspectorOpen } from '../lanes/lane-queries';
import type { Playground } from '../playground';
import type { ViewState } from '../state/view-state';

/** Shows something in the inspector, which unfolds for it. */
export function inspect(
  playground: Playground,
  change: Partial<Pick<ViewState, 'laneId' | 'selection' | 'tab'>>,
): void {
  playground.setView(change);
  if (!isInspectorOpen(playground.state)) toggleInspector(playground);
}

/** Folds or unfolds the inspector. Where that is what the width would decide, the width decides from now on. */
export function toggleInspector(playground: Playground): void {
  const isOpen = !isInspectorOpen(playground.state);
  playground.setView({
    isInspectorOpen: isOpen === playground.state.hasInspectorRoom ? undefined : isOpen,
  });
}
