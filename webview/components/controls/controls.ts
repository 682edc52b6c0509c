// The toolkit's controls as the panel uses them: a label, a value, a callback. Independent of what they edit.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { IconName } from '../../icons';
import { icon } from '../../icons';
import { spellMarks } from '../../text/text-marks';
import { freshBox } from './fresh-box';
import { renderMarked } from './marked-text';

interface TextOptions {
  /** The accessible name; shown above the control unless the style sheet hides it. */
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** Called when the control loses the focus. */
  onLeave?: (() => void) | undefined;
  onEnter?: (() => void) | undefined;
  placeholder?: string | undefined;
  className?: string | undefined;
  isDisabled?: boolean | undefined;
  /** What is wrong with the value: marks the control and is shown beside it. */
  problem?: string | undefined;
  /** More about the control; screen readers read it, too. */
  hint?: string | undefined;
}

interface ButtonOptions {
  label: string;
  /** Accessible name where the label alone is too short; it begins with the label. */
  name?: string | undefined;
  onClick: () => void;
  icon?: IconName | undefined;
  appearance?: 'primary' | 'secondary' | undefined;
  isDisabled?: boolean | undefined;
  title?: string | undefined;
}

export function textField(options: TextOptions): TemplateResult {
  const { label, value, onInput, placeholder = '', className = '', problem, hint, isDisabled } = options;
  const box = html`<vscode-text-field
    .value=${value}
    placeholder=${placeholder}
    aria-invalid=${problem ? 'true' : 'false'}
    ?disabled=${isDisabled ?? false}
    @input=${(event: Event) => onInput(valueOf(event))}
    @focusout=${() => options.onLeave?.()}
    ${ref(describe(problem ?? hint))}
    >${label}</vscode-text-field
  >`;
  return html`<div class="field ${className}">${freshBox(value, box)} ${renderHints(problem, hint)}</div>`;
}

/**
 * In characters. To find the direction of a line takes time with its square: half a second for each key in a line of
 * 600,000 characters. Longer lines have the direction of the panel.
 */
const MAX_DIRECTED_LINE = 20_000;

export function textArea(options: TextOptions & { rows?: number }): TemplateResult {
  const { label, value, onInput, placeholder = '', className = '', problem, hint, rows = 2 } = options;
  const isLong = hasLineOver(value, MAX_DIRECTED_LINE);
  const box = html`<vscode-text-area
    .value=${value}
    placeholder=${placeholder}
    rows=${rows}
    aria-invalid=${problem ? 'true' : 'false'}
    ?disabled=${options.isDisabled ?? false}
    @input=${(event: Event) => onInput(valueOf(event))}
    @focusin=${() => options.onEnter?.()}
    @focusout=${() => options.onLeave?.()}
    ${ref(describe(problem ?? hint))}
    >${label}</vscode-text-area
  >`;
  return html`<div class="field ${className} ${isLong ? 'is-long' : ''}">
    ${freshBox(value, box)} ${renderHints(problem, hint)}
  </div>`;
}

function hasLineOver(text: string, most: number): boolean {
  for (let start = 0; text.length - start > most;) {
    const end = text.indexOf('\n', start);
    if (end < 0 || end - start > most) return true;
    start = end + 1;
  }
  return false;
}

export function checkbox(
  label: string,
  isChecked: boolean,
  { onChange, isDisabled = false }: { onChange: (isChecked: boolean) => void; isDisabled?: boolean },
): TemplateResult {
  // The toolkit also fires `change` when the property is set; only a change by the person is passed on.
  const changed = (event: Event): void => {
    const { checked } = event.target as HTMLInputElement;
    if (checked !== isChecked) onChange(checked);
  };
  return html`<vscode-checkbox ?disabled=${isDisabled} @change=${changed} .checked=${isChecked}
    >${label}</vscode-checkbox
  >`;
}

export function button({
  label,
  name,
  onClick,
  icon: iconName,
  appearance,
  isDisabled,
  title,
}: ButtonOptions): TemplateResult {
  return html`<vscode-button
    appearance=${appearance ?? 'secondary'}
    ?disabled=${isDisabled ?? false}
    title=${title === undefined ? nothing : spellMarks(title)}
    aria-label=${name ?? nothing}
    @click=${() => !isDisabled && onClick()}
    >${iconName ? icon(iconName) : nothing}${label}</vscode-button
  >`;
}

/** A button that shows only an icon. The label is its accessible name and its tooltip. */
export function iconButton(
  label: string,
  name: IconName,
  onClick: () => void,
  isDisabled = false,
  /** Why the button is disabled. */
  reason?: string,
): TemplateResult {
  return html`<button
    class="tool"
    type="button"
    aria-label=${label}
    title=${reason === undefined ? label : spellMarks(`${label}: ${reason}`)}
    ?disabled=${isDisabled}
    @click=${onClick}
  >
    ${icon(name)}
  </button>`;
}

/** @param name Accessible name where the label alone is too short. */
export function linkButton(label: string, onClick: () => void, name?: string): TemplateResult {
  return html`<button class="link" type="button" aria-label=${name ?? nothing} @click=${onClick}>
    ${label}
  </button>`;
}

/** Number of rows of a text area that fits its text. */
export const rowsOf = (text: string, least: number, most: number): number =>
  Math.min(Math.max(text.slice(0, 10_000).split('\n').length, least), most);

function renderHints(problem: string | undefined, hint: string | undefined): unknown {
  if (problem) return html`<p class="wrong" role="alert">${renderMarked(problem)}</p>`;
  return hint ? html`<p class="hint">${renderMarked(hint)}</p>` : nothing;
}

/**
 * Sets the description on the control inside the toolkit's element once that exists: the toolkit forwards names,
 * but no descriptions.
 */
function describe(text: string | undefined): (element: Element | undefined) => void {
  return (element) =>
    queueMicrotask(() => {
      const control = (element as { control?: unknown } | undefined)?.control;
      if (!(control instanceof HTMLElement)) return;
      if (text) control.setAttribute('aria-description', spellMarks(text));
      else control.removeAttribute('aria-description');
    });
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement).value;
}
