// State of the page *Recording*: the rows, which of them are shown, and the request that is looked at. Pure. What is stored is
// of the view alone: the host keeps the recording.
import type {
  ErrorInfo,
  RecordedRow,
  RecordedView,
  RecordingChange,
  RecordingSnapshot,
  RunEntry,
} from '../../src/protocol';
import { isRecord } from '../../src/protocol';
import type { Shell } from './setup-texts';
import { SHELLS } from './setup-texts';

type VerdictKind = NonNullable<RecordedRow['verdict']>['kind'];

/** One way to narrow the list. */
export type ShownRequests = 'all' | VerdictKind;

/** Maximum length of a filter text, in characters. */
const MAX_FILTER = 200;

/** What is known of the request that the inspector shows. */
export interface ReadRequest {
  readonly number: number;
  readonly view?: RecordedView | undefined;
  readonly run?: RunEntry | undefined;
  readonly problem?: ErrorInfo | undefined;
}

export interface RecordingState {
  readonly snapshot?: RecordingSnapshot | undefined;
  /** Why the page could not be opened. */
  readonly problem?: ErrorInfo | undefined;
  /** In the order of their numbers. */
  readonly rows: readonly RecordedRow[];
  /** Those of them that the filters keep. */
  readonly shown: readonly RecordedRow[];
  readonly filter: ShownRequests;
  readonly text: string;
  /** Shows a single conversation. */
  readonly session?: number | undefined;
  /** Number of the selected request. */
  readonly selected?: number | undefined;
  readonly read?: ReadRequest | undefined;
  readonly shell: Shell;
  /** Milliseconds since the epoch; ticks while a request is under way. */
  readonly now: number;
  /** What screen readers are told of the requests; changes seldom. */
  readonly announced: string;
}

export function initialRecording(stored: unknown, now: number): RecordingState {
  const { filter, text, session, selected, shell } = isRecord(stored) ? stored : {};
  return {
    rows: [],
    shown: [],
    filter: isKnown(filter) ? filter : 'all',
    text: typeof text === 'string' ? text.slice(0, MAX_FILTER) : '',
    session: toNumber(session),
    selected: toNumber(selected),
    shell: SHELLS.find((known) => known === shell) ?? 'bash',
    now,
    announced: '',
  };
}

export const toStored = ({ filter, text, session, selected, shell }: RecordingState): object => ({
  filter,
  text,
  session,
  selected,
  shell,
});

const KINDS: readonly ShownRequests[] = [
  'all',
  'native',
  'rescued',
  'malformed',
  'none',
  'answer',
  'failed',
  'stopped',
  'interrupted',
];

const isKnown = (value: unknown): value is ShownRequests => KINDS.some((kind) => kind === value);

const toNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined;

/** Puts rows in their places, and drops those that the host has dropped. */
export function applyChange(state: RecordingState, { snapshot, rows }: RecordingChange): RecordingState {
  const known = newer(state.snapshot, snapshot);
  const first = known?.first ?? 1;
  const merged = mergeRows(state.rows, rows);
  const kept = (merged[0]?.number ?? first) < first ? merged.filter(({ number }) => number >= first) : merged;
  const isGone = state.selected !== undefined && state.selected < first;
  return { ...state, snapshot: known, rows: kept, ...(isGone && { selected: undefined, read: undefined }) };
}

const newer = (
  held: RecordingSnapshot | undefined,
  next: RecordingSnapshot | undefined,
): RecordingSnapshot | undefined => (next && next.version >= (held?.version ?? 0) ? next : held);

/** @param changed In any order. */
function mergeRows(rows: readonly RecordedRow[], changed: readonly RecordedRow[]): readonly RecordedRow[] {
  if (changed.length === 0) return rows;
  const merged = [...rows];
  let isSorted = true;
  for (const row of changed) {
    const at = indexOf(merged, row.number, rows.length);
    if (at !== -1) merged[at] = row;
    else {
      isSorted &&= row.number > (merged.at(-1)?.number ?? 0);
      merged.push(row);
    }
  }
  return isSorted ? merged : merged.toSorted((one, other) => one.number - other.number);
}

