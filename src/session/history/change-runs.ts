// Changes stored runs for a person: pins, names and deletes them. Each change is appended to the journal as a line, so that
// two windows do not overwrite each other's changes. Independent of views.
import type { Journal } from '../ports';
import { toWholeCharacter } from '../run/run-record';
import { bodyKey, wireKey } from '../run-lines';

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

/** Deletes the record of the run and its wire record. Its place in the conversation stays. */
export function deleteRun(journal: Journal, runId: string): void {
  for (const key of [wireKey(runId), bodyKey(runId)]) {
    journal.append({ kind: 'deleted', id: runId }, { key, value: undefined });
  }
}
