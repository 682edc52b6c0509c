// The controls of the lab that choose the format and the tools for a reading.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { LabFormat } from '../../src/protocol';
import type { ToolType } from '../../src/types';
import { button, iconButton } from '../components/controls/controls';
import { renderCut } from '../components/controls/prose';
import { formatCount } from '../text/format';
import type { Lab } from './lab';
import { stepFormat } from './lab-state';

export const ALL = 'all';
const MAX_TOOLS = 12;
const MAX_KEYS = 8;

export function renderChoices(lab: Lab): TemplateResult {
  const { document: kept, formats } = lab.state;
  return html`<div class="lab-choices">
    ${renderFormatChoice({
      label: t('Read in'),
      previous: t('Read in the previous format'),
      next: t('Read in the next format'),
      none: { id: ALL, label: t('All formats') },
      value: kept.format,
      formats,
      onChange: (format) => lab.change({ format }),
    })}
    ${renderTools(lab)}
  </div>`;
}

export interface FormatChoice {
  label: string;
  /** Accessible names of the buttons for the previous and the next format. */
  previous: string;
  next: string;
  /** The entry that stands for no format. */
  none: { id: string; label: string };
  /** Id of the chosen format; undefined for none. */
  value: string | undefined;
  formats: readonly LabFormat[];
  onChange: (format: string | undefined) => void;
}

/** A list of formats with buttons for the previous and the next one. */
export function renderFormatChoice({
  label,
  previous,
  next,
  none,
  value,
  formats,
  onChange,
}: FormatChoice): TemplateResult {
  const choices = [none, ...formats.map(({ id, title }) => ({ id, label: `${title} (${id})` }))];
  const step = (by: 1 | -1): void => onChange(stepFormat(formats, value, by));
  return html`<div class="lab-format">
    <pg-select-box
      .label=${label}
      .value=${value ?? none.id}
      .choices=${choices}
      @pg-change=${({ detail }: CustomEvent<string>) => onChange(detail === none.id ? undefined : detail)}
    ></pg-select-box>
    ${iconButton(previous, 'leftwards', () => step(-1))} ${iconButton(next, 'rightwards', () => step(1))}
  </div>`;
}

function renderTools(lab: Lab): TemplateResult {
  const { reading, document: kept } = lab.state;
  const isGuessed = kept.tools === undefined;
  const tools = reading?.tools ?? [];
  return html`<div class="lab-tools" role="group" aria-label=${t('Tools')}>
    <p>
      <span class="muted">${isGuessed ? t('Tools, guessed from the text:') : t('Tools, chosen:')}</span>
      ${tools.length === 0 ? html`<span>${t('none')}</span>` : nothing}
      ${tools.slice(0, MAX_TOOLS).map((tool, index) => html`${index > 0 ? ', ' : ''}${renderTool(tool)}`)}
      ${tools.length > MAX_TOOLS ? t('and {0} more', formatCount(tools.length - MAX_TOOLS)) : nothing}
      ${isGuessed && tools.length > 0 ? html`<span class="muted">${t('No schema: values stay text, and nothing is checked.')}</span>` : nothing}
    </p>
    <p class="row">
      ${button({ label: t('Choose tools…'), onClick: () => void lab.chooseTools() })}
      ${isGuessed ? nothing : button({ label: t('Guess them from the text'), onClick: () => lab.change({ tools: undefined }) })}
    </p>
  </div>`;
}

/** Such as `get_weather(city, unit)`. */
function renderTool({ name, parameters }: ToolType): TemplateResult {
  const keys = Object.keys(Object(parameters['properties']) as object);
  const shown = keys.slice(0, MAX_KEYS).join(', ') + (keys.length > MAX_KEYS ? ', …' : '');
  return html`<code>${renderCut(name, 100)}(${renderCut(shown, 200)})</code>`;
}
