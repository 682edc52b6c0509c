// Texts of an outcome that the panel has only in part: their full length, and how to read the whole.
import type { RunEntry } from '../../../src/protocol';
import type { Playground } from '../../playground';
import type { ReadText } from './long-text';

/** @param path Path of the text within the outcome, such as `reply.raw.content`. */
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