/** @param length Of the part of the list that is in order. */
function indexOf(rows: readonly RecordedRow[], number: number, length: number): number {
  let [low, high] = [0, length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = rows[middle]?.number ?? 0;
    if (found === number) return middle;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  for (let at = rows.length - 1; at >= length; at--) if (rows[at]?.number === number) return at;
  return -1;
}

export function findRow({ rows }: RecordingState, number: number | undefined): RecordedRow | undefined {
  const at = number === undefined ? -1 : indexOf(rows, number, rows.length);
  return rows[at];
}

/** Finds anew which rows are shown, if something changed since. */
export function withShown(next: RecordingState, before: RecordingState): RecordingState {
  const isSame =
    next.rows === before.rows &&
    next.filter === before.filter &&
    next.text === before.text &&
    next.session === before.session;
  return isSame ? next : { ...next, shown: shownRows(next) };
}

function shownRows({ rows, filter, text, session }: RecordingState): readonly RecordedRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (filter === 'all' && words.length === 0 && session === undefined) return rows;
  return rows.filter(
    (row) =>
      (filter === 'all' || row.verdict?.kind === filter) &&
      (session === undefined || row.session === session) &&
      words.every((word) => contains(row, word)),
  );
}

const contains = ({ program, model = '', method, path }: RecordedRow, word: string): boolean =>
  `${program} ${model} ${method} ${path}`.toLowerCase().includes(word);

export interface RecordingCounts {
  all: number;
  open: number;
  repaired: number;
  /** Calls in text that the program did not receive as calls. */
  unrepaired: number;
  kinds: Readonly<Partial<Record<VerdictKind, number>>>;
  conversations: number;
}

export function countRows(rows: readonly RecordedRow[]): RecordingCounts {
  const kinds: Partial<Record<VerdictKind, number>> = {};
  let [open, repaired, unrepaired] = [0, 0, 0];
  const conversations = new Set<number>();
  for (const { verdict, phase, isRepaired, session } of rows) {
    if (session !== undefined) conversations.add(session);
    if (phase) open += 1;
    if (isRepaired) repaired += 1;
    else if (verdict?.kind === 'rescued') unrepaired += 1;
    if (verdict) kinds[verdict.kind] = (kinds[verdict.kind] ?? 0) + 1;
  }
  return { all: rows.length, open, repaired, unrepaired, kinds, conversations: conversations.size };
}

export interface Conversation {
  number: number;
  /** Of its first request, in milliseconds since the epoch. */
  startedAt: number;
  requests: number;
}

/** The conversations of each program, programs in the order of their first one. */
export function conversationsOf(rows: readonly RecordedRow[]): ReadonlyMap<string, readonly Conversation[]> {
  const known = new Map<number, Conversation>();
  const programs = new Map<string, Conversation[]>();
  for (const { session: number, program, startedAt } of rows) {
    if (number === undefined) continue;
    const before = known.get(number);
    if (before) {
      before.requests += 1;
      continue;
    }
    const conversation = { number, startedAt, requests: 1 };
    known.set(number, conversation);
    programs.set(program, [...(programs.get(program) ?? []), conversation]);
  }
  return programs;
}

/** The chips over the list: these always, the others when there are such requests or their chip is pressed. */
const ALWAYS: ReadonlySet<ShownRequests> = new Set([
  'all',
  'native',
  'rescued',
  'malformed',
  'none',
  'failed',
]);

export const chipsOf = (
  { filter }: RecordingState,
  { all, kinds }: RecordingCounts,
): { kind: ShownRequests; count: number }[] =>
  KINDS.map((kind) => ({ kind, count: kind === 'all' ? all : (kinds[kind] ?? 0) })).filter(
    ({ kind, count }) => count > 0 || kind === filter || ALWAYS.has(kind),
  );
