// Opens an empty playground on the connection that was used last.
import type { DocumentLane } from '../../protocol';
import { loadEngine } from '../load-engine';
import { activeSession } from '../playground/active-session';
import type { CommandServices } from './command-services';

type Lane = Pick<DocumentLane, 'connection' | 'model'>;

export async function newPlayground(services: CommandServices): Promise<void> {
  const { panels, scratches } = services;
  const { emptyPlaygroundText } = await loadEngine();
  panels.openScratch(scratches.propose(emptyPlaygroundText(await lastLane(services))));
}

/**
 * The lane of the active playground or of the scratch that was changed or ran last; otherwise the first connection of the
 * settings. A connection that no longer exists does not count.
 */
async function lastLane(services: CommandServices): Promise<Lane> {
  const { connections } = await services.connections.get();
  const known = connections.list();
  const candidates = [...(await usedLanes(services)), ...known.flatMap(toOwnLane)];
  const [{ connection, model } = { connection: 'demo', model: 'first-look' }] = candidates.filter((lane) =>
    known.some(({ id }) => id === lane.connection),
  );
  return { connection, ...(model !== undefined && { model }) };
}

/** The lanes of the active playground and of the scratches, the latest first. */
export async function usedLanes(services: CommandServices): Promise<Lane[]> {
  const { parseDocument } = await loadEngine();
  const active = await activeSession(services);
  const stored = (await services.scratches.list()).map(({ text }) => parseDocument(text).document?.lanes[0]);
  return [active?.editable.document.lanes[0], ...stored].flatMap((lane) => lane ?? []);
}

const toOwnLane = ({ id, builtIn, problem }: { id: string; builtIn?: unknown; problem?: unknown }): Lane[] =>
  builtIn === undefined && problem === undefined ? [{ connection: id }] : [];
