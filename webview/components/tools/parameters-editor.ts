// The parameters of a tool as rows: name, type, description, whether required, and allowed values. For parameters
// that cannot be shown as a table it says why.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ParameterRow, ParameterType } from '../../../src/protocol';
import { parametersTable } from '../../../src/protocol';
import { focusOnceDone } from '../../focus/focus';
import { areOddOptions, moved, newRow, TYPE_LABELS, withType } from '../../tools/parameter-rows';
import { rowEdits } from '../../tools/tool-edits';
import { button, checkbox, iconButton, linkButton, rowsOf } from '../controls/controls';
import { sentence } from '../../text/sentence';
import { renderCut } from '../controls/prose';
import { actionOf, optionsBox, rowNameBox } from './tool-focus';
import type { ToolForm } from './tool-form';

const typeChoices = (): { id: string; label: string }[] =>
  Object.entries(TYPE_LABELS).map(([id, label]) => ({ id, label }));
/** Each row takes several controls, so more than this are edited as JSON. */
const MAX_ROWS = 100;

export function renderParameters(form: ToolForm): unknown {
  const { reference, problems } = form.scene.tool;
  // The parameters of an unresolved reference are unknown.
  if (reference !== undefined && problems.length > 0 && form.stored.rows?.length === 0) return nothing;
  return html`<section class="part" aria-label=${t('Parameters')}>
    <h3>${t('Parameters')}</h3>
    ${renderTable(form)}
  </section>`;
}

function renderTable(form: ToolForm): TemplateResult {
  const table = parametersTable(form.scene.tool.parameters);
  if ('why' in table) return renderWhy(form, `${table.why}.`);
  const { rows } = table;
  if (rows.length > MAX_ROWS)
    return renderWhy(form, t('There are {0} parameters: edit them as JSON.', rows.length));
  if (form.scene.tool.reference !== undefined) return renderReadOnly(rows);
  const add = async (): Promise<void> => {
    const at = form.scene.draft.rows?.length ?? 0;
    const goTo = focusOnceDone();
    if (await change(form, (all) => [...all, newRow(all)])) goTo(() => rowNameBox(at));
  };
  return html`${
      rows.length === 0
        ? html`<p class="muted">${t('It takes no arguments.')}</p>`
        : html`<div class="param-head muted" aria-hidden="true">
            <span>${t('Name')}</span><span>${t('Type')}</span><span>${t('Description')}</span
            ><span>${t('Required')}</span>
          </div>`
    }
    <div class="params">
      ${repeat(
        rows,
        (_row, at) => form.scene.tool.parameterIds[at],
        (row, at) => renderRow(form, row, { at, count: rows.length }),
      )}
    </div>
    <div class="actions add-to-parameters">
      ${button({
        label: t('Add parameter'),
        icon: 'add',
        isDisabled: form.isFixed || rows.length >= MAX_ROWS,
        onClick: () => void add(),
      })}
    </div>`;
}

function renderWhy(form: ToolForm, why: string): TemplateResult {
  const edit = (): void => void form.playground.send('tool/edit', { index: form.index });
  return html`<p>
    ${renderCut(why)}
    ${linkButton(t('Edit as JSON'), edit, t('Edit as JSON the parameters of {0}', form.name))}
  </p>`;
}

function change(form: ToolForm, toRows: (rows: readonly ParameterRow[]) => ParameterRow[]): Promise<boolean> {
  return form.act((scene) => rowEdits(scene, toRows(scene.draft.rows ?? [])));
}

const changeRow = (
  form: ToolForm,
  at: number,
  toRow: (row: ParameterRow) => ParameterRow,
): Promise<boolean> => change(form, (rows) => rows.map((row, index) => (index === at ? toRow(row) : row)));

