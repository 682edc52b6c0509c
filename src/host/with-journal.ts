// Gives access to the journal of a playground for the duration of an operation, whether or not the playground is
// open.
import type { HistoryStore, Journal } from '../session';

export interface StoredRuns {
  store: () => Promise<Pick<HistoryStore, 'open'>>;
}

export async function withJournal<T>(
  pool: StoredRuns,
  sessionId: string,
  work: (journal: Journal) => T | Promise<T>,
): Promise<T> {
  const journal = await (await pool.store()).open(sessionId);
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}
