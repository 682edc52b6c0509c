// The journal of a playground for as long as something is done with its stored runs, whether it is open or not.
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
