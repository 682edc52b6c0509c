// Moves the focus to where the person continues. Depends on elements, not on state.

const MAX_FRAMES = 30;

type Focusable = HTMLElement & { updateComplete?: Promise<unknown> };

type Find = () => Element | null | undefined;

/**
 * Focuses the element as soon as it is drawn. Gives up after 30 frames, or when the person has focused something
 * else.
 */
export function focusSoon(find: Find): void {
  const before = document.activeElement;
  let frames = 0;
  const tryOnce = (): void => {
    const { activeElement } = document;
    const isTaken = activeElement !== before && activeElement !== document.body && activeElement !== null;
    if (isTaken && before?.isConnected) return;
    const element = find() as Focusable | null | undefined;
    if (element?.isConnected && !element.hasAttribute('disabled')) {
      element.focus();
      element.scrollIntoView?.({ block: 'nearest' });
      if (document.activeElement === element || element.contains(document.activeElement)) return;
    }
    if (++frames < MAX_FRAMES) requestAnimationFrame(tryOnce);
  };
  requestAnimationFrame(tryOnce);
}

/**
 * The same for an element that is drawn only after a reply of the host, which may take a while. Call this before
 * the request: if the person presses a key or a button in the meantime, the focus is left where it is.
 * @returns `focusSoon`, to be called once the host has answered.
 */
export function focusOnceDone(): (find: Find) => void {
  const waiting = new AbortController();
  for (const event of ['keydown', 'pointerdown'])
    window.addEventListener(event, () => waiting.abort(), { capture: true, signal: waiting.signal });
  return (find) => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    focusSoon(find);
  };
}

/**
 * For a dialog of the editor, during which the panel loses the focus. Call this before the request.
 * @returns moves the focus back to where it was, or to the message box if that is gone
 */
export function focusBackOnceDone(): () => void {
  const before = document.activeElement;
  const goTo = focusOnceDone();
  const isLeft = (): boolean => before?.isConnected === true && !before.hasAttribute('disabled');
  return () => goTo(() => (isLeft() && before !== document.body ? before : messageBox()));
}

/** The region of a lane. Ids may be any text, so they are compared instead of written into a selector. */
export function laneElement(laneId: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('.lane')].find(
    ({ dataset }) => dataset['lane'] === laneId,
  );
}

/** The element of an entry's turn in a lane. */
export function turnElement(laneId: string, entryId: string): HTMLElement | undefined {
  return [...(laneElement(laneId)?.querySelectorAll<HTMLElement>('pg-turn') ?? [])].find(
    ({ dataset }) => dataset['entry'] === entryId,
  );
}

/** The button with this accessible name. */
export function findButton(root: ParentNode | undefined, name: string): HTMLElement | undefined {
  return [...(root?.querySelectorAll<HTMLElement>('button, vscode-button') ?? [])].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent).trim() === name,
  );
}

/** The part of the inspector that shows the selected tab. */
export const inspectorPane = (): HTMLElement | null => document.querySelector<HTMLElement>('.side .pane');

export const messageBox = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('.composer vscode-text-area');
