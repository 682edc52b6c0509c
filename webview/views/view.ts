// What a view of the panel is: its own part of the bar, what it shows below, and what the keys mean in it.
import type { TemplateResult } from 'lit';
import type { PanelState } from '../panel-state';
import type { Playground } from '../playground';

export interface View {
  id: string;
  label: string;
  /** Its part of the bar: what can be done. */
  renderActions: (playground: Playground) => TemplateResult;
  /** What that part draws: it is drawn anew when one of these is another. */
  watchedActions: (state: PanelState) => readonly unknown[];
  /** @param isWide Whether there is room for two columns. */
  render: (playground: Playground, isWide: boolean) => unknown;
  /** What `render` draws by itself, apart from its elements. */
  watched: (state: PanelState) => readonly unknown[];
  /** Ctrl+Enter, from anywhere in it. */
  run: (playground: Playground) => void;
  /** Escape, when nothing is open. */
  stop: (playground: Playground) => void;
  isBusy: (state: PanelState) => boolean;
  /** What a screen reader is told; without a clock, which would be said every second. */
  announce: (state: PanelState) => string;
  /** When it comes to the front. */
  open?: (playground: Playground) => void;
}
