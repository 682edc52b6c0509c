// Draws the panel or a part of it in a given state; its requests are recorded and answered at once.
import { render } from 'lit';
import type { LitElement } from 'lit';
import { onTestFinished } from 'vitest';
import type { ClientFrame, HostFrame, RequestMethod } from '../../../src/protocol';
import { RpcClient } from '../../../src/protocol';
import { Playground } from '../../../webview/playground';
import type { LaneSample, PanelChange } from './samples';
import { toPanel } from './samples';

export interface Drawn {
  host: HTMLElement;
  playground: Playground;
  frames: ClientFrame[];
  /** The parameters of all requests with this method. */
  sent: (method: RequestMethod) => unknown[];
  text: () => string;
  settle: () => Promise<void>;
}

export interface DrawOptions extends PanelChange {
  lanes?: Record<string, LaneSample>;
  /** The host's answers by method; null by default. */
  answers?: Partial<Record<RequestMethod, unknown>>;
}

const ANSWERS: Partial<Record<RequestMethod, unknown>> = {
  'connection/models': { models: [] },
  'entries/read': [],
};

/** A panel in this state, whose host answers each request at once. */
export function openPlayground({ lanes, answers = {}, ...change }: DrawOptions = {}): {
  playground: Playground;
  frames: ClientFrame[];
} {
  const frames: ClientFrame[] = [];
  const client: RpcClient = new RpcClient((frame) => {
    frames.push(frame);
    if (frame.kind !== 'request') return;
    const result = { ...ANSWERS, ...answers }[frame.method] ?? null;
    const reply: HostFrame = { kind: 'reply', id: frame.id, ok: true, result };
    queueMicrotask(() => client.receive(reply));
  });
  const playground = new Playground({ client, loadState: () => undefined, saveState: () => undefined });
  playground.update(() => toPanel(lanes, change));
  onTestFinished(() => playground.save());
  return { playground, frames };
}

/** @param draw Called again for each change of the state. */
export async function drawPart(
  draw: (playground: Playground) => unknown,
  options: DrawOptions = {},
): Promise<Drawn> {
  const { playground, frames } = openPlayground(options);
  const host = document.createElement('div');
  document.body.append(host);
  const redraw = (): void => void render(draw(playground), host);
  onTestFinished(playground.subscribe(redraw));
  onTestFinished(() => {
    render(undefined, host);
    host.remove();
  });
  redraw();
  const settle = (): Promise<void> => settleElements(host);
  await settle();
  return {
    host,
    playground,
    frames,
    sent: (method) =>
      frames.flatMap((frame) => (frame.kind === 'request' && frame.method === method ? [frame.params] : [])),
    text: () => textOf(host),
    settle,
  };
}

/** Texts and attributes that contain an invisible character, or one that changes the direction of text. */
export const hiddenIn = (root: Element): string[] =>
  [
    root.textContent,
    ...[...root.querySelectorAll('*')].flatMap(({ attributes }) => [...attributes].map(({ value }) => value)),
  ].filter((text) => /[\u200b\u202e]/.test(text));

export const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** Waits until the elements are drawn, and those that they contain. */
async function settleElements(host: HTMLElement): Promise<void> {
  for (let depth = 0; depth < 6; depth++) {
    const elements = [...host.querySelectorAll<LitElement>('*')].filter(
      (element) => 'updateComplete' in element,
    );
    await Promise.all(elements.map((element) => element.updateComplete));
  }
}

export function findButton(root: ParentNode, label: string): HTMLElement {
  const found = [...root.querySelectorAll<HTMLElement>('vscode-button, button')].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent).trim() === label,
  );
  if (!found) throw new Error(`no button ${label}`);
  return found;
}

export const buttonsIn = (root: ParentNode): string[] =>
  [...root.querySelectorAll('vscode-button, button')].map((button) =>
    (button.getAttribute('aria-label') ?? button.textContent).trim(),
  );

/** Types into one of the toolkit's fields. */
export function type(field: Element | null | undefined, value: string): void {
  if (!field) throw new Error('no field');
  Object.assign(field, { value });
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

export function press(target: EventTarget, key: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
}

/** Waits longer than the panel searches for the element to focus. */
export const nextFrames = (count = 3): Promise<void> =>
  new Promise((resolve) => {
    const next = (left: number): void =>
      void (left > 0 ? requestAnimationFrame(() => next(left - 1)) : resolve());
    next(count);
  });
