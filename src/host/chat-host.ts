// Whether the editor's chat runs in the extension host of this extension. In different hosts, neither can use the models of the
// other. Independent of vscode.

/** Id of the extension that is the editor's chat, and whose models are Copilot's. */
export const CHAT_ID = 'github.copilot-chat';

/** What tells where both run. */
export interface HostPlaces {
  /** The window's folder is on another machine. */
  isRemote: boolean;
  /** The setting that puts extensions into hosts of their own: a number for each, by id. */
  affinity: unknown;
  ownId: string;
  /** The editor's chat is among the extensions of this host. */
  hasChat: boolean;
}

/** `remote`: the window works on another machine. `affinity`: the setting keeps them apart. */
export type HostSplit = 'remote' | 'affinity';

/** @returns why both are in different hosts; undefined when they are not */
export function findSplit({ isRemote, affinity, ownId, hasChat }: HostPlaces): HostSplit | undefined {
  if (hasChat) return undefined;
  if (isRemote) return 'remote';
  return hostOf(affinity, ownId) === hostOf(affinity, CHAT_ID) ? undefined : 'affinity';
}

function hostOf(affinity: unknown, id: string): unknown {
  const entries = typeof affinity === 'object' && affinity !== null ? Object.entries(affinity) : [];
  return entries.find(([name]) => name.toLowerCase() === id.toLowerCase())?.[1] as unknown;
}
