// The panel as a whole: its parts in reading order, the keys that work everywhere, what is said to screen readers.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { StoreElement } from './components/controls/store-element';
import { tabId } from './components/controls/tabs';
import { VIEW_PANEL_ID } from './components/frame/view-bar';
import { focusSoon, laneElement, messageBox } from './focus';
import { FocusKeeper } from './focus-keeper';
import type { PanelState } from './panel-state';
import { spellMarks } from './text/text-marks';
import { keepSelectAll } from './text-keys';
import { currentView } from './views';
import { CHAT_VIEW } from './views/chat-view';

const WIDE = '(min-width: 1100px)';

/** What comes before the panel is hidden or closed; when that happens its last words may go unheard. */
const LEAVING: readonly (readonly [EventTarget, string])[] = [
  [document.documentElement, 'pointerleave'],
  [window, 'blur'],
  [document, 'visibilitychange'],
  [window, 'pagehide'],
];

export class App extends StoreElement {
  readonly #focus = new FocusKeeper(this);
  readonly #wide = window.matchMedia(WIDE);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#focus.connect();
    this.#wide.addEventListener('change', this.#resized);
    window.addEventListener('keydown', this.#pressed);
    window.addEventListener('keydown', this.#jumped, { capture: true });
    window.addEventListener('keydown', this.#undone, { capture: true });
    window.addEventListener('keydown', keepSelectAll, { capture: true });
    window.addEventListener('keydown', this.#commanding, { capture: true });
    for (const [target, event] of LEAVING) target.addEventListener(event, this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#focus.disconnect();
    this.#wide.removeEventListener('change', this.#resized);
    window.removeEventListener('keydown', this.#pressed);
    window.removeEventListener('keydown', this.#jumped, { capture: true });
    window.removeEventListener('keydown', this.#undone, { capture: true });
    window.removeEventListener('keydown', keepSelectAll, { capture: true });
    window.removeEventListener('keydown', this.#commanding, { capture: true });
    for (const [target, event] of LEAVING) target.removeEventListener(event, this.#leaving);
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
    const { session, view } = this.playground.state;
    const { inspectorWidth, inspectorHeight } = view;
    style?.setProperty('--pp-lanes', String(session.laneIds.length));
    setSize(style, '--pp-inspector', inspectorWidth);
    setSize(style, '--pp-inspector-height', inspectorHeight);
  }

  readonly #resized = (): void => this.requestUpdate();

  readonly #leaving = (): void => this.playground.flush();

  /** The keys of a command of the editor, which may close the panel before it can say anything more. */
  readonly #commanding = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey || /^F\d+$/.test(key)) this.playground.flush();
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { playground } = this;
    const view = currentView(playground.state);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      view.run(playground);
    } else if (event.key === 'Escape' && !event.defaultPrevented) {
      view.stop(playground);
    }
  };

  /**
   * Alt and 0 goes to the message box, Alt and a number to a lane. Stopped on its way, because the editor has these keys too
   * and would show another of its tabs. With Ctrl they are AltGr, which types a character.
   */
  readonly #jumped = (event: KeyboardEvent): void => {
    if (event.isComposing || !event.altKey || event.ctrlKey) return;
    const [, digit] = /^Digit(\d)$/.exec(event.code) ?? [];
    const laneId = this.playground.state.session.laneIds[Number(digit) - 1];
    if (digit !== '0' && laneId === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.playground.setView({ view: CHAT_VIEW.id, ...(laneId !== undefined && { laneId }) });
    focusSoon(() => (laneId === undefined ? messageBox() : laneElement(laneId)));
  };

  /**
   * Of a file the editor undoes the document, of a scratch the browser what is typed. The editor has the key, too, and would
   * undo at once what is before the text that is still on its way.
   */
  readonly #undone = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, shiftKey, altKey, key, isComposing } = event;
    const isUndo = (ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'z';
    if (!isUndo || isComposing || this.playground.state.session.document?.kind !== 'file') return;
    event.preventDefault();
    event.stopPropagation();
    void this.playground.undo();
  };
}

/** Without the clock: a screen reader would say it every second. */
function announcement(state: PanelState): string {
  return [state.notice, currentView(state).announce(state)].filter(Boolean).join(' ');
}

function setSize(style: CSSStyleDeclaration | undefined, name: string, size: number | undefined): void {
  if (size === undefined) style?.removeProperty(name);
  else style?.setProperty(name, `${size}px`);
}
