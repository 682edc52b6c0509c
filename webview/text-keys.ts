// Keys in a text box that the editor also handles, but that belong to the browser there.

/**
 * Stops Ctrl+A in a text box. The browser selects its text at once; the editor would select it again a moment
 * later, so that the next typed characters would overwrite what was typed in between.
 */
export function keepSelectAll(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  const isSelectAll = event.code === 'KeyA' && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isSelectAll && target instanceof HTMLElement && target.matches('input, textarea')) {
    event.stopPropagation();
  }
}

/**
 * Stops undo and redo keys in a text box: the browser handles them, and the editor would undo a second time or
 * block the browser.
 */
export function keepUndo(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  const isUndo = ['KeyZ', 'KeyY'].includes(event.code) && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isUndo && target instanceof HTMLElement && target.matches('input, textarea')) event.stopPropagation();
}
