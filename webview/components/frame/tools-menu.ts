// The button *Tools* and its list: which tools the next request offers, and the ways to change them. Fires
// `pg-offer` and `pg-remove` with the index of the tool, `pg-edit` with its id, and `pg-create`, `pg-import`.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ToolView } from '../../../src/protocol';
import { icon } from '../../icons';
import { countOf } from '../../text/format';
import { spellMarks } from '../../text/text-marks';
import { button, checkbox, iconButton } from '../controls/controls';
import { PanelElement } from '../controls/panel-element';
import { renderMarked } from '../controls/marked-text';
import { cut, prose, renderCut } from '../controls/prose';
import { sentence } from '../../text/sentence';

const MAX_NAMED = 20;

export class ToolsMenu extends PanelElement {
  static override properties = {
    tools: { attribute: false },
    isFixed: { type: Boolean },
    isOpen: { state: true },
  };
  declare tools: readonly ToolView[];
  /** Whether the document cannot be changed. */
  declare isFixed: boolean;
  declare isOpen: boolean;

  constructor() {
    super();
    this.tools = [];
    this.isFixed = false;
    this.isOpen = false;
    this.addEventListener('keydown', this.#pressed);
    this.addEventListener('focusout', this.#left);
  }

  override render(): TemplateResult {
    const offered = this.tools.filter(({ isOffered }) => isOffered).map(({ name }) => name);
    const names = offered.slice(0, MAX_NAMED).join(', ') || t('none');
    const problems = this.tools.reduce((count, tool) => count + tool.problems.length, 0);
    const toggle = (): void => {
      this.isOpen = !this.isOpen;
    };
    return html`<button
        class="ghost"
        type="button"
        aria-description=${spellMarks(names)}
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        @click=${toggle}
      >
        ${icon('tool')}<span>${t('Tools')}</span>${icon('down')}
      </button>
      <span class="clip muted">${renderMarked(names)}</span>
      ${problems > 0 ? html`<span class="s-warning" title=${countOf(problems, t('{0} problem'), t('{0} problems'))}>${icon('warning')}</span>` : nothing}
      ${this.isOpen ? this.#renderList() : nothing}`;
  }

  #renderList(): TemplateResult {
    return html`<div class="popup menu" role="group" aria-label=${t('Tools of the playground')} tabindex="-1">
      ${
        this.tools.length === 0
          ? html`<p class="muted">
              ${t('There is no tool yet. A tool is a function that a model can call.')}
            </p>`
          : this.tools.map((tool) => this.#renderTool(tool))
      }
      <div class="actions">
        ${button({
          label: t('Add tool'),
          icon: 'add',
          isDisabled: this.isFixed,
          onClick: () => this.#emit('pg-create'),
        })}
        ${button({ label: t('Import tools'), isDisabled: this.isFixed, onClick: () => this.#emit('pg-import') })}
      </div>
    </div>`;
  }

  #renderTool(tool: ToolView): TemplateResult {
    const { index, id, description, isOffered, problems, reference } = tool;
    const name = spellMarks(cut(tool.name, 100));
    return html`<div class="choice">
      <div class="choice-head">
        ${checkbox(name || t('(no name)'), isOffered, {
          isDisabled: this.isFixed,
          onChange: (isChecked) => this.#emit('pg-offer', { index, isOffered: isChecked }),
        })}
        <span class="push"></span>
        ${iconButton(t('Edit {0}', name), 'edit', () => this.#emit('pg-edit', { id }))}
        ${iconButton(t('Remove {0}', name), 'remove', () => this.#emit('pg-remove', { index }), this.isFixed)}
      </div>
      ${description === '' ? nothing : html`<p class="muted">${renderCut(description, 300)}</p>`}
      ${reference === undefined ? nothing : html`<p class="muted">${sentence(t('from {0}'), html`<code>${renderCut(reference, 200)}</code>`)}</p>`}
      ${problems.map(
        (problem) =>
          html`<p class="has-icon"><span class="s-warning">${icon('warning')}</span>${prose(problem)}</p>`,
      )}
    </div>`;
  }

  #emit(name: string, detail?: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.isOpen) return;
    event.stopPropagation();
    event.preventDefault();
    this.isOpen = false;
    this.querySelector('button')?.focus();
  };

  readonly #left = (event: FocusEvent): void => {
    const { relatedTarget } = event;
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false;
  };
}
