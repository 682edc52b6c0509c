// Draws one part of the panel in a given state; what it asks of the host is kept, nothing answers.
import { render } from 'lit';
import type { ClientFrame } from '../../../../src/protocol';
import { RpcClient } from '../../../../src/protocol';
import { Playground } from '../../../../webview/playground';
import type { PlaygroundState } from '../../../../webview/state';
import { readyState } from '../samples';

export interface DrawnPart {
  host: HTMLElement;
  text: string;
  frames: ClientFrame[];
  playground: Playground;
  buttons: string[];
}

export function drawPart(
  change: Partial<PlaygroundState>,
  draw: (playground: Playground) => unknown,
): DrawnPart {
  const frames: ClientFrame[] = [];
  const client = new RpcClient((frame) => frames.push(frame));
  const playground = new Playground({ client, loadState: () => undefined, saveState: () => undefined });
  playground.set(readyState(change));
  const host = document.createElement('div');
  render(draw(playground), host);
  const buttons = [...host.querySelectorAll('vscode-button, button')].map(
    (button) => button.ariaLabel ?? button.textContent.trim(),
  );
  return { host, text: host.textContent.replace(/\s+/g, ' ').trim(), frames, playground, buttons };
}

/** The lane of a first opening, on another connection or model. */
export function laneOn(connectionId: string, model: string): Pick<PlaygroundState, 'lane'> {
  return { lane: { ...readyState().lane, connectionId, model } };
}
