// The lines of a blob: what one process has evaluated, so that others can merge it, judge it again, or go on. Pure; contains no key.
import { isRecord } from '../../../library';
import type { ConnectionView } from '../../../protocol';
import type { SampleEntry } from '../sample-entry';
import { readSampleLine } from '../sample-entry';

/** A blob of another format is refused. */
export const BLOB_FORMAT = 1;

/** What was chosen on the command line, as it was written. */
export interface WrittenChoice {
  lane?: readonly string[] | undefined;
  row?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  repeat?: string | undefined;
}

/** Part `index` of `total`, from 1. */
export interface Shard {
  index: number;
  total: number;
}

/** The first line. */
export interface BlobHead {
  kind: 'evaluation';
  format: number;
  version: string;
  /** SHA-256 of everything that all shards together send, and how often. Expectations have no part in it. */
  plan: string;
  shard?: Shard | undefined;
  choice: WrittenChoice;
  /** `sha256` of the text of each, and `plan` of what it sends. */
  files: readonly { path: string; sha256: string; plan: string }[];
  lanes: readonly { file: string; id: string; model: string; connection: ConnectionView }[];
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** The last line; without it, the process did not come to its end. */
export interface BlobEnd {
  kind: 'end';
  samples: number;
  durationMs: number;
  /** Why it ended before all samples were judged. */
  stopped?: string | undefined;
}

export interface BlobSample {
  file: string;
  entry: SampleEntry;
}

export function toBlobSampleLine({ file, entry }: BlobSample): Record<string, unknown> {
  const { key, rowId, laneId, repeat, at, outcome, requeued, cache } = entry;
  const place = { key, file, row: rowId, lane: laneId, repeat, at, requeued, cache };
  if (!('facts' in outcome)) return { ...place, ...outcome };
  const { facts, measures } = outcome;
  const { calls, text, outcome: kind, spent, ...others } = facts;
  const { timeMs, firstTokenMs, attempts, ...usage } = spent;
  return {
    ...place,
    outcome: kind,
    reply: text,
    calls,
    usage,
    times: { timeMs, firstTokenMs },
    attempts,
    ...others,
    measures,
  };
}

/** Checks a line, which anybody may have changed. @returns undefined when it is no whole sample */
export function readBlobSample(line: Record<string, unknown>): BlobSample | undefined {
  const { key, file, row, lane, repeat, at, requeued, cache, ...rest } = line;
  if (typeof file !== 'string') return undefined;
  const entry = readSampleLine({
    kind: 'sample',
    key,
    rowId: row,
    laneId: lane,
    repeat,
    at,
    runsIn: '',
    runIds: [],
    outcome: readOutcome(rest),
    ...(typeof requeued === 'number' && { requeued }),
    ...(typeof cache === 'string' && { cache }),
  });
  return entry && { file, entry };
}

function readOutcome(line: Record<string, unknown>): unknown {
  const { reason, message, limitMs, outcome, reply, calls, usage, times, attempts, measures, ...others } =
    line;
  if (reason !== undefined) return { reason, message, ...(typeof limitMs === 'number' && { limitMs }) };
  if (!isRecord(usage) || !isRecord(times)) return undefined;
  if (![...Object.values(usage), ...Object.values(times), attempts].every(isAmount)) return undefined;
  if (!Array.isArray(calls) || !calls.every(isCall) || !areDetails(others)) return undefined;
  return {
    facts: { calls, text: reply, outcome, spent: { ...usage, ...times, attempts }, ...others },
    measures,
  };
}

const isAmount = (value: unknown): boolean =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value));

const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string';

const areDetails = ({ finish, cause, unread, agent }: Record<string, unknown>): boolean =>
  isOptionalText(finish) &&
  isOptionalText(cause) &&
  (unread === undefined || (Array.isArray(unread) && unread.every((each) => typeof each === 'string'))) &&
  (agent === undefined || (isRecord(agent) && isAmount(agent.steps) && isOptionalText(agent.stop)));

const isCall = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  typeof value.step === 'number' &&
  (value.source === 'native' || value.source === 'rescued');

export function readBlobHead(line: unknown): BlobHead | undefined {
  if (!isRecord(line) || line.kind !== 'evaluation' || typeof line.format !== 'number') return undefined;
  const { plan, choice, files, lanes, startedAt, shard, version } = line;
  const isWhole =
    typeof plan === 'string' &&
    typeof version === 'string' &&
    isRecord(choice) &&
    typeof startedAt === 'number' &&
    Array.isArray(files) &&
    files.every((each) => isRecord(each) && typeof each.path === 'string' && typeof each.plan === 'string') &&
    Array.isArray(lanes) &&
    lanes.every(isLane) &&
    (shard === undefined || (isRecord(shard) && Number(shard.index) >= 1 && Number(shard.total) >= 1));
  return isWhole ? (line as unknown as BlobHead) : undefined;
}

const isLane = (value: unknown): boolean =>
  isRecord(value) &&
  [value.file, value.id, value.model].every((each) => typeof each === 'string') &&
  isRecord(value.connection) &&
  typeof value.connection.id === 'string';

export function readBlobEnd(line: Record<string, unknown>): BlobEnd | undefined {
  const { kind, samples, durationMs } = line;
  const isEnd = kind === 'end' && typeof samples === 'number' && typeof durationMs === 'number';
  return isEnd ? (line as unknown as BlobEnd) : undefined;
}
