// Changes stored runs for a person: pins, names and deletes them. Each change is appended to the journal as a line, so that
// two windows do not overwrite each other's changes. Independent of views.
import { appendLine, readLine } from '../journal/journal-lines';
import type { Journal } from '../ports';
import { toWholeCharacter } from '../run/record/run-record';
import { bodyKey, setupKey, wireKey } from '../journal/run-lines';

/** In UTF-16 code units. */
export const MAX_RUN_NAME = 200;

/** The limits of the history do not remove pinned runs, as long as those take up at most half of what may be kept. */
export function pinRun(journal: Journal, runId: string, isPinned: boolean): void {
  appendLine(journal, { kind: 'mark', about: bodyKey(runId), id: runId, isPinned });
}

/** @param name '' removes the name. */
export function nameRun(journal: Journal, runId: string, name: string): void {
  appendLine(journal, { kind: 'mark', about: bodyKey(runId), id: runId, name: toGivenName(name) });
}

/** A name as it is stored. */
export function toGivenName(name: string): string {
  const whole = name.trim();
  return whole.slice(0, toWholeCharacter(whole, MAX_RUN_NAME));
}

/** Deletes everything that is stored of the runs, except for their places in the conversation. */
export function deleteRuns(journal: Journal, runIds: readonly string[]): void {
  const setups = new Map<string, string>();
  for (const stored of journal.lines) {
    const line = readLine(stored);
    if (line?.kind === 'setup') setups.set(line.id, line.setup);
    if (line?.kind === 'deleted') setups.delete(line.id);
  }
  const own = runIds.map((runId) => setups.get(runId));
  for (const runId of runIds) setups.delete(runId);
  const shared = new Set(setups.values());
  for (const [index, runId] of runIds.entries()) {
    const setup = own[index];
    const isOwn = setup !== undefined && !shared.has(setup);
    for (const key of [wireKey(runId), ...(isOwn ? [setupKey(setup)] : []), bodyKey(runId)]) {
      appendLine(journal, { kind: 'deleted', id: runId }, { key, value: undefined });
    }
  }
}
