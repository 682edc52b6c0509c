// The selected tool: its name, description, parameters and mocks. A tool from a library is read-only; only its
// mocks and whether it is offered belong to the playground.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { DOCUMENT_LIMIT } from '../../../src/protocol';
import { focusOnceDone } from '../../focus/focus';
import { icon } from '../../icons';
import { duplicateEdits, removeEdits } from '../../tools/tool-edits';
import { toolActionsOf } from '../../tools/tool-actions';
import { button, rowsOf } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import { cut, prose, renderCut } from '../controls/prose';
import { renderMocks } from './mock-list';
import { renderServerChecks } from './server-checks';
import { renderParameters } from './parameters-editor';
import { nameBox, toolButton } from './tool-focus';
import type { ToolForm } from './tool-form';
import { sentence } from '../../text/sentence';

export function renderToolEditor(form: ToolForm): TemplateResult {
  const { tool } = form.scene;
  return html`<section class="tool-editor" aria-label=${t('Tool {0}', form.name)} tabindex="-1">
    <header>
      <h2 class="mono clip">${renderMarked(cut(tool.name))}</h2>
      ${renderActions(form)}
    </header>
    ${tool.reference === undefined ? renderOwn(form) : renderFromLibrary(form, tool.reference)}
    ${renderServerChecks(form)} ${renderParameters(form)} ${renderMocks(form)}
  </section>`;
}

function renderActions(form: ToolForm): TemplateResult {
  const { playground, index, isFixed, name, scene } = form;
  const edit = async (): Promise<void> => {
    await playground.fields.flush();
    await playground.send('tool/edit', { index });
  };
  const duplicate = async (): Promise<void> => {
    const goTo = focusOnceDone();
    const isMade = await toolActionsOf(playground).make(() => form.act(duplicateEdits));
    if (isMade) goTo(() => nameBox(scene.names.length + 1));
  };
  const remove = async (): Promise<void> => {
    const goTo = focusOnceDone();
    const isRemoved = await form.act(({ tool }) => removeEdits(tool.index));
    if (isRemoved) goTo(() => toolButton(index, scene.names.length - 1));
  };
  return html`<div class="actions">
    ${button({ label: t('Edit as JSON'), name: t('Edit as JSON {0}', name), icon: 'edit', onClick: () => void edit() })}
    ${button({
      label: t('Duplicate tool'),
      name: t('Duplicate tool {0}', name),
      icon: 'copy',
      isDisabled: isFixed || scene.names.length >= DOCUMENT_LIMIT.tools,
      onClick: () => void duplicate(),
    })}
    ${button({
      label: t('Remove tool'),
      name: t('Remove tool {0}', name),
      icon: 'remove',
      isDisabled: isFixed,
      onClick: () => void remove(),
    })}
  </div>`;
}

function renderOwn(form: ToolForm): TemplateResult {
  const description = { part: 'description' } as const;
  return html`<div class="tool-name">
      ${form.line({ part: 'name' }, { label: t('Name'), placeholder: 'get_weather', className: 'is-data' })}
      ${renderProblems(form)}
    </div>
    ${form.area(description, {
      label: t('Description'),
      placeholder: t('What the tool does and when to call it; the model reads this.'),
      rows: rowsOf(wrap(form.textOf(description) ?? ''), 2, 8),
    })}`;
}

function renderFromLibrary(form: ToolForm, reference: string): TemplateResult {
  const { description } = form.scene.tool;
  return html`<p class="has-icon">
      <span class="s-info">${icon('info')}</span>
      <span>
        ${sentence(
          t(
            'This tool comes from {0}. Here you can change its mocks and whether it is offered; {1} opens it there.',
          ),
          html`<code class="wrap">${renderCut(reference)}</code>`,
          html`<i>${t('Edit as JSON')}</i>`,
        )}
      </span>
    </p>
    ${renderProblems(form)}
    ${description === '' ? nothing : html`<p class="is-text">${renderCut(description, 20_000)}</p>`}`;
}

/** Estimates how the text wraps in a narrow panel, so that long lines count as several rows. */
const wrap = (text: string): string => text.slice(0, 2000).replaceAll(/.{56}/g, '$&\n');

/** The problems of the tool as the document reports them; they change while the person types. */
function renderProblems(form: ToolForm): unknown {
  const { problems } = form.scene.tool;
  if (problems.length === 0) return nothing;
  return html`<div role="status">
    <ul class="problems" aria-label=${t('Problems')}>
      ${problems.map(
        (problem) =>
          html`<li class="has-icon">
            <span class="s-warning">${icon('warning')}</span><span>${prose(problem)}</span>
          </li>`,
      )}
    </ul>
  </div>`;
}
