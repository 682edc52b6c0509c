// Brings the keyboard to where the person looks next. Knows elements, but no state.

const MAX_FRAMES = 30;

type Focusable = HTMLElement & { updateComplete?: Promise<unknown> };

type Find = () => Element | null | undefined;

/** As soon as it is drawn; not at all when it does not come soon, or when the person went elsewhere in the meantime. */
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
 * For what is drawn only once the host has answered, which may take a while: called before it is asked. A person who has
 * pressed a key or a button since then is somewhere else, such as in a menu that closes without the keyboard, and stays there.
 * @returns `focusSoon` for when the host has answered
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

/** The region of a lane. Ids may be any text, so they are compared and not written into a selector. */
export function laneElement(laneId: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('.lane')].find(
    ({ dataset }) => dataset['lane'] === laneId,
  );
}

/** The turn of an entry in a lane. */
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
