// The bar at the top: the views, what can be done in the one that is shown, and where requests leave from.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../icons';
import type { Playground } from '../playground';
import { currentView, VIEWS } from '../views';
import { renderPlace } from './place';
import { renderTabs } from './tabs';

export const VIEW_PANEL_ID = 'view-panel';

export function renderViewBar(playground: Playground): TemplateResult {
  const { state } = playground;
  const current = currentView(state);
  const select = (id: string): void => {
    playground.set({ view: id });
    currentView(playground.state).open?.(playground);
  };
  return html`<header class="bar">
    ${renderTabs({
      label: 'Views',
      className: 'view-tabs',
      // what goes on in the view that is shown can be seen there
      tabs: VIEWS.map((view) => ({ ...view, isBusy: view !== current && view.isBusy(state) })),
      selected: current.id,
      panelId: VIEW_PANEL_ID,
      onSelect: select,
    })}
    <span class="sep"></span>
    ${current.renderActions(playground)}
    ${
      state.snapshot
        ? html`<span class="where push muted"
            >${icon('place')}${renderPlace(state.snapshot.requestsLeaveFrom)}</span
          >`
        : nothing
    }
  </header>`;
}
