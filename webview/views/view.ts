// What a view of the panel is: its own part of the bar, what it shows below, and what the keys mean in it.
import type { TemplateResult } from 'lit';
import type { Playground } from '../playground';
import type { PlaygroundState } from '../state';

export interface View {
  id: string;
  label: string;
  /** Its part of the bar: what can be done. */
  renderActions: (playground: Playground) => TemplateResult;
  /** @param isWide Whether there is room for two columns. */
  render: (playground: Playground, isWide: boolean) => unknown;
  /** Ctrl+Enter, from anywhere in it. */
  run: (playground: Playground) => void;
  /** Escape. */
  stop: (playground: Playground) => void;
  isBusy: (state: PlaygroundState) => boolean;
  /** What a screen reader is told; without a clock, which would be said every second. */
  announce: (state: PlaygroundState) => string;
  /** When it comes to the front. */
  open?: (playground: Playground) => void;
}
