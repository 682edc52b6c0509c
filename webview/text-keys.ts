// Keys in a box of text that the editor has as well, and that are the browser's there.

/**
 * The browser selects the text of a box at once. The editor would select it a second time a moment later, and what was
 * typed in the meantime would be typed over.
 */
export function keepSelectAll(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  const isSelectAll = event.code === 'KeyA' && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isSelectAll && target instanceof HTMLElement && target.matches('input, textarea')) {
    event.stopPropagation();
  }
}

/** The browser undoes and redoes what was typed into a box; the editor would do it a second time, or not let it. */
export function keepUndo(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  const isUndo = ['KeyZ', 'KeyY'].includes(event.code) && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isUndo && target instanceof HTMLElement && target.matches('input, textarea')) event.stopPropagation();
}
