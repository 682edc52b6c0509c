// The views of the panel, in the order of their tabs: one line each.
import type { PanelState } from '../state/panel-state';
import { CHAT_VIEW } from './chat-view';
import { EMBEDDINGS_VIEW } from './embeddings-view';
import { EVALUATE_VIEW } from './evaluate-view';
import { TOOLS_VIEW } from './tools-view';
import type { View } from './view';

export const VIEWS: readonly [View, ...View[]] = [CHAT_VIEW, EVALUATE_VIEW, TOOLS_VIEW, EMBEDDINGS_VIEW];

/** The current view, or the first one if that no longer exists. */
export function currentView({ view }: PanelState): View {
  return VIEWS.find(({ id }) => id === view.view) ?? VIEWS[0];
}
