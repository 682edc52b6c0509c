// A finished sample as it is kept: small, because an evaluation has up to 100,000 of them, and enough to judge it again. Its runs
// are stored beside it.
import { isRecord } from '../../library';
import type { JournalLine } from '../ports';
import { findCache } from './find-cache';
import type { SampleOutcome } from './sample-facts';
import type { FinishedSample } from './work';

export interface SampleEntry {
  /** Equal for samples of which the same was sent. */
  key: string;
  rowId: string;
  laneId: string;
  /** From 1. */
  repeat: number;
  /** When it ended, in milliseconds since the epoch. */
  at: number;
  outcome: SampleOutcome;
  /** The facts are not whole: those of the stored runs are. */
  isCut?: boolean | undefined;
  /** Id of the evaluation with which its runs are stored. */
  runsIn: string;
  /** Of its chats, in order. */
  runIds: readonly string[];
  /** How often it was sent again because there was no verdict. */
  requeued?: number | undefined;
  /** The header that says that a reply came from a cache. */
  cache?: string | undefined;
}

/** In UTF-16 code units, of the text and of the calls as JSON. */
const MAX_TEXT = 2_000;
const MAX_CALLS = 8_000;

/** @param runsIn Id of the evaluation with which its runs are stored. */
export function toWholeEntry(
  { planned, ran, outcome }: FinishedSample,
  runsIn: string,
  at: number,
): SampleEntry {
  const { key, row, lane, repeat, requeued } = planned;
  const cache = findCache(ran.sink.wires.values());
  return {
    key,
    rowId: row.id,
    laneId: lane.config.id,
    repeat,
    at,
    outcome,
    runsIn,
    runIds: ran.records.map(({ runId }) => runId),
    ...(requeued > 0 && { requeued }),
    ...(cache !== undefined && { cache }),
  };
}

/** Shortens what is too long to be kept in memory for each sample. */
export function toEntry(entry: SampleEntry): SampleEntry {
  if (!('facts' in entry.outcome)) return entry;
  const { facts, measures } = entry.outcome;
  const isLong = facts.text.length > MAX_TEXT;
  const hasMany = JSON.stringify(facts.calls).length > MAX_CALLS || measures.calls.length > MAX_CALLS;
  if (!isLong && !hasMany) return entry;
  const cut = {
    facts: { ...facts, text: facts.text.slice(0, MAX_TEXT), calls: hasMany ? [] : facts.calls },
    measures: { ...measures, calls: measures.calls.slice(0, MAX_CALLS) },
  };
  return { ...entry, outcome: cut, isCut: true };
}

export const toSampleLine = (entry: SampleEntry): JournalLine => ({ kind: 'sample', ...entry });

/** Checks a stored line, which anybody may have changed. @returns undefined when it is no whole sample */
export function readSampleLine(line: JournalLine): SampleEntry | undefined {
  const { kind, key, rowId, laneId, repeat, at, outcome, runsIn, runIds } = line;
  const isEntry =
    kind === 'sample' &&
    [key, rowId, laneId, runsIn].every((each) => typeof each === 'string') &&
    Number.isSafeInteger(repeat) &&
    Number(repeat) >= 1 &&
    typeof at === 'number' &&
    Array.isArray(runIds) &&
    isOutcome(outcome);
  // Not copied: there may be 100,000 of them.
  return isEntry ? (line as unknown as SampleEntry) : undefined;
}

function isOutcome(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { facts, measures, reason, message } = value;
  if (reason !== undefined) return typeof reason === 'string' && typeof message === 'string';
  return (
    isRecord(facts) &&
    Array.isArray(facts.calls) &&
    facts.calls.every(isRecord) &&
    typeof facts.text === 'string' &&
    typeof facts.outcome === 'string' &&
    isRecord(facts.spent) &&
    isRecord(measures) &&
    typeof measures.calls === 'string'
  );
}
