// The panel as a whole: its parts in reading order, the keys that work everywhere, what is said to screen readers.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { StoreElement } from './components/controls/store-element';
import { tabId } from './components/controls/tabs';
import { VIEW_PANEL_ID } from './components/frame/view-bar';
import { focusSoon, laneElement } from './focus';
import { FocusKeeper } from './focus-keeper';
import type { PanelState } from './panel-state';
import { spellMarks } from './text/text-marks';
import { currentView } from './views';

const WIDE = '(min-width: 1100px)';

export class App extends StoreElement {
  readonly #focus = new FocusKeeper(this);
  readonly #wide = window.matchMedia(WIDE);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#focus.connect();
    this.#wide.addEventListener('change', this.#resized);
    window.addEventListener('keydown', this.#pressed);
    window.addEventListener('pagehide', this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#focus.disconnect();
    this.#wide.removeEventListener('change', this.#resized);
    window.removeEventListener('keydown', this.#pressed);
    window.removeEventListener('pagehide', this.#leaving);
  }

  override render(): TemplateResult {
    const { playground } = this;
    const view = currentView(playground.state);
    return html`<div class="app">
      <pg-view-bar .playground=${playground}></pg-view-bar>
      <main>
        <div id=${VIEW_PANEL_ID} class="view" role="tabpanel" aria-labelledby=${tabId(view.id)}>
          ${view.render(playground, this.#wide.matches)}
        </div>
      </main>
      <p class="sr" role="status">${spellMarks(announcement(playground.state))}</p>
    </div>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { view } = state;
    return [
      view.view,
      view.inspectorWidth,
      view.inspectorHeight,
      announcement(state),
      ...currentView(state).watched(state),
    ];
  }

  /** Sizes go in by way of the object model: the page allows no style attributes. */
  override updated(): void {
    const style = this.querySelector<HTMLElement>('.work')?.style;
    const { inspectorWidth, inspectorHeight } = this.playground.state.view;
    setSize(style, '--pp-inspector', inspectorWidth);
    setSize(style, '--pp-inspector-height', inspectorHeight);
  }

  readonly #resized = (): void => this.requestUpdate();

  readonly #leaving = (): void => this.playground.flush();

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { playground } = this;
    const view = currentView(playground.state);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      view.run(playground);
    } else if (event.key === 'Escape' && !event.defaultPrevented) {
      view.stop(playground);
    } else if (event.altKey && /^Digit[1-8]$/.test(event.code)) {
      this.#goToLane(event, Number(event.code.slice(-1)) - 1);
    }
  };

  #goToLane(event: KeyboardEvent, index: number): void {
    const laneId = this.playground.state.session.laneIds[index];
    if (laneId === undefined) return;
    event.preventDefault();
    this.playground.setView({ laneId });
    focusSoon(() => laneElement(laneId));
  }
}

/** Without the clock: a screen reader would say it every second. */
function announcement(state: PanelState): string {
  return [state.notice, currentView(state).announce(state)].filter(Boolean).join(' ');
}

function setSize(style: CSSStyleDeclaration | undefined, name: string, size: number | undefined): void {
  if (size === undefined) style?.removeProperty(name);
  else style?.setProperty(name, `${size}px`);
}
