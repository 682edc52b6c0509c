// The webview's line to the host: the only user of `acquireVsCodeApi`. Knows frames, not what they mean.
import type { HostFrame } from '../src/protocol';

interface VsCodeApi {
  postMessage: (message: unknown) => void;
  getState: () => unknown;
  setState: (state: unknown) => void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface HostClient<Client> {
  client: Client;
  /** What `saveState` kept, of whatever version; undefined on a first opening. */
  loadState: () => unknown;
  saveState: (state: unknown) => void;
}

/** Call it once: the editor hands out its API a single time. */
export function connectHost<Client extends { receive: (frame: HostFrame) => void }>(
  createClient: (post: (message: unknown) => void) => Client,
): HostClient<Client> {
  const { postMessage, getState, setState } = acquireVsCodeApi();
  const client = createClient(postMessage);
  window.addEventListener('message', (event: MessageEvent<HostFrame>) => client.receive(event.data));
  // what a restored panel finds its scratch by; the editor hands it the state before the page is there
  const scratch = document.querySelector<HTMLMetaElement>('meta[name=scratch]')?.content;
  const saveState = (state: unknown): void => setState({ ...Object(state), ...(scratch && { scratch }) });
  return { client, loadState: getState, saveState };
}
