// The view *Tools*: the list of tools and, beside it, the selected one. If there are no tools, it says how to get
// one.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { focusOnceDone } from '../../focus/focus';
import { icon } from '../../icons';
import { canEdit } from '../../lanes/lane-queries';
import type { PanelState } from '../../state/panel-state';
import type { Playground } from '../../playground';
import { selectedTool, toolActionsOf } from '../../tools/tool-actions';
import { button } from '../controls/controls';
import { StoreElement } from '../controls/store-element';
import { nameBox } from './tool-focus';
import { ToolForm } from './tool-form';
import { renderToolEditor } from './tool-editor';
import { renderToolList } from './tool-list';

export class ToolsPanel extends StoreElement {
  override connectedCallback(): void {
    super.connectedCallback();
    // Creates the actions, which follow the document from then on.
    toolActionsOf(this.playground);
    window.addEventListener('pagehide', this.#leaving);
  }

  protected override updated(): void {
    void toolActionsOf(this.playground).needChecks();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('pagehide', this.#leaving);
    this.#leaving();
  }

  override render(): TemplateResult {
    const { playground } = this;
    const { session, view, notice } = playground.state;
    const tool = selectedTool(view.toolId, session.document?.tools ?? []);
    const form = tool && ToolForm.of(playground, tool.id);
    return html`<pg-document-banner .playground=${playground}></pg-document-banner>
      ${session.document ? (form ? this.#renderTools(form) : renderEmpty(playground)) : nothing}
      ${notice === '' ? nothing : html`<p class="tools-notice">${notice}</p>`}`;
  }

  protected override watched({ session, view, notice, toolChecks }: PanelState): readonly unknown[] {
    return [session.document, session.environment, view.fields, view.toolId, notice, toolChecks];
  }

  #renderTools(form: ToolForm): TemplateResult {
    const { playground } = this;
    return html`<div class="tools">
      <section class="tools-side" aria-label=${t('Tools of the playground')}>
        <header>
          <h2>${t('Tools')}</h2>
          ${renderAdd(playground)}
        </header>
        ${renderToolList(playground, form.scene.tool.id)}
      </section>
      ${renderToolEditor(form)}
    </div>`;
  }

  readonly #leaving = (): void => void this.playground.fields.flush();
}

function renderAdd(playground: Playground, isPrimary = false): TemplateResult {
  const isDisabled = !canEdit(playground.state.session);
  return html`${button({
    label: t('Add tool'),
    icon: 'add',
    isDisabled,
    appearance: isPrimary ? 'primary' : 'secondary',
    onClick: () => void makeTool(playground, 'tool/create'),
  })}
  ${button({
    label: t('Import tools'),
    isDisabled,
    onClick: () => void makeTool(playground, 'tool/import'),
  })}`;
}

async function makeTool(playground: Playground, method: 'tool/create' | 'tool/import'): Promise<void> {
  const before = document.activeElement;
  const count = playground.state.session.document?.tools.length ?? 0;
  const goTo = focusOnceDone();
  const isMade = await toolActionsOf(playground).make(() => playground.send(method, {}));
  // If the host opened something for the new tool, the focus stays there.
  if (isMade && document.hasFocus() && document.activeElement === before) goTo(() => nameBox(count + 1));
}

function renderEmpty(playground: Playground): TemplateResult {
  return html`<div class="empty grow">
    ${icon('tool')}
    <p>${t('A tool is a function that a model can call. Describe one, or import your own.')}</p>
    <div class="actions">${renderAdd(playground, true)}</div>
  </div>`;
}
