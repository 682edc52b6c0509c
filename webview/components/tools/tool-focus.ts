// Where the focus goes in the view *Tools* after an action. Depends on the view's elements, not on its state.

/** The editor of the shown tool as a whole. */
export const shownEditor = (): Element | null => document.querySelector('.tool-editor');

/** @param count Number of tools after the action; undefined is returned until the list shows that many. */
export function toolButton(index: number, count: number): HTMLElement | undefined {
  const all = toolRows();
  if (all.length !== count) return undefined;
  return all[Math.min(index, count - 1)] ?? addToolButton();
}

const toolRows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.tool-list .tool-row')];

const addToolButton = (): HTMLElement | undefined =>
  document.querySelector<HTMLElement>('pg-tools-panel .empty vscode-button') ?? undefined;

/** The name field of the shown tool with its text selected, once the list shows `count` tools. */
export function nameBox(count: number): HTMLElement | undefined {
  if (toolRows().length < count) return undefined;
  return selectOnFocus(shownEditor()?.querySelector<HTMLElement>('.tool-name vscode-text-field'));
}

export const rowNameBox = (at: number): HTMLElement | undefined =>
  selectOnFocus(rows()[at]?.querySelector<HTMLElement>('vscode-text-field'));

export const optionsBox = (at: number): HTMLElement | undefined =>
  rows()[at]?.querySelector<HTMLElement>('vscode-text-area') ?? undefined;

/**
 * An action button of a row or mock. If that row is gone, the button of its neighbour, otherwise the one that adds
 * a row.
 * @param action Class of the button. @param count Number of rows after the action.
 */
export function actionOf(
  list: 'parameters' | 'mocks',
  { at, action, count }: { at: number; action: string; count: number },
): HTMLElement | undefined {
  const all = list === 'mocks' ? mocks() : rows();
  if (all.length !== count) return undefined;
  const element = all[Math.min(at, count - 1)];
  const wanted = element?.querySelector<HTMLElement>(`.${action} button:not([disabled])`);
  const other = element?.querySelector<HTMLElement>('.moves button:not([disabled])');
  const add = shownEditor()?.querySelector<HTMLElement>(`.add-to-${list} vscode-button`);
  return wanted ?? other ?? add ?? undefined;
}

export const conditionBox = (at: number): HTMLElement | undefined =>
  mocks()[at]?.querySelector<HTMLElement>('vscode-dropdown') ?? undefined;

const rows = (): HTMLElement[] => [...(shownEditor()?.querySelectorAll<HTMLElement>('.param') ?? [])];
const mocks = (): HTMLElement[] => [...(shownEditor()?.querySelectorAll<HTMLElement>('.mock') ?? [])];

function selectOnFocus(box: HTMLElement | null | undefined): HTMLElement | undefined {
  const select = (): void => (box as { select?: () => void } | null | undefined)?.select?.();
  box?.addEventListener('focusin', select, { once: true });
  return box ?? undefined;
}