function renderRow(
  form: ToolForm,
  row: ParameterRow,
  { at, count }: { at: number; count: number },
): TemplateResult {
  const place = { list: 'parameters', at } as const;
  const choose = async ({ detail }: CustomEvent<string>): Promise<void> => {
    const type = detail as ParameterType;
    const goTo = focusOnceDone();
    const isChosen = await changeRow(form, at, (before) => withType(before, type));
    if (isChosen && type === 'enum') goTo(() => optionsBox(at));
  };
  return html`<div class="param" role="group" aria-label=${t('Parameter {0}', at + 1)}>
    ${form.line({ ...place, part: 'name' }, { label: t('Parameter name'), className: 'is-data' })}
    <pg-select-box
      class="field"
      .label=${t('Type')}
      .value=${row.type}
      .choices=${typeChoices()}
      .isDisabled=${form.isFixed}
      @pg-change=${choose}
    ></pg-select-box>
    ${form.line({ ...place, part: 'description' }, { label: t('Parameter description') })}
    ${checkbox(t('Required'), row.isRequired, {
      isDisabled: form.isFixed,
      onChange: (isRequired) => void changeRow(form, at, (before) => ({ ...before, isRequired })),
    })}
    ${renderMoves(form, at, count)} ${row.type === 'enum' ? renderOptions(form, row, at) : nothing}
    ${renderMore(row.more)}
  </div>`;
}

/** Names what the form does not show of a parameter. */
function renderMore(more: readonly string[] | undefined): unknown {
  return more
    ? html`<p class="muted options">${sentence(t('More in JSON: {0}'), renderCut(more.join(', '), 200))}</p>`
    : nothing;
}

function renderMoves(form: ToolForm, at: number, count: number): TemplateResult {
  const { name } = form;
  const number = at + 1;
  const move = async (to: number, action: string): Promise<void> => {
    const goTo = focusOnceDone();
    const isDone = await change(form, (rows) => moved(rows, at, to));
    if (isDone) goTo(() => actionOf('parameters', { at: to, action, count }));
  };
  const remove = async (): Promise<void> => {
    const goTo = focusOnceDone();
    const isDone = await change(form, (rows) => rows.toSpliced(at, 1));
    if (isDone) goTo(() => actionOf('parameters', { at, action: 'remove', count: count - 1 }));
  };
  return html`<span class="moves">
    <span class="move-up"
      >${iconButton(t('Move parameter {0} of {1} up', number, name), 'leftwards', () => void move(at - 1, 'move-up'), form.isFixed || at === 0)}</span
    ><span class="move-down"
      >${iconButton(t('Move parameter {0} of {1} down', number, name), 'rightwards', () => void move(at + 1, 'move-down'), form.isFixed || at === count - 1)}</span
    ><span class="remove"
      >${iconButton(t('Remove parameter {0} of {1}', number, name), 'remove', () => void remove(), form.isFixed)}</span
    >
  </span>`;
}

function renderOptions(form: ToolForm, { options = [] }: ParameterRow, at: number): TemplateResult {
  const place = { list: 'parameters', at, part: 'options' } as const;
  const isOdd = areOddOptions(options);
  return html`<div class="options">
    ${form.area(place, {
      label: t('Options'),
      placeholder: t('one per line'),
      rows: rowsOf(form.textOf(place) ?? '', 2, 8),
      isDisabled: isOdd,
      hint: isOdd
        ? t('These values cannot be edited one per line: edit them as JSON.')
        : describeOptions(options),
    })}
  </div>`;
}

const describeOptions = (options: readonly string[]): string =>
  options.length === 0 ? t('One per line. Without any, no value is allowed.') : t('One per line.');

function renderReadOnly(rows: readonly ParameterRow[]): TemplateResult {
  if (rows.length === 0) return html`<p class="muted">${t('It takes no arguments.')}</p>`;
  return html`<div class="scroll">
    <table class="param-table">
      <thead>
        <tr>
          <th scope="col">${t('Name')}</th>
          <th scope="col">${t('Type')}</th>
          <th scope="col">${t('Description')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, type, description, isRequired, options, more }) =>
            html`<tr>
              <th scope="row"><code>${renderCut(name)}</code></th>
              <td>
                ${TYPE_LABELS[type]}${options ? html`: <code>${renderCut(options.join(', '))}</code>` : nothing}${isRequired ? `, ${t('required')}` : nothing}
              </td>
              <td>${renderCut(description)} ${renderMore(more)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
