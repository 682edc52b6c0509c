// A list of samples, one of which is active: the arrow keys move, Enter opens it. One stop of the tab key.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { SampleVerdict } from '../../../src/types';
import { renderCut } from '../controls/prose';
import { verdictMark, verdictWord } from './verdict-mark';

export interface SampleItem {
  repeat: number;
  verdict: SampleVerdict;
  /** First line; without one, only the second is drawn. */
  message?: string | undefined;
  detail: string;
  isSelected?: boolean;
  onOpen: () => void;
}

const OPTION = '[role=option]';

/** @param id Of the list in the page; those of its options begin with it. */
export function renderSampleList(id: string, label: string, items: readonly SampleItem[]): TemplateResult {
  return html`<ul
    class="samples num"
    id=${id}
    role="listbox"
    aria-label=${label}
    aria-activedescendant=${items.length > 0 ? `${id}-0` : nothing}
    tabindex="0"
    @keydown=${(event: KeyboardEvent) => move(event, items)}
  >
    ${items.map(
      (item, index) =>
        html`<li
          id="${id}-${index}"
          role="option"
          aria-selected=${item.isSelected ? 'true' : 'false'}
          class=${item.message ? '' : 'one'}
          @click=${item.onOpen}
        >
          ${verdictMark(item.verdict)}<span class="n"
            ><span class="sr">${verdictWord(item.verdict)} </span>${item.repeat}</span
          >
          <span
            >${item.message ? html`<span class="msg">${renderCut(item.message, 400)}</span>` : nothing}<span
              class="sub"
              >${renderCut(item.detail, 200)}</span
            ></span
          >
        </li>`,
    )}
  </ul>`;
}

/** The active option is kept in the attribute that screen readers follow. */
function move(event: KeyboardEvent, items: readonly SampleItem[]): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const list = event.currentTarget as HTMLElement;
  const options = [...list.querySelectorAll<HTMLElement>(OPTION)];
  const index = options.findIndex(({ id }) => id === list.getAttribute('aria-activedescendant'));
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(index + 1, options.length - 1),
    ArrowUp: Math.max(index - 1, 0),
    Home: 0,
    End: options.length - 1,
  };
  const next = options[targets[event.key] ?? -1];
  if (event.key === 'Enter') items[index]?.onOpen();
  else if (!next) return;
  else {
    list.setAttribute('aria-activedescendant', next.id);
    for (const option of options) option.classList.toggle('is-active', option === next);
    next.scrollIntoView?.({ block: 'nearest' });
  }
  event.preventDefault();
  event.stopPropagation();
}
