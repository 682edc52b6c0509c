// Mirror of a session: the last snapshot of each part and entry. Pure; independent of the DOM and of the panel's
// own view state.
import type {
  DocumentSnapshot,
  EmbeddingSnapshot,
  EnvironmentSnapshot,
  EvaluationSnapshot,
  LaneEntry,
  LaneSnapshot,
  LaneStanding,
  RunProgress,
  RunState,
  SessionSnapshot,
} from '../../src/protocol';

export interface LaneState extends LaneStanding {
  readonly id: string;
  readonly version: number;
  /** The ids of its entries in order. */
  readonly order: readonly string[];
  /** Entries that did not change keep their identity. */
  readonly entries: ReadonlyMap<string, LaneEntry>;
  readonly run: RunState | null;
  /** Progress of that run so far. */
  readonly progress?: RunProgress | undefined;
}

export interface SessionState {
  readonly document?: DocumentSnapshot | undefined;
  readonly environment?: EnvironmentSnapshot | undefined;
  readonly embedding?: EmbeddingSnapshot | undefined;
  readonly evaluation?: EvaluationSnapshot | undefined;
  readonly laneIds: readonly string[];
  readonly lanes: ReadonlyMap<string, LaneState>;
  /** Whether a change was lost, so that the whole session must be requested again. */
  readonly isOutOfSync: boolean;
}

export const emptySession = (): SessionState => ({ laneIds: [], lanes: new Map(), isOutOfSync: false });

const blankLane = (id: string): LaneState => ({
  id,
  version: 0,
  order: [],
  entries: new Map(),
  run: null,
});

/** The state of a lane; empty for a lane that the host has named but not described yet. */
export function laneOf({ lanes }: SessionState, id: string): LaneState {
  return lanes.get(id) ?? blankLane(id);
}

/** Applies a snapshot. A part that is absent, or older than the one held, leaves that part unchanged. */
export function applySnapshot(state: SessionState, snapshot: SessionSnapshot): SessionState {
  const laneIds = snapshot.laneIds ?? state.laneIds;
  const parts = snapshot.lanes.map((part) => applyLane(state.lanes.get(part.id), part));
  const lanes = new Map(
    [...state.lanes, ...parts.flatMap((lane) => (lane ? [[lane.id, lane] as const] : []))].filter(([id]) =>
      laneIds.includes(id),
    ),
  );
  return {
    document: newer(state.document, snapshot.document),
    environment: newer(state.environment, snapshot.environment),
    embedding: newer(state.embedding, snapshot.embedding),
    evaluation: newer(state.evaluation, snapshot.evaluation),
    laneIds: isSameList(laneIds, state.laneIds) ? state.laneIds : laneIds,
    lanes,
    isOutOfSync: state.isOutOfSync || parts.includes(undefined),
  };
}

/** Applies the progress of a run; progress of any run but the lane's current one is late and ignored. */
export function applyProgress(state: SessionState, laneId: string, progress: RunProgress): SessionState {
  const lane = state.lanes.get(laneId);
  if (lane?.run?.runId !== progress.runId) return state;
  return withLane(state, { ...lane, progress });
}

/** Fills in requested entries, except those that changed in the meantime. */
export function fillEntries(
  state: SessionState,
  laneId: string,
  entries: readonly LaneEntry[],
): SessionState {
  const lane = state.lanes.get(laneId);
  const wanted = entries.filter(({ id }) => {
    const held = lane?.entries.get(id);
    return held?.kind === 'run' && held.isStored === true;
  });
  if (!lane || wanted.length === 0) return state;
  const filled = new Map([...lane.entries, ...wanted.map((entry) => [entry.id, entry] as const)]);
  return withLane(state, { ...lane, entries: filled });
}

const withLane = (state: SessionState, lane: LaneState): SessionState => ({
  ...state,
  lanes: new Map(state.lanes).set(lane.id, lane),
});

/** @returns undefined when a change between the two versions is missing. */
function applyLane(held: LaneState | undefined, part: LaneSnapshot): LaneState | undefined {
  if (held && part.version <= held.version) return held;
  const isWhole = part.since === undefined;
  if (!isWhole && part.since !== (held?.version ?? 0)) return undefined;
  const before = isWhole ? new Map<string, LaneEntry>() : (held?.entries ?? new Map<string, LaneEntry>());
  const known = new Map([...before, ...part.entries.map((entry) => [entry.id, entry] as const)]);
  const order = part.order ?? (isWhole ? part.entries.map(({ id }) => id) : (held?.order ?? []));
  const progress = held?.progress?.runId === part.run?.runId ? held?.progress : undefined;
  return {
    id: part.id,
    version: part.version,
    order: order.filter((id) => known.has(id)),
    entries: part.order || isWhole ? pick(known, order) : known,
    run: part.run,
    progress,
    sent: part.sent,
    next: part.next,
    blocker: part.blocker,
  };
}

/** Drops the entries that are no longer part of the order. */
function pick(
  entries: ReadonlyMap<string, LaneEntry>,
  order: readonly string[],
): ReadonlyMap<string, LaneEntry> {
  const kept = new Map<string, LaneEntry>();
  for (const id of order) {
    const entry = entries.get(id);
    if (entry) kept.set(id, entry);
  }
  return kept;
}

function newer<Part extends { version: number }>(
  held: Part | undefined,
  part: Part | undefined,
): Part | undefined {
  if (!part || (held && part.version < held.version)) return held;
  return part;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
