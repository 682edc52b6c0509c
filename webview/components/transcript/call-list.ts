// The calls of a reply. The first ones are cards; of many, the others are rows that can be opened, with a filter.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RunEntry } from '../../../src/protocol';
import type { ProviderToolCall } from '../../../src/types';
import { callsOf, countCalls } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { countOf, formatCount } from '../../text/format';
import type { ResultDrafts, Selection } from '../../state/view-state';
import { PanelElement } from '../controls/panel-element';
import type { CallPlace } from './call-place';
import { renderCallCard } from './call-card';

/** Number of calls that are drawn as cards at once. */
const CARDS = 10;
const MAX_ROWS = 200;
/** In characters; the filter searches no more of the arguments than this. */
const MAX_SEARCHED = 2_000;

export class CallList extends PanelElement {
  static override properties = {
    playground: { attribute: false },
    laneId: { attribute: false },
    entry: { attribute: false },
    selected: { attribute: false },
    drafts: { attribute: false },
    isLast: { type: Boolean },
    isPaused: { type: Boolean },
    primaryCall: { attribute: false },
    toolNames: { attribute: false },
    filter: { state: true },
    opened: { state: true },
  };
  declare playground: Playground;
  declare laneId: string;
  declare entry: RunEntry;
  declare selected: Selection | undefined;
  declare drafts: ResultDrafts | undefined;
  declare isLast: boolean;
  declare isPaused: boolean;
  declare primaryCall: number | undefined;
  declare toolNames: string;
  declare filter: string;
  /** Rows that the person opened or closed, by index of the call. */
  declare opened: ReadonlyMap<number, boolean>;

  constructor() {
    super();
    this.filter = '';
    this.opened = new Map();
  }

  override render(): TemplateResult {
    const calls = callsOf(this.entry).map((call, index) => ({ call, index }));
    const found = calls.filter(({ call }) => this.#isFound(call));
    const all = countCalls(this.entry);
    return html`${calls.length > CARDS ? this.#renderFilter(all, this.filter === '' ? all : found.length) : nothing}
    ${found.slice(0, MAX_ROWS).map(({ call, index }) => renderCallCard(this.#toPlace(call, index)))}
    ${found.length > MAX_ROWS ? html`<p class="muted">${countOf(found.length - MAX_ROWS, t('… {0} more call; a filter finds it.'), t('… {0} more calls; a filter finds them.'))}</p>` : nothing}
    ${all > calls.length ? html`<p class="muted">${t('Only the first {0} of {1} calls are listed; a copy has them all.', formatCount(calls.length), formatCount(all))}</p>` : nothing}`;
  }

  #renderFilter(all: number, found: number): TemplateResult {
    const typed = (event: Event): void => {
      this.filter = (event.target as HTMLInputElement).value;
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || this.filter === '') return;
      event.stopPropagation();
      this.filter = '';
    };
    return html`<div class="call-filter">
      <input
        type="text"
        aria-label=${t('Filter calls')}
        placeholder=${t('Filter calls by name or arguments')}
        .value=${this.filter}
        @input=${typed}
        @keydown=${pressed}
      />
      <span class="muted num" role="status"
        >${found === all ? countOf(all, t('{0} call'), t('{0} calls')) : t('{0} of {1}', found, countOf(all, t('{0} call'), t('{0} calls')))}</span
      >
    </div>`;
  }

  #isFound({ name, arguments: value }: ProviderToolCall): boolean {
    if (this.filter === '') return true;
    const wanted = this.filter.toLowerCase();
    const text = `${name} ${JSON.stringify(value) ?? ''}`.slice(0, MAX_SEARCHED);
    return text.toLowerCase().includes(wanted);
  }

  #toPlace(call: ProviderToolCall, index: number): CallPlace {
    const { playground, laneId, entry, selected, isLast, isPaused, primaryCall } = this;
    const draft = this.drafts?.[index];
    const isFolded = index >= CARDS && draft?.isOpen !== true;
    return {
      playground,
      laneId,
      entry,
      index,
      call,
      draft,
      isLast,
      isSelected: selected?.callIndex === index,
      isPaused,
      isPrimary: primaryCall === index,
      isUnknown: !this.toolNames.split('\n').includes(call.name),
      ...(isFolded
        ? {
            fold: {
              isOpen: this.opened.get(index) ?? false,
              toggle: () => {
                this.opened = new Map(this.opened).set(index, !this.opened.get(index));
              },
            },
          }
        : {}),
    };
  }
}
