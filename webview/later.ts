// Loads the parts that the first screen does not need, right after it is drawn. Depends on their bundle only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type * as Parts from './later-parts';

export type LaterParts = typeof Parts;

let parts: LaterParts | undefined;
let hasFailed = false;

/** Must be called once. Resolves when the parts can be drawn or have failed to load. */
export async function loadLaterParts(
  load: () => Promise<LaterParts> = () => import('./later-parts'),
): Promise<void> {
  try {
    const loaded = await load();
    for (const [name, element] of Object.entries(loaded.LATER_ELEMENTS)) customElements.define(name, element);
    parts = loaded;
  } catch {
    // An update of the extension deletes the files of the previous version.
    hasFailed = true;
  }
}

export function renderLater(draw: (loaded: LaterParts) => unknown): unknown {
  if (parts) return draw(parts);
  if (!hasFailed) return nothing;
  return html`<p class="empty muted" role="alert">
    ${t('This part of the panel could not be loaded. Its file may be gone since the extension was updated. Close the panel and open it again.')}
  </p>`;
}
