// Names every lane with its outcome, one button each, where not all lanes are in sight. Measures how many of them fit
// beside each other. Shows no lane itself.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import { focusSoon, laneElement } from '../../focus/focus';
import { icon } from '../../icons';
import { toBand } from '../../lanes/band';
import { currentLaneId, laneNumber, modelOf } from '../../lanes/lane-queries';
import type { PanelState } from '../../state/panel-state';
import { laneOf } from '../../state/session-state';
import { renderMarked } from '../controls/marked-text';
import { StoreElement } from '../controls/store-element';

/** Minimum width of a lane, in pixels. */
const MIN_WIDTH = 280;

export class LaneBar extends StoreElement {
  #observer: ResizeObserver | undefined;
  /** Whether some lane is out of sight. */
  #isNeeded = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  override render(): unknown {
    const { playground } = this;
    const { state } = playground;
    if (!this.#isNeeded) return nothing;
    return html`<nav class="lane-bar" aria-label=${t('Lanes')}>
      ${state.session.laneIds.map((id) => this.#renderLane(id, currentLaneId(state) === id))}
    </nav>`;
  }

  override updated(): void {
    const work = this.closest<HTMLElement>('.work');
    const lanes = work?.querySelector<HTMLElement>('.lanes');
    if (!work || !lanes) return;
    this.#measure(work, lanes);
    if (this.#observer || typeof ResizeObserver === 'undefined') return;
    this.#observer = new ResizeObserver(() => this.#measure(work, lanes));
    this.#observer.observe(lanes);
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session } = state;
    return [
      session.laneIds,
      session.document,
      session.environment,
      currentLaneId(state),
      session.laneIds.map((id) => toBand(laneOf(session, id), 0)?.kind).join(),
    ];
  }

  /** Makes the lanes so wide that a whole number of them is in sight. In one column they are below each other. */
  #measure({ style }: HTMLElement, lanes: HTMLElement): void {
    const { state } = this.playground;
    const { length } = state.session.laneIds;
    const columns = Math.min(length, Math.max(1, Math.floor(lanes.clientWidth / MIN_WIDTH)));
    if (style.getPropertyValue('--pp-columns') !== String(columns)) {
      style.setProperty('--pp-columns', String(columns));
      laneElement(currentLaneId(state))?.scrollIntoView?.({ block: 'nearest' });
    }
    const isNeeded = length > 1 && (columns < length || getComputedStyle(lanes).display !== 'grid');
    if (isNeeded === this.#isNeeded) return;
    this.#isNeeded = isNeeded;
    this.requestUpdate();
  }

  #renderLane(laneId: string, isCurrent: boolean): unknown {
    const { playground } = this;
    const { session } = playground.state;
    const { kind = 'none', word = t('Not run yet') } = toBand(laneOf(session, laneId), 0) ?? {};
    const show = (): void => {
      playground.setView({ laneId });
      focusSoon(() => laneElement(laneId));
    };
    return html`<button type="button" aria-current=${isCurrent ? 'true' : nothing} @click=${show}>
      <span class="num muted">${laneNumber(session, laneId)}</span>
      <span class="clip">${renderMarked(modelOf(session, laneId) || t('no model'))}</span>
      <span class="o-${kind} o-icon">${icon(kind, kind === 'busy' ? 'spin' : '')}</span>
      <span>${word}</span>
    </button>`;
  }
}
