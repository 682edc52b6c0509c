// A row of tabs with a roving tab index: the arrow keys move and select, Home and End go to the ends. Independent
// of what the tabs show.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../../icons';

export interface Tab {
  id: string;
  label: string;
  /** Shown beside the label, but not part of the accessible name; 0 is not shown. */
  count?: number;
  isBusy?: boolean;
}

export interface TabsOptions {
  /** Accessible name of the row. */
  label: string;
  className: string;
  tabs: readonly Tab[];
  selected: string;
  /** Id of the element that shows the selected tab. */
  panelId: string;
  onSelect: (id: string) => void;
}

export const tabId = (id: string): string => `tab-${id}`;

export function renderTabs(options: TabsOptions): TemplateResult {
  return html`<div
    class="tabs ${options.className}"
    role="tablist"
    aria-label=${options.label}
    @keydown=${moveBetween(options)}
  >
    ${options.tabs.map((tab) => renderTab(tab, options))}
  </div>`;
}

function renderTab({ id, label, count = 0, isBusy }: Tab, options: TabsOptions): TemplateResult {
  const isSelected = id === options.selected;
  return html`<button
    role="tab"
    type="button"
    id=${tabId(id)}
    aria-selected=${isSelected ? 'true' : 'false'}
    aria-controls=${options.panelId}
    tabindex=${isSelected ? 0 : -1}
    @click=${() => options.onSelect(id)}
  >
    ${label}${count > 0 ? html`<span class="count" aria-hidden="true">${count}</span>` : nothing}${isBusy ? icon('busy', 'spin') : nothing}
  </button>`;
}

function moveBetween({ tabs, onSelect }: TabsOptions): (event: KeyboardEvent) => void {
  return (event) => {
    // Two keys may be pressed before the row is drawn again, so the focused tab counts, not `selected`.
    const index = tabs.findIndex(({ id }) => tabId(id) === (event.target as HTMLElement).id);
    const targets: Record<string, number> = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[targets[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(tabId(next.id))?.focus();
  };
}
