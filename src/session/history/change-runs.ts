// What a person does with stored runs beside looking at them: pins, names, takes away. Each is a line of the journal, so two
// windows do not disturb each other. Knows no view.
import type { Journal } from '../ports';
import { bodyKey, wireKey } from '../run-lines';

/** UTF-16 units. */
export const MAX_RUN_NAME = 200;

/** The bounds of the history leave a pinned run alone, as far as half of what may be kept is enough for all of them. */
export function pinRun(journal: Journal, runId: string, isPinned: boolean): void {
  journal.append({ kind: 'mark', about: bodyKey(runId), id: runId, isPinned });
}

/** @param name '' is none. */
export function nameRun(journal: Journal, runId: string, name: string): void {
  const given = name.trim().slice(0, MAX_RUN_NAME);
  journal.append({ kind: 'mark', about: bodyKey(runId), id: runId, name: given });
}

/** Its record and what went over its wire; the conversation that it was part of stays. */
export function deleteRun(journal: Journal, runId: string): void {
  for (const key of [wireKey(runId), bodyKey(runId)]) {
    journal.append({ kind: 'deleted', id: runId }, { key, value: undefined });
  }
}
