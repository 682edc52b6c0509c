// Changes stored runs for a person: pins, names and deletes them. Each change is appended to the journal as a line, so that
// two windows do not overwrite each other's changes. Independent of views.
import type { Journal } from '../ports';
import { toWholeCharacter } from '../run/run-record';
import { bodyKey, setupKey, wireKey } from '../run-lines';

/** In UTF-16 code units. */
export const MAX_RUN_NAME = 200;

/** The limits of the history do not remove pinned runs, as long as those take up at most half of what may be kept. */
export function pinRun(journal: Journal, runId: string, isPinned: boolean): void {
  journal.append({ kind: 'mark', about: bodyKey(runId), id: runId, isPinned });
}

/** @param name '' removes the name. */
export function nameRun(journal: Journal, runId: string, name: string): void {
  const whole = name.trim();
  const given = whole.slice(0, toWholeCharacter(whole, MAX_RUN_NAME));
  journal.append({ kind: 'mark', about: bodyKey(runId), id: runId, name: given });
}

/** Deletes everything that is stored of the runs, except for their places in the conversation. */
export function deleteRuns(journal: Journal, runIds: readonly string[]): void {
  const setups = new Map<unknown, unknown>();
  for (const { kind, id, setup } of journal.lines) {
    if (kind === 'setup') setups.set(id, setup);
    if (kind === 'deleted') setups.delete(id);
  }
  const own = runIds.map((runId) => setups.get(runId));
  for (const runId of runIds) setups.delete(runId);
  const shared = new Set(setups.values());
  for (const [index, runId] of runIds.entries()) {
    const setup = own[index];
    const isOwn = typeof setup === 'string' && !shared.has(setup);
    for (const key of [wireKey(runId), ...(isOwn ? [setupKey(setup)] : []), bodyKey(runId)]) {
      journal.append({ kind: 'deleted', id: runId }, { key, value: undefined });
    }
  }
}
