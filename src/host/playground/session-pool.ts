// The open sessions of a window, shared by all views of the same playground. Gives sessions access to the editor.
import type * as vscode from 'vscode';
import type {
  DocumentBacking,
  HistoryStore,
  LogSink,
  RequestGate,
  RowsFile,
  Session,
  StepServices,
  ToolSource,
} from '../../session';
import { SYSTEM_CLOCK } from '../../session';
import type { Connections } from '../../connections';
import { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';
import { fileSessionId } from './files/file-backing';
import { isHistoryEnabled, maxRequests, readHistoryLimits } from './settings/history-limits';
import { isWithin, RunMoves } from './files/run-moves';
import type { SettingProblem } from './settings/setting-problems';
import { findSettingProblems } from './settings/setting-problems';
import { WantedPlace } from './wanted-place';

export interface PoolServices {
  connections: Lazy<Connections>;
  log: LogSink;
  /** Fires when the view of a connection may have changed, for any reason. */
  onConnectionsChanged: (listener: () => void) => () => void;
  /** Folder of the stored runs. */
  runFolder: string;
  requestsLeaveFrom: string;
  toolsFor: (backing: DocumentBacking) => ToolSource;
  rowsFor: (backing: DocumentBacking) => RowsFile;
  /** Called once for each setting that does not count as it is written. */
  onSettingProblem: (problem: SettingProblem) => void;
  onOpened: (session: Session) => void;
}

/** Limit for a flush, so that an editor that does not accept an edit delays nothing else. */
const FLUSH_TIMEOUT_MS = 2_000;

/** Once `acquire` has succeeded, the pool is responsible for disposing of it. */
export type OwnedBacking = DocumentBacking & { dispose: () => void };

interface OpenSession {
  backing: OwnedBacking;
  session: Promise<Session>;
  holders: number;
}

export interface Lease {
  session: Session;
  /** Ends this use; the session ends with its last holder. */
  release: () => void;
}

export class SessionPool {
  /** What a view shows next. */
  readonly wanted = new WantedPlace();
  readonly #services: PoolServices;
  readonly #open = new Map<string, OpenSession>();
  /** By session id: pending writes of sessions without holders. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #moves = new RunMoves();
  /** Ids of the settings whose problem was reported. */
  readonly #reported = new Set<string>();
  #gate: RequestGate | undefined;
  /** Opened once: a second store would not know the sessions of the first. */
  readonly #store = new Lazy(() => this.#openStore({ isOnDisk: isHistoryEnabled() }));

  constructor(services: PoolServices) {
    this.#services = services;
  }

  /** @param backing Disposed of if the playground is already open. */
  async acquire(backing: OwnedBacking): Promise<Lease> {
    await this.#moves.settled(backing.id);
    // The new session must read what the previous one writes last.
    await this.#closing.get(backing.id);
    const open = this.#open.get(backing.id) ?? this.#begin(backing);
    if (open.backing !== backing) backing.dispose();
    open.holders++;
    const session = await open.session;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      open.holders--;
      if (open.holders === 0) void this.#close(open);
    };
    return { session, release };
  }

  /** The session of an open playground. */
  find(id: string): Promise<Session> | undefined {
    return this.#open.get(id)?.session;
  }

  store(): Promise<HistoryStore> {
    return this.#store.get();
  }

  /** Services for a run outside of a playground, with the same connections and the same request limit. */
  async stepServices(): Promise<Omit<StepServices, 'knownConnections'>> {
    const { connections, log, onConnectionsChanged } = this.#services;
    const { RequestGate: Gate, createConnectionSource } = await loadEngine();
    const opened = await connections.get();
    this.#gate ??= new Gate(maxRequests);
    return {
      connections: createConnectionSource(opened.connections, onConnectionsChanged),
      gate: this.#gate,
      clock: SYSTEM_CLOCK,
      log,
    };
  }

  /** Clears the history, including runs that were stored before it was switched off. */
  async clearHistory(): Promise<void> {
    const { FileRunStore } = await loadEngine();
    const store = await this.store();
    await store.clear();
    if (!(store instanceof FileRunStore)) await (await this.#openStore({ isOnDisk: true })).clear();
  }

  /** Writes pending texts and runs of a file, or of all files in a folder; waits only for a limited time. */
  async flush(id: string): Promise<void> {
    const flushed = [...this.#open].flatMap(([openId, { session }]) =>
      isWithin(openId, id) ? [session.then((opened) => opened.flush())] : [],
    );
    if (flushed.length > 0) await atMost(FLUSH_TIMEOUT_MS, Promise.allSettled(flushed));
  }

  /** Copies the stored runs of one playground to another. */
  async copyRuns(fromSessionId: string, toSessionId: string): Promise<void> {
    await this.flush(fromSessionId);
    await (await this.store()).copy(fromSessionId, toSessionId);
  }

  /** Deletes the runs of a playground that no longer exists; its session is closed. */
  async forgetRuns(sessionId: string): Promise<void> {
    const open = this.#open.get(sessionId);
    await (open ? this.#close(open) : this.#closing.get(sessionId));
    await (await this.store()).remove(sessionId);
  }

  /** Prepares a rename, without moving anything, as it may still fail. */
  async announceMove(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    this.#moves.announce(fileSessionId(to));
    await this.flush(fileSessionId(from));
  }

  /** Moves the runs of a renamed or moved file, or of all files in a folder; their sessions are closed. */
  async moveRuns(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const [oldPlace, newPlace] = [fileSessionId(from), fileSessionId(to)];
    await this.#moves.move(newPlace, async () => {
      const open = [...this.#open].flatMap(([id, one]) => (isWithin(id, oldPlace) ? [one] : []));
      const closing = [...this.#closing].flatMap(([id, closed]) => (isWithin(id, oldPlace) ? [closed] : []));
      await Promise.all([...closing, ...open.map((one) => this.#close(one))]);
      const store = await this.store();
      const ids = (await store.list()).map(({ sessionId }) => sessionId);
      for (const id of ids.filter((one) => isWithin(one, oldPlace))) {
        const movedId = newPlace + id.slice(oldPlace.length);
        if (movedId === id) continue;
        await store.copy(id, movedId);
        await store.remove(id);
      }
    });
  }

  /** Applies changed limits to requests that are already waiting, too. */
  refreshLimits(): void {
    this.#gate?.refresh();
    if (this.#store.isRequested) this.#reportSettings();
  }

  #reportSettings(): void {
    for (const problem of findSettingProblems()) {
      if (this.#reported.has(problem.id)) continue;
      this.#reported.add(problem.id);
      this.#services.onSettingProblem(problem);
    }
  }

  /** Closes all sessions; resolves when everything is written. */
  async close(): Promise<void> {
    await Promise.allSettled([
      ...this.#closing.values(),
      ...[...this.#open.values()].map((open) => this.#close(open)),
      this.#moves.close(),
    ]);
  }

  #begin(backing: OwnedBacking): OpenSession {
    const open: OpenSession = { backing, session: this.#openSession(backing), holders: 0 };
    this.#open.set(backing.id, open);
    open.session.catch(() => {
      if (this.#open.get(backing.id) === open) this.#open.delete(backing.id);
    });
    return open;
  }

  #close(open: OpenSession): Promise<void> {
    const { id } = open.backing;
    if (this.#open.get(id) === open) this.#open.delete(id);
    const closed = open.session
      .then((session) => session.dispose())
      .catch(() => undefined)
      .finally(() => {
        open.backing.dispose();
        if (this.#closing.get(id) === closed) this.#closing.delete(id);
      });
    this.#closing.set(id, closed);
    return closed;
  }

  async #openSession(backing: DocumentBacking): Promise<Session> {
    const { onOpened, requestsLeaveFrom, toolsFor, rowsFor } = this.#services;
    const engine = await loadEngine();
    const services = await this.stepServices();
    const store = await this.store();
    const session = await engine.Session.open({
      ...services,
      backing,
      store,
      tools: toolsFor(backing),
      rowsFile: rowsFor(backing),
      requestsLeaveFrom,
    });
    onOpened(session);
    return session;
  }

  async #openStore({ isOnDisk }: { isOnDisk: boolean }): Promise<HistoryStore> {
    this.#reportSettings();
    const { FileRunStore, MemoryRunStore } = await loadEngine();
    const shared = {
      redact: async (value: unknown) => {
        const { connections } = await this.#services.connections.get();
        return connections.redactor().value(value);
      },
      onProblem: (problem: string) => this.#services.log.warn(`history: ${problem}`),
    };
    if (!isOnDisk) return new MemoryRunStore(shared);
    return new FileRunStore({
      folder: this.#services.runFolder,
      limits: readHistoryLimits,
      ...shared,
      clock: SYSTEM_CLOCK,
    });
  }
}

async function atMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
