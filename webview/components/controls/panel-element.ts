// Base class of the panel's own elements. They render into light DOM, so that one style sheet reaches everything.
import { LitElement } from 'lit';

export abstract class PanelElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
