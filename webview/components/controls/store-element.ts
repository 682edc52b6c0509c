// Base class of elements that draw a part of the panel's state and are drawn again only when that part changes.
import type { PanelState } from '../../state/panel-state';
import type { Playground } from '../../playground';
import { PanelElement } from './panel-element';

export abstract class StoreElement extends PanelElement {
  static override properties: Record<string, { attribute: false }> = { playground: { attribute: false } };
  declare playground: Playground;
  #seen: readonly unknown[] = [];
  #unsubscribe: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.playground.subscribe(this.#changed);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** The parts of the state that are drawn; the element is drawn again when one of them is another object. */
  protected abstract watched(state: PanelState): readonly unknown[];

  protected override willUpdate(): void {
    this.#seen = this.watched(this.playground.state);
  }

  readonly #changed = (): void => {
    const next = this.watched(this.playground.state);
    if (next.length !== this.#seen.length || next.some((part, index) => part !== this.#seen[index])) {
      this.requestUpdate();
    }
  };
}
