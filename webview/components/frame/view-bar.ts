// The bar at the top: the views, the actions of the current view, and where requests leave from.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../../icons';
import { isAllInEditor } from '../../lanes/lane-queries';
import type { PanelState } from '../../state/panel-state';
import { currentView, VIEWS } from '../../views';
import { StoreElement } from '../controls/store-element';
import { renderTabs } from '../controls/tabs';
import { renderPlace } from './place';

export const VIEW_PANEL_ID = 'view-panel';

export class ViewBar extends StoreElement {
  #observer: ResizeObserver | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  /**
   * Publishes the height of the bar, which depends on the width of the window, so that elements scrolled into view
   * are not hidden behind it.
   */
  override updated(): void {
    const bar = this.querySelector('.bar');
    if (!bar || this.#observer || typeof ResizeObserver === 'undefined') return;
    this.#observer = new ResizeObserver(() => {
      const height = Math.round(bar.getBoundingClientRect().height);
      document.documentElement.style.setProperty('--pp-bar-height', `${height}px`);
    });
    this.#observer.observe(bar);
  }

  override render(): TemplateResult {
    const { playground } = this;
    const { state } = playground;
    const place = renderPlace(state.session);
    const current = currentView(state);
    const select = (id: string): void => {
      playground.setView({ view: id });
      currentView(playground.state).open?.(playground);
    };
    return html`<header class="bar">
      <h1>Provider Playground</h1>
      ${renderTabs({
        label: t('Views'),
        className: 'view-tabs',
        // The current view shows its own activity.
        tabs: VIEWS.map((view) => ({ ...view, isBusy: view !== current && view.isBusy(state) })),
        selected: current.id,
        panelId: VIEW_PANEL_ID,
        onSelect: select,
      })}
      <span class="sep"></span>
      ${current.renderActions(playground)}
      <span class="grow"></span>
      ${place ? html`<span class="where muted">${icon('place')}${place}</span>` : nothing}
      ${current.renderEnd?.(playground) ?? nothing}
    </header>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    return [
      state.session.environment,
      isAllInEditor(state.session),
      state.view.view,
      VIEWS.map((view) => view.isBusy(state)).join(),
      ...currentView(state).watchedActions(state),
    ];
  }
}
