// The rows of the document that bring what is asked or expected along. Pure.
import type { DocumentSnapshot } from '../../src/protocol';

/** @returns how many rows in the document have this of their own, and how many rows are there; none for those of a file */
export function countOwn(
  snapshot: Pick<DocumentSnapshot, 'document'> | undefined,
  key: '$messages' | '$expect',
): { own: number; rows: number } {
  const rows = snapshot?.document.evaluate.rows;
  if (!Array.isArray(rows)) return { own: 0, rows: 0 };
  return { own: rows.filter((row) => row[key] !== undefined).length, rows: rows.length };
}
