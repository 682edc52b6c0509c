// Parts of an outcome that the panel has only in part: their full length, and how to read and copy the whole.
import { t } from '@vscode/l10n';
import type { RunEntry } from '../../../src/protocol';
import type { Playground } from '../../playground';
import { copyText } from '../../text/copy-text';
import { toJson } from '../../text/format';
import type { ReadText } from './long-text';

interface ShownRun {
  laneId: string;
  run: RunEntry;
}

/** @param path Path of the text within the outcome, such as `reply.raw.content`. */
export function readOutcomeText(
  playground: Playground,
  { laneId, run }: ShownRun,
  path: string,
): { length: number | undefined; read: ReadText } {
  const cut = run.outcome?.cut.find((text) => text.path === path);
  const read = async (): Promise<string | undefined> =>
    (await playground.ask('text/read', { laneId, entryId: run.id, path }))?.text;
  return { length: cut?.length, read };
}

/**
 * Copies a part of an outcome as indented JSON. Reads it first if the panel has only the beginning of it.
 * @param value The part as the panel has it.
 * @returns whether it was copied; undefined when it could not be read, of which a notice has already informed the user.
 */
export async function copyOutcomeJson(
  playground: Playground,
  place: ShownRun,
  part: { path: string; value: unknown },
): Promise<boolean | undefined> {
  const { read } = readOutcomeText(playground, place, part.path);
  const text = isPartial(place.run, part.path) ? await read() : toJson(part.value);
  return text === undefined ? undefined : copyText(text);
}

/** Whether the panel has only a part of what is at the path, which is a text, a list or an object. */
export const isPartial = ({ outcome }: RunEntry, path: string): boolean =>
  outcome?.cut.some((part) => part.path === path || part.path.startsWith(`${path}.`)) === true;

export function announceCopy(playground: Playground, what: string, isCopied: boolean): void {
  playground.notify(isCopied ? t('{0} copied.', what) : t('{0} could not be copied.', what));
}
