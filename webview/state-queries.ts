// What can be read from the state of the panel. Pure, no DOM, no host.
import type { ConnectionView } from '../src/protocol';
import type { ProviderToolCall } from '../src/types';
import type { LiveReply, PlaygroundState, RunEntry } from './state';

export function currentConnection(state: PlaygroundState): ConnectionView | undefined {
  return state.snapshot?.connections.find(({ id }) => id === state.lane.connectionId);
}

/** The chosen tools that there still are. */
export function offeredTools(state: PlaygroundState): string[] {
  const known = new Set(state.snapshot?.tools.map(({ name }) => name));
  return state.toolNames.filter((name) => known.has(name));
}

/** What is known of a connection's models, without those that only embed. */
export function chatModels({ models }: PlaygroundState, connectionId: string): string[] {
  const list = models[connectionId];
  return list?.chatModels ?? list?.models ?? [];
}

export function callsOf(entry: RunEntry): ProviderToolCall[] {
  return entry.outcome?.turn?.toolCalls ?? [];
}

/** What there is of a reply that is still being written. */
export function liveReply({ progress }: PlaygroundState, entry: RunEntry): LiveReply | undefined {
  return progress?.runId === entry.runId ? progress.reply : undefined;
}

export function runEntries(state: PlaygroundState): RunEntry[] {
  return state.entries.filter((entry) => entry.kind === 'run');
}

/** The run that the inspector shows: the selected one, else the latest. */
export function inspectedRun(state: PlaygroundState): RunEntry | undefined {
  const runs = runEntries(state);
  return runs.find(({ runId }) => runId === state.selection?.runId) ?? runs.at(-1);
}
