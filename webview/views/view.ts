// Interface of a view: its part of the bar, its content, and its keyboard shortcuts.
import type { TemplateResult } from 'lit';
import type { PanelState } from '../state/panel-state';
import type { Playground } from '../playground';

export interface View {
  id: string;
  label: string;
  /** Draws its actions in the bar. */
  renderActions: (playground: Playground) => TemplateResult;
  /** Draws what stands at the end of the bar. */
  renderEnd?: (playground: Playground) => TemplateResult;
  /** The parts of the state that the actions depend on; they are drawn again when one of these is another object. */
  watchedActions: (state: PanelState) => readonly unknown[];
  render: (playground: Playground) => unknown;
  /** The parts of the state that `render` itself uses, apart from its elements. */
  watched: (state: PanelState) => readonly unknown[];
  /** Called for Ctrl+Enter anywhere in the view. */
  run: (playground: Playground) => void;
  /** Called for Escape when nothing is open. */
  stop: (playground: Playground) => void;
  isBusy: (state: PanelState) => boolean;
  /** Announcements for screen readers, one for each lane, without a clock, which would be read every second. */
  announce: (state: PanelState) => readonly string[];
  /** Called when the view is shown. */
  open?: (playground: Playground) => void;
}
