// The mocks of a tool in their order; the first that matches a call answers it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { DOCUMENT_LIMIT } from '../../../src/protocol';
import { focusOnceDone } from '../../focus/focus';
import { newMock } from '../../tools/mock-form';
import { hasLibraryMocks, libraryMockEdits, mockEdits } from '../../tools/tool-edits';
import { button, linkButton } from '../controls/controls';
import { renderMock } from './mock-card';
import { conditionBox } from './tool-focus';
import type { ToolForm } from './tool-form';

export function renderMocks(form: ToolForm): TemplateResult {
  const { mocks, mockIds } = form.scene.tool;
  const add = async (): Promise<void> => {
    const { at } = newMock(form.scene.draft.mocks);
    const goTo = focusOnceDone();
    const isAdded = await form.act((scene) =>
      mockEdits(scene, { kind: 'add', ...newMock(scene.draft.mocks) }),
    );
    if (isAdded) goTo(() => conditionBox(at));
  };
  return html`<section class="part" aria-label=${t('Mocks')}>
    <h3>${t('Mocks')}</h3>
    ${
      mocks.length === 0
        ? html`<p class="muted">
            ${t('Without a mock, an agent run answers the calls of this tool with an error.')}
          </p>`
        : html`<p class="muted">${t('The first mock that matches a call answers it.')}</p>`
    }
    ${renderOrigin(form)}
    <div class="mocks">
      ${repeat(
        mocks,
        (_mock, at) => mockIds[at],
        (mock, at) => renderMock(form, mock, at),
      )}
    </div>
    <div class="actions add-to-mocks">
      ${button({
        label: t('Add mock'),
        icon: 'add',
        isDisabled: form.isFixed || mocks.length >= DOCUMENT_LIMIT.mocks,
        onClick: () => void add(),
      })}
    </div>
  </section>`;
}

/** For a tool from a library: whether the mocks are the library's or the playground's. */
function renderOrigin(form: ToolForm): unknown {
  const { tool } = form.scene;
  if (tool.reference === undefined) return nothing;
  if (hasLibraryMocks(form.scene)) {
    return tool.mocks.length === 0
      ? nothing
      : html`<p class="muted">
          ${t("They are the library's; with a change they become this playground's own.")}
        </p>`;
  }
  const reset = (): void => void form.act(({ tool: own }) => libraryMockEdits(own.index));
  return html`<p class="muted">
    ${t("They are this playground's own.")}
    ${form.isFixed ? nothing : linkButton(t("Use the library's"), reset, t("Use the library's mocks of {0}", form.name))}
  </p>`;
}
