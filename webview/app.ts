// Root element of the panel: its parts in reading order, the global keyboard shortcuts, and what screen readers
// announce.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { toggleInspector } from './actions/inspect';
import { StoreElement } from './components/controls/store-element';
import { tabId } from './components/controls/tabs';
import { VIEW_PANEL_ID } from './components/frame/view-bar';
import { DocumentUndo } from './text/document-undo';
import { focusSoon, laneElement, messageBox } from './focus/focus';
import { FocusKeeper } from './focus/focus-keeper';
import type { PanelState } from './state/panel-state';
import { spellMarks } from './text/text-marks';
import { keepSelectAll } from './text/text-keys';
import { currentView } from './views';
import { CHAT_VIEW } from './views/chat-view';

/** Where the inspector would leave the width of one lane. In a single column, it takes no room from the conversation. */
const LACKS_INSPECTOR_ROOM = '(min-width: 640px) and (max-width: 899px)';

/**
 * Events that precede the hiding or closing of the panel. Messages sent during the closing itself may be lost, so
 * typed text is sent on these events.
 */
const LEAVING: readonly (readonly [EventTarget, string])[] = [
  [document.documentElement, 'pointerleave'],
  [window, 'blur'],
  [document, 'visibilitychange'],
  [window, 'pagehide'],
];

export class App extends StoreElement {
  readonly #focus = new FocusKeeper(this);
  readonly #undo = new DocumentUndo(() => this.playground);
  readonly #lacksRoom = window.matchMedia(LACKS_INSPECTOR_ROOM);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#focus.connect();
    this.#undo.connect();
    this.#lacksRoom.addEventListener('change', this.#resized);
    window.addEventListener('keydown', this.#pressed);
    window.addEventListener('keydown', this.#jumped, { capture: true });
    window.addEventListener('keydown', keepSelectAll, { capture: true });
    window.addEventListener('keydown', this.#commanding, { capture: true });
    for (const [target, event] of LEAVING) target.addEventListener(event, this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#focus.disconnect();
    this.#undo.disconnect();
    this.#lacksRoom.removeEventListener('change', this.#resized);
    window.removeEventListener('keydown', this.#pressed);
    window.removeEventListener('keydown', this.#jumped, { capture: true });
    window.removeEventListener('keydown', keepSelectAll, { capture: true });
    window.removeEventListener('keydown', this.#commanding, { capture: true });
    for (const [target, event] of LEAVING) target.removeEventListener(event, this.#leaving);
  }

  override render(): TemplateResult {
    const { playground } = this;
    const view = currentView(playground.state);
    // A status is read as a whole, unless it is not atomic: then only what has changed in it is read.
    return html`<div class="app">
      <pg-view-bar .playground=${playground}></pg-view-bar>
      <main>
        <div id=${VIEW_PANEL_ID} class="view" role="tabpanel" aria-labelledby=${tabId(view.id)}>
          ${view.render(playground)}
        </div>
      </main>
      <div class="sr" role="status" aria-atomic="false">
        ${view.announce(playground.state).map((said) => html`<p>${spellMarks(said)}</p>`)}
      </div>
      <p class="sr" role="status">${spellMarks(playground.state.notice)}</p>
    </div>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { view } = state;
    return [
      view.view,
      view.inspectorWidth,
      state.notice,
      currentView(state).announce(state).join('\n'),
      ...currentView(state).watched(state),
    ];
  }

  override firstUpdated(): void {
    this.#resized();
  }

  /** Sets sizes through the CSS object model, because the content security policy allows no style attributes. */
  override updated(): void {
    const style = this.querySelector<HTMLElement>('.work')?.style;
    const { session, view } = this.playground.state;
    style?.setProperty('--pp-lanes', String(session.laneIds.length));
    const { inspectorWidth } = view;
    if (inspectorWidth === undefined) style?.removeProperty('--pp-inspector');
    else style?.setProperty('--pp-inspector', `${inspectorWidth}px`);
  }

  readonly #resized = (): void => {
    const hasInspectorRoom = !this.#lacksRoom.matches;
    this.playground.update((state) =>
      state.hasInspectorRoom === hasInspectorRoom ? state : { ...state, hasInspectorRoom },
    );
  };

  readonly #leaving = (): void => this.playground.flush();

  /**
   * Sends typed text when a command key of the editor is pressed: the command may close the panel before anything
   * more can be sent.
   */
  readonly #commanding = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey || /^F\d+$/.test(key)) this.playground.flush();
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { playground } = this;
    const view = currentView(playground.state);
    if (event.key === 'Enter' && !event.altKey && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      view.run(playground);
    } else if (event.key === 'Escape' && !event.defaultPrevented) {
      view.stop(playground);
    }
  };

  /**
   * Alt+0 focuses the message box, Alt+digit a lane; Alt+I folds or unfolds the inspector. Propagation is stopped
   * because the editor has the same keys and would switch to another of its tabs. Ctrl+Alt is AltGr, which types a
   * character, and is ignored.
   */
  readonly #jumped = (event: KeyboardEvent): void => {
    if (event.isComposing || !event.altKey || event.ctrlKey) return;
    if (event.code === 'KeyI' && currentView(this.playground.state) === CHAT_VIEW) {
      event.preventDefault();
      event.stopPropagation();
      toggleInspector(this.playground);
      return;
    }
    const [, digit] = /^Digit(\d)$/.exec(event.code) ?? [];
    const laneId = this.playground.state.session.laneIds[Number(digit) - 1];
    if (digit !== '0' && laneId === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.playground.setView({ view: CHAT_VIEW.id, ...(laneId !== undefined && { laneId }) });
    focusSoon(() => (laneId === undefined ? messageBox() : laneElement(laneId)));
  };
}
