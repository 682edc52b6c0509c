// Note that the beginning of a text was left out.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import { countOf } from '../../text/format';

/** @param count Number of characters left out; nothing is drawn for 0. */
export function renderOmitted(count: number): unknown {
  return count > 0
    ? html`<span class="rest"
        >${countOf(count, t('… {0} character before'), t('… {0} characters before'))}</span
      >`
    : nothing;
}
