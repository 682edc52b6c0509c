// Says that a text has lost its beginning.
import { html, nothing } from 'lit';
import { countOf } from '../../text/format';

/** @param count Characters; nothing is drawn for 0. */
export function renderOmitted(count: number): unknown {
  return count > 0 ? html`<span class="rest">… ${countOf(count, 'character')} before</span>` : nothing;
}
