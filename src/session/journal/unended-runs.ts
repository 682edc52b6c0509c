// Settles the runs that began and have no end in the journal. They were interrupted, unless another window has the session
// open too: then they may be under way there, and only what that window stores is shown. Independent of conversations.
import type { Lane } from '../conversation/lane';
import type { Clock, Journal } from '../ports';
import type { Restored } from './restore';
import type { RunRecord } from '../run/record/run-record';
import { appendEnding, appendRecord, readStored } from './run-lines';

const LOOK_INTERVAL_MS = 3_000;

/**
 * @param lanes Lanes in which an outcome that becomes known later is shown.
 * @returns a function that ends it
 */
export function settleUnended(
  { interrupted, endings, isShared }: Restored,
  { journal, clock, lanes }: { journal: Journal; clock: Clock; lanes: () => readonly Lane[] },
): () => void {
  let left = interrupted;
  let hasEnded = false;
  let cancelTimer: (() => void) | undefined;
  const look = async (): Promise<void> => {
    // Asked first: what the other window stores before it lets go is then found below.
    const isStillShared = await journal.isShared();
    const open: RunRecord[] = [];
    for (const record of left) {
      const stored = await readStored(journal, record.runId);
      if (hasEnded) return;
      if (!stored && isStillShared) {
        open.push(record);
        continue;
      }
      if (!stored) appendRecord(journal, record);
      for (const lane of lanes()) lane.showRecord(stored ?? record);
    }
    left = open;
    lookLater();
  };
  const lookLater = (): void => {
    if (left.length > 0) cancelTimer = clock.after(LOOK_INTERVAL_MS, () => void look());
  };
  if (isShared) lookLater();
  else for (const record of interrupted) appendRecord(journal, record);
  for (const [runId, ending] of endings) appendEnding(journal, runId, ending);
  return () => {
    hasEnded = true;
    cancelTimer?.();
  };
}
