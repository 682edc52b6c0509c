// Reads a stored run as a whole, whether or not its playground still exists.
import type { ExportedRun } from '../../inspect';
import type { Journal } from '../ports';
import { toExportedRun } from '../run/exported-run';
import { readRecord } from '../run/run-record';
import type { RunRecord } from '../run/run-record';
import type { WireRecord } from '../run/wire-record';
import { bodyKey, readWire } from '../run-lines';

export interface ReadRun {
  record: RunRecord;
  /** Absent when nothing was sent or the wire record is no longer stored. */
  wire: WireRecord | undefined;
}

/** @returns undefined when the run is no longer stored */
export async function readRun(journal: Journal, runId: string): Promise<ReadRun | undefined> {
  const record = readRecord(await journal.readBody(bodyKey(runId)));
  return record && { record, wire: await readWire(journal, runId) };
}

export const exportedRun = (title: string, { record, wire }: ReadRun): ExportedRun =>
  toExportedRun(title, record, wire);
