// The panel as a whole: its parts in reading order, the keys that work everywhere, what is said to screen readers.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { PanelElement } from './components/panel-element';
import { tabId } from './components/tabs';
import { renderViewBar, VIEW_PANEL_ID } from './components/view-bar';
import { ConversationView } from './conversation-view';
import { FocusKeeper } from './focus-keeper';
import type { Playground } from './playground';
import { currentView } from './views';

const WIDE = '(min-width: 1100px)';

export class App extends PanelElement {
  static override properties = { playground: { attribute: false } };
  declare playground: Playground;
  readonly #view = new ConversationView(this);
  readonly #focus = new FocusKeeper(this);
  #unsubscribe: (() => void) | undefined;
  readonly #wide = window.matchMedia(WIDE);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.playground.subscribe(this.#changed);
    this.#wide.addEventListener('change', this.#changed);
    window.addEventListener('keydown', this.#pressed);
    window.addEventListener('pagehide', this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    this.#wide.removeEventListener('change', this.#changed);
    window.removeEventListener('keydown', this.#pressed);
    window.removeEventListener('pagehide', this.#leaving);
  }

  override render(): TemplateResult {
    const { playground } = this;
    const view = currentView(playground.state);
    return html`<div class="app">
      <h1>Provider Playground</h1>
      ${renderViewBar(playground)}
      <main id=${VIEW_PANEL_ID} role="tabpanel" aria-labelledby=${tabId(view.id)}>
        ${view.render(playground, this.#wide.matches)}
      </main>
      <p class="sr" role="status">${this.#announcement()}</p>
    </div>`;
  }

  override willUpdate(): void {
    this.#view.willChange();
    this.#focus.willChange();
  }

  /** Sizes go in by way of the object model: the page allows no style attributes. */
  override updated(): void {
    const style = this.querySelector<HTMLElement>('.work')?.style;
    const { inspectorWidth, inspectorHeight } = this.playground.state;
    setSize(style, '--pp-inspector', inspectorWidth);
    setSize(style, '--pp-inspector-height', inspectorHeight);
    this.#view.hasChanged(this.playground.state.entries);
    this.#focus.hasChanged();
  }

  /** Without the clock: a screen reader would say it every second. */
  #announcement(): string {
    const { state } = this.playground;
    return [state.notice, currentView(state).announce(state)].filter(Boolean).join(' ');
  }

  readonly #changed = (): void => this.requestUpdate();

  readonly #leaving = (): void => this.playground.save();

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      currentView(this.playground.state).run(this.playground);
    } else if (event.key === 'Escape' && !event.defaultPrevented) {
      currentView(this.playground.state).stop(this.playground);
    }
  };
}

function setSize(style: CSSStyleDeclaration | undefined, name: string, size: number | undefined): void {
  if (size === undefined) style?.removeProperty(name);
  else style?.setProperty(name, `${size}px`);
}
