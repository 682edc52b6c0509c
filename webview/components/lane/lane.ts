// One lane: a connection and a model, what came back, and the conversation with it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../../icons';
import { connectionOf, currentLaneId, laneNumber } from '../../lanes/lane-queries';
import { renderLater } from '../../later';
import type { PanelState } from '../../state/panel-state';
import { laneOf } from '../../state/session-state';
import { countOf } from '../../text/format';
import { button } from '../controls/controls';
import { prose } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { closeSettings, openLaneSettings } from './lane-title';
import { sentence } from '../../text/sentence';

const POINTER_ENDS = ['pointerup', 'pointercancel'] as const;

export class Lane extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
  };
  declare laneId: string;

  override render(): TemplateResult {
    const { playground, laneId } = this;
    const { state } = playground;
    const { session, view } = state;
    const isCurrent = currentLaneId(state) === laneId;
    const isOpen = view.openSettings.includes(laneId);
    const number = laneNumber(session, laneId);
    return html`<section
      class="lane ${isCurrent ? 'is-current' : ''}"
      role="region"
      aria-label=${t('Lane {0}', number)}
      aria-current=${isCurrent ? 'true' : nothing}
      data-lane=${laneId}
      tabindex="-1"
      @pointerdown=${this.#held}
      @focusin=${this.#focused}
      @click=${this.#entered}
      @keydown=${this.#pressed}
    >
      <pg-lane-strip .playground=${playground} .laneId=${laneId}></pg-lane-strip>
      <div class="lane-body">
        ${
          isOpen
            ? renderLater(
                () => html`<pg-lane-settings .playground=${playground} .laneId=${laneId}></pg-lane-settings>`,
              )
            : nothing
        }
        ${
          laneOf(session, laneId).order.length > 0
            ? html`<pg-transcript .playground=${playground} .laneId=${laneId}></pg-transcript>`
            : this.#renderEmpty()
        }
      </div>
    </section>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view } = state;
    const isEmpty = (session.lanes.get(this.laneId)?.order.length ?? 0) === 0;
    return [
      isEmpty,
      laneNumber(session, this.laneId),
      currentLaneId(state),
      view.openSettings.includes(this.laneId),
      state.hasLaterParts,
      isEmpty && session.document,
      isEmpty && session.environment,
    ];
  }

  #isHeld = false;

  readonly #held = (): void => {
    this.#isHeld = true;
    const release = (): void => {
      this.#isHeld = false;
      for (const end of POINTER_ENDS) window.removeEventListener(end, release, { capture: true });
    };
    for (const end of POINTER_ENDS) window.addEventListener(end, release, { capture: true });
  };

  /**
   * A pointer chooses the lane with its click. In a narrow panel the other lane then folds, and a button would move away
   * between the press and the release.
   */
  readonly #focused = (): void => {
    if (!this.#isHeld) this.#entered();
  };

  readonly #entered = (): void => {
    const { laneId, playground } = this;
    if (playground.state.view.laneId !== laneId) playground.setView({ laneId });
  };

  /** Esc closes the settings while the focus is inside them. */
  readonly #pressed = (event: KeyboardEvent): void => {
    if (
      event.key !== 'Escape' ||
      event.isComposing ||
      event.defaultPrevented ||
      !(event.target as HTMLElement).closest('.settings')
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    closeSettings(this.playground, this.laneId);
  };

  #renderEmpty(): TemplateResult {
    const { playground, laneId } = this;
    const { session, view } = playground.state;
    const { connections } = session.environment ?? {};
    if (!connections)
      return html`<div class="empty"><p class="muted">${t('Reading the connections…')}</p></div>`;
    if (connections.length === 0) {
      return html`<div class="empty">
        <p>${t('A connection says where a model answers. None is set up yet.')}</p>
        ${button({ label: t('Open settings'), onClick: () => void playground.send('settings/open', {}) })}
      </div>`;
    }
    const connection = connectionOf(session, laneId);
    if (!connection) return this.#renderUnconnected();
    const offered = (session.document?.tools ?? []).filter(({ isOffered }) => isOffered).length;
    const tools = offered === 0 ? t('no tools') : countOf(offered, t('{0} tool'), t('{0} tools'));
    return html`<div class="empty">
      ${icon('tool')}
      <p>
        ${sentence(t('Run sends the message below to {0} with {1}, and shows here what really came back.'), prose(connection.label), tools)}
        ${connection.scope === 'built-in' ? t('The demo needs no model and no network.') : ''}
      </p>
      ${
        view.openSettings.includes(laneId)
          ? nothing
          : button({
              label: t('Choose another model'),
              onClick: () => openLaneSettings(playground, laneId, 'model'),
            })
      }
    </div>`;
  }

  #renderUnconnected(): TemplateResult {
    const { playground, laneId } = this;
    const isOpen = playground.state.view.openSettings.includes(laneId);
    return html`<div class="empty">
      ${icon('tool')}
      <p>${t('This lane can run as soon as it has a connection that is set up here.')}</p>
      ${isOpen ? nothing : button({ label: t('Choose a connection'), onClick: () => openLaneSettings(playground, laneId) })}
    </div>`;
  }
}
