// Sessions with the host's own connections, request gate and store, on the system clock: what a user could do with
// a playground and a real server, without an editor. Settings and keys are stand-ins.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import { createConnectionSource } from '../../../src/connections/connection-source';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { loadEngine } from '../../../src/host/load-engine';
import { closeConnections } from '../../../src/library';
import type {
  HostEventName,
  LaneEntry,
  RequestHandlers,
  RunEntry,
  RunOutcome,
  RunProgress,
} from '../../../src/protocol';
import type { RunStore, SessionMethod } from '../../../src/session';
import {
  createSessionHandlers,
  FileRunStore,
  MemoryRunStore,
  RequestGate,
  Session,
  SessionView,
  SYSTEM_CLOCK,
} from '../../../src/session';
import { NO_ROWS, MemoryBacking } from '../session/scripted-session';
import { FakeSecrets, settings, workspace } from './vscode-stub';
import { connect } from '../connections/connect';

export const QUESTION = 'What is the weather in Oslo?';
export const WEATHER_RESULT = { temp_c: -2, sky: 'snow' };

/** A tool that every demo model knows, with a mock. */
export const WEATHER_TOOL = {
  name: 'get_weather',
  description: 'Get the current weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
  mocks: [{ result: WEATHER_RESULT }],
};

export interface HostSetup {
  /** Overrides of a document that offers the weather tool. */
  document?: object;
  /** Overrides of its only lane, which uses the demo's `hermes-text`. */
  lane?: object;
  backing?: MemoryBacking;
  store?: RunStore;
  /** Maximum number of simultaneous requests to one origin. */
  limit?: number;
}

interface ViewEvent {
  name: HostEventName;
  data: unknown;
}

export interface HostSession {
  session: Session;
  backing: MemoryBacking;
  store: RunStore;
  /** Events sent to a view that is open from the start. */
  events: ViewEvent[];
  /** The complete progress of running runs, each time it changed. */
  progress: RunProgress[];
  /** Adds another view, which is not open yet. */
  addView: () => { view: SessionView; events: ViewEvent[] };
  /** Calls one request handler, as a page would. */
  ask: <M extends SessionMethod>(
    method: M,
    params: Parameters<RequestHandlers[M]>[0],
  ) => ReturnType<RequestHandlers[M]>;
  /** Starts a run in all lanes. */
  start: (kind: 'chat' | 'agent', text?: string) => Promise<null>;
  /** Resolves when the condition holds; it is checked whenever the session or its view changes. */
  until: (condition: () => boolean) => Promise<void>;
  /** Resolves when no lane is busy. */
  settled: () => Promise<void>;
  entries: (laneId?: string) => LaneEntry[];
  runs: (laneId?: string) => RunEntry[];
}

/** The connections of one window, and the sessions that use them. */
export class TestHost {
  /** Lines of the log. */
  readonly lines: string[] = [];
  readonly #demo = new DemoSource();
  readonly #sessions: Session[] = [];
  readonly #folders: string[] = [];
  keys = new ApiKeys(new FakeSecrets());
  connections = connect(this.keys, this.#demo);

  /** Resets everything to an empty window. */
  async reset(): Promise<void> {
    await Promise.all(this.#sessions.splice(0).map((session) => session.dispose()));
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    this.lines.length = 0;
    settings.user = {};
    settings.workspace = {};
    workspace.isTrusted = true;
    this.keys = new ApiKeys(new FakeSecrets());
    this.connections = connect(this.keys, this.#demo);
  }

  async close(): Promise<void> {
    await this.reset();
    await this.#demo.close();
    await closeConnections();
  }

  async open(setup: HostSetup = {}): Promise<HostSession> {
    // Loaded first, as a view does before it opens a session.
    await loadEngine();
    const { store = new MemoryRunStore(), limit = 100 } = setup;
    const backing = setup.backing ?? new MemoryBacking(toText(setup));
    const note = (line: string | Error): void => void this.lines.push(String(line));
    const log = { info: note, warn: note, error: note };
    const session = await Session.open({
      backing,
      store,
      rowsFile: NO_ROWS,
      connections: createConnectionSource(this.connections, () => () => undefined),
      tools: {
        resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
        invoke: () => Promise.reject(new Error('It was not confirmed.')),
        onDidChange: () => () => undefined,
      },
      gate: new RequestGate(() => limit),
      clock: SYSTEM_CLOCK,
      log,
      requestsLeaveFrom: 'this computer',
    });
    this.#sessions.push(session);
    return toHostSession(session, backing, store);
  }

  /** Runs the question in a new session. @returns the outcome of its last run. */
  async run(kind: 'chat' | 'agent', setup: HostSetup = {}): Promise<RunOutcome> {
    const one = await this.open(setup);
    await one.start(kind, QUESTION);
    await one.settled();
    const outcome = one.runs().at(-1)?.outcome;
    if (!outcome) throw new Error('The run left no outcome.');
    return outcome;
  }

  /** A store on disk, redacted like the host's own, and the contents of its files. */
  openFileStore(): { store: FileRunStore; contents: () => string } {
    const folder = mkdtempSync(join(tmpdir(), 'host-runs-'));
    this.#folders.push(folder);
    const { connections } = this;
    const store = new FileRunStore({
      folder,
      limits: () => ({ maxRuns: 1_000, maxBytes: 1e9 }),
      redact: (value) => Promise.resolve(connections.redactor().value(value)),
      onProblem: (problem) => void this.lines.push(problem),
      clock: SYSTEM_CLOCK,
    });
    const contents = (): string =>
      readdirSync(folder)
        .map((name) => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
        .join('\n');
    return { store, contents };
  }
}

function toText({ document, lane }: HostSetup): string {
  return JSON.stringify({
    version: 1,
    tools: [WEATHER_TOOL],
    lanes: [{ id: 'a', connection: 'demo', model: 'hermes-text', ...lane }],
    ...document,
  });
}

function toHostSession(session: Session, backing: MemoryBacking, store: RunStore): HostSession {
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const check of waiting) check();
  };
  const progress: RunProgress[] = [];
  session.onDidChange(() => {
    for (const id of session.laneIds) {
      const now = session.progress(id);
      if (now) progress.push(now);
    }
    look();
  });
  const addView = (): { view: SessionView; events: ViewEvent[] } => {
    const events: ViewEvent[] = [];
    const other = new SessionView(session, SYSTEM_CLOCK, (name, data) => {
      events.push({ name, data: structuredClone(data) });
      look();
    });
    return { view: other, events: events };
  };
  const { view, events } = addView();
  view.open();
  const handlers: Pick<RequestHandlers, SessionMethod> = createSessionHandlers(() =>
    Promise.resolve({ session, view }),
  );
  const ask: HostSession['ask'] = (method, params) =>
    (handlers[method] as (params: unknown, signal: AbortSignal) => never)(
      params,
      new AbortController().signal,
    );
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const entries = (laneId = 'a'): LaneEntry[] => {
    const { order = [], entries: all = [] } = session.laneSnapshot(laneId, undefined) ?? {};
    return order.flatMap((id) => all.find((entry) => entry.id === id) ?? []);
  };
  return {
    session,
    backing,
    store,
    events,
    progress,
    addView,
    ask,
    start: (kind, text) => ask('run/start', { laneIds: session.laneIds, kind, text }),
    until,
    settled: () =>
      until(() => session.laneIds.every((id) => session.laneSnapshot(id, undefined)?.run === null)),
    entries,
    runs: (laneId) => entries(laneId).filter((entry): entry is RunEntry => entry.kind === 'run'),
  };
}
