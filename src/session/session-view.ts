// Keeps one front end up to date with a session: sends a complete snapshot once, then only what changed, as whole entries,
// at most 20 times a second.
import type { HostEventName, HostEvents, SessionSnapshot } from '../protocol';
import type { Clock } from './ports';
import type { Session } from './session';

const INTERVAL_MS = 50;

type Emit = <E extends HostEventName>(name: E, data: HostEvents[E]) => void;

export class SessionView {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #emit: Emit;
  readonly #unsubscribe: () => void;
  readonly #lanes = new Map<string, number>();
  readonly #progress = new Map<string, number>();
  #documentVersion = 0;
  #environmentVersion = 0;
  #embeddingVersion = 0;
  #evaluationVersion = 0;
  #order = '';
  #derived: string | undefined;
  /** Nothing is sent before the first snapshot was requested. */
  #isOpen = false;
  #cancelTimer: (() => void) | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(session: Session, clock: Clock, emit: Emit) {
    this.#session = session;
    this.#clock = clock;
    this.#emit = emit;
    this.#unsubscribe = session.onDidChange(() => this.#schedule());
  }

  /** Returns the complete snapshot. */
  open(): SessionSnapshot {
    this.#isOpen = true;
    this.#lanes.clear();
    this.#progress.clear();
    this.#documentVersion = 0;
    this.#environmentVersion = 0;
    this.#embeddingVersion = 0;
    this.#evaluationVersion = 0;
    this.#order = '';
    const snapshot = this.#take() ?? { lanes: [] };
    // The progress of runs is not part of the snapshot, so it is sent with the next update.
    this.#schedule();
    return snapshot;
  }

  dispose(): void {
    this.#cancelTimer?.();
    this.#unsubscribe();
  }

  #schedule(): void {
    if (!this.#isOpen || this.#cancelTimer) return;
    const waitMs = Math.max(0, this.#lastMs + INTERVAL_MS - this.#clock.elapsed());
    this.#cancelTimer = this.#clock.after(waitMs, () => this.#send());
  }

  #send(): void {
    this.#cancelTimer = undefined;
    this.#lastMs = this.#clock.elapsed();
    const snapshot = this.#take();
    if (snapshot) this.#emit('session/changed', snapshot);
    for (const laneId of this.#session.laneIds) {
      const version = this.#session.progressVersion(laneId);
      if (this.#progress.get(laneId) === version) continue;
      this.#progress.set(laneId, version);
      const progress = this.#session.progress(laneId);
      if (progress) this.#emit('run/progress', { laneId, progress });
    }
  }

  /** Returns what changed since the last call; undefined when nothing did. */
  #take(): SessionSnapshot | undefined {
    const session = this.#session;
    const { laneIds, environment, documentVersion, embeddingSnapshot, evaluation } = session;
    const lanes = laneIds.flatMap((id) => {
      const since = this.#lanes.get(id);
      if (since === session.laneVersion(id)) return [];
      this.#lanes.set(id, session.laneVersion(id));
      return session.laneSnapshot(id, since) ?? [];
    });
    for (const id of this.#lanes.keys()) if (!laneIds.includes(id)) this.#lanes.delete(id);
    const order = laneIds.join('\n');
    // The draft, and whether something can be restored, also depend on the lanes.
    const { draft, restorable } = session.conversations;
    const derived = `${restorable.kind ?? ''} ${draft?.content ?? ''}`;
    const isDocumentNew = documentVersion !== this.#documentVersion || derived !== this.#derived;
    const snapshot: SessionSnapshot = {
      ...(isDocumentNew && { document: session.documentSnapshot() }),
      ...(environment && environment.version !== this.#environmentVersion && { environment }),
      ...(order !== this.#order && { laneIds }),
      ...(embeddingSnapshot.version !== this.#embeddingVersion && { embedding: embeddingSnapshot }),
      ...(evaluation.version !== this.#evaluationVersion && { evaluation: evaluation.snapshot }),
      lanes,
    };
    this.#derived = derived;
    this.#documentVersion = documentVersion;
    this.#environmentVersion = environment?.version ?? 0;
    this.#embeddingVersion = embeddingSnapshot.version;
    this.#evaluationVersion = evaluation.version;
    this.#order = order;
    return lanes.length > 0 || Object.keys(snapshot).length > 1 ? snapshot : undefined;
  }
}
