// The expectations of the document, each of which opens its editor.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { addExpectation, editExpectation } from '../../actions/evaluate-document';
import { nameOfExpectation } from '../../evaluate/expectation-words';
import { countOwn } from '../../evaluate/own-rows';
import { canEdit } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { countOf } from '../../text/format';
import { button } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';

export function renderExpectations(playground: Playground): TemplateResult {
  const { session } = playground.state;
  const expect = session.document?.document.expect ?? [];
  const { own } = countOwn(session.document, '$expect');
  return html`<section class="sec">
    <h3>${t('Expectations')} <small>${t('each must hold')}</small></h3>
    ${
      expect.length === 0
        ? html`<p class="muted">
            ${
              own > 0
                ? countOf(
                    own,
                    t('None for all rows. {0} row has its own.'),
                    t('None for all rows. {0} rows have their own.'),
                  )
                : t('None: replies are counted by how they came out, and no rate is shown.')
            }
          </p>`
        : html`<ul class="expected">
            ${expect.map((each, index) => {
              const name = nameOfExpectation(each, index);
              return html`<li>
                <button class="link" type="button" @click=${() => editExpectation(playground, index)}>
                  ${renderMarked(name)}
                </button>
              </li>`;
            })}
          </ul>`
    }
    <div class="actions">
      ${button({
        label: t('Add expectation'),
        icon: 'add',
        isDisabled: !canEdit(session),
        onClick: () => void addExpectation(playground, expect.length),
      })}
    </div>
  </section>`;
}
