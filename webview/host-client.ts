// Connection to the host; the only user of `acquireVsCodeApi`. Passes frames on without interpreting them.

interface VsCodeApi {
  postMessage: (message: unknown) => void;
  getState: () => unknown;
  setState: (state: unknown) => void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface HostClient<Client> {
  client: Client;
  /** The state that was saved before the page was opened, of whatever version; undefined on the first opening. */
  loadState: () => unknown;
  saveState: (state: unknown) => void;
}

/** Must be called only once: the editor hands out its API a single time. */
export function connectHost<Client extends { receive: (message: unknown) => void }>(
  createClient: (post: (message: unknown) => void) => Client,
): HostClient<Client> {
  const { postMessage, getState, setState } = acquireVsCodeApi();
  const client = createClient(postMessage);
  window.addEventListener('message', (event: MessageEvent<unknown>) => client.receive(event.data));
  // A restored panel finds its scratch by this id: the editor passes the saved state to the host before the page
  // is loaded.
  const scratch = document.querySelector<HTMLMetaElement>('meta[name=scratch]')?.content;
  const saveState = (state: unknown): void => setState({ ...Object(state), ...(scratch && { scratch }) });
  const stored = getState();
  // At once: a page in which nothing was changed yet would otherwise be gone after a reload of the window.
  if (scratch) saveState(stored);
  return { client, loadState: () => stored, saveState };
}
