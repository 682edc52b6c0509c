// The panel as a whole: its parts in reading order, the keys that work everywhere, what is said to screen readers.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { renderComposer } from './components/composer';
import { renderInspector } from './components/inspector';
import { renderLane } from './components/lane';
import { toBand } from './components/outcome-band';
import { PanelElement } from './components/panel-element';
import { renderSystemPrompt } from './components/system-prompt';
import { renderViewBar } from './components/view-bar';
import { ConversationView } from './conversation-view';
import type { Playground } from './playground';

const WIDE = '(min-width: 1100px)';

export class App extends PanelElement {
  static override properties = { playground: { attribute: false } };
  declare playground: Playground;
  readonly #view = new ConversationView(this);
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
    return html`<div class="app">
      <h1>Provider Playground</h1>
      ${renderViewBar(playground)}
      <main>
        ${renderSystemPrompt(playground)}
        <div class="work">
          <div class="stage"><div class="lanes">${renderLane(playground)}</div></div>
          ${renderComposer(playground)} ${renderInspector(playground, !this.#wide.matches)}
        </div>
      </main>
      <p class="sr" role="status">${this.#announcement()}</p>
    </div>`;
  }

  override willUpdate(): void {
    this.#view.willChange();
  }

  /** Sizes go in by way of the object model: the page allows no style attributes. */
  override updated(): void {
    const style = this.querySelector<HTMLElement>('.work')?.style;
    const { inspectorWidth, inspectorHeight } = this.playground.state;
    setSize(style, '--pp-inspector', inspectorWidth);
    setSize(style, '--pp-inspector-height', inspectorHeight);
    this.#view.hasChanged(this.playground.state.entries);
  }

  /** Without the clock: a screen reader would say it every second. */
  #announcement(): string {
    const { state } = this.playground;
    const band = toBand(state);
    return [state.notice, band ? `${band.word}${band.rest}`.replaceAll('`', '') : '']
      .filter(Boolean)
      .join(' ');
  }

  readonly #changed = (): void => this.requestUpdate();

  readonly #leaving = (): void => this.playground.save();

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void this.playground.run();
    } else if (event.key === 'Escape' && !event.defaultPrevented) {
      this.playground.stop();
    }
  };
}

function setSize(style: CSSStyleDeclaration | undefined, name: string, size: number | undefined): void {
  if (size === undefined) style?.removeProperty(name);
  else style?.setProperty(name, `${size}px`);
}
