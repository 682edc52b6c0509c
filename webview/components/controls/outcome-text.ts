// Texts of an outcome that the panel has only in part: how long they are, and how the whole is read.
import type { RunEntry } from '../../../src/protocol';
import type { Playground } from '../../playground';
import type { ReadText } from './long-text';

/** @param path Its place in the outcome, such as `reply.raw.content`. */
export function readOutcomeText(
  playground: Playground,
  { laneId, run }: { laneId: string; run: RunEntry },
  path: string,
): { length: number | undefined; read: ReadText } {
  const cut = run.outcome?.cut.find((text) => text.path === path);
  const read = async (): Promise<string | undefined> =>
    (await playground.ask('text/read', { laneId, entryId: run.id, path }))?.text;
  return { length: cut?.length, read };
}
