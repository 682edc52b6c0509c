// Keys in a text box that the editor also handles, but that belong to the browser there.

/** Whether the key types this letter. On a keyboard without Latin letters its position decides, as in the editor. */
export const isLetter = ({ key, code }: KeyboardEvent, letter: string): boolean =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code.toLowerCase() === `key${letter}`;

/**
 * Stops Ctrl+A in a text box. The browser selects its text at once; the editor would select it again a moment
 * later, so that the next typed characters would overwrite what was typed in between.
 */
export function keepSelectAll(event: KeyboardEvent): void {
  if (isCommand(event, ['a'])) event.stopPropagation();
}

/**
 * Stops undo and redo keys in a text box: the browser handles them, and the editor would undo a second time or
 * block the browser.
 */
export function keepUndo(event: KeyboardEvent): void {
  if (isCommand(event, ['z', 'y'])) event.stopPropagation();
}

function isCommand(event: KeyboardEvent, letters: readonly string[]): boolean {
  const [target] = event.composedPath();
  const hasKeys = (event.ctrlKey || event.metaKey) && !event.altKey;
  const isWanted = hasKeys && letters.some((letter) => isLetter(event, letter));
  return isWanted && target instanceof HTMLElement && target.matches('input, textarea');
}
