// A playground with everything that a user and the world around it can do, and the invariants that must hold
// afterwards: for property tests.
import type { HostEvents, LaneEntry } from '../../../src/protocol';
import type { Journal, RunStore } from '../../../src/session';
import { MemoryRunStore, RefusalError, SessionView } from '../../../src/session';
import type { RawAssistant } from '../../../src/library';
import { changeOutside, WORLD_TEXT } from '../vscode/document-changes';
import { readWhole, toComparable, toNeutral, toText, withoutSessionState } from './neutral-messages';
import type { Asked, Opened } from './scripted-session';
import { MemoryBacking, openSession } from './scripted-session';
import type { Command } from './session-command';
import { callsOf } from './session-command';
import type { Reply } from './session-replies';
import { play } from './session-replies';
import { SnapshotPage } from '../snapshot-page';

const NO_CALL = { laneId: 'a', runId: 'none', callIndex: 0 };
const CALM_TURNS = 40;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class SessionWorld {
  /** Violated invariants, as sentences. */
  readonly problems: string[] = [];
  readonly #replies: readonly Reply[];
  readonly #limit: number;
  readonly #backing = new MemoryBacking(WORLD_TEXT);
  readonly #store: RunStore;
  readonly #texts: string[] = [WORLD_TEXT];
  /** The entries at the moment when writing ended. */
  #atClose: Map<string, LaneEntry[]> | undefined;
  #opened: Opened | undefined;
  #pages: SnapshotPage[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #asked = 0;
  #count = 0;
  #sessionCount = 0;

  static async open(replies: readonly Reply[], limit: number): Promise<SessionWorld> {
    const world = new SessionWorld(replies, limit);
    await world.#open();
    return world;
  }

  private constructor(replies: readonly Reply[], limit: number) {
    this.#replies = replies;
    this.#limit = limit;
    this.#store = this.#watch(new MemoryRunStore());
    this.#backing.onDidChange(() => this.#texts.push(this.#backing.text));
  }

  get #one(): Opened {
    if (!this.#opened) throw new Error('It is not open.');
    return this.#opened;
  }

  async close(): Promise<void> {
    await this.#one.session.dispose();
  }

  /** Executes the command, whatever is under way. */
  async do(command: Command, isAwaited: boolean): Promise<void> {
    const done = this.#do(command).catch((error: unknown) => this.#refused(command, error));
    this.#track(done);
    if (isAwaited || command.do === 'reopen' || command.do === 'wait') await done;
    if (command.do === 'stop' && command.lane === null && isAwaited) await this.#checkStop();
  }

  /** Executes the command while nothing else is under way, waits for its end, and checks the result. */
  async doQuietly(command: Command): Promise<void> {
    await this.calm();
    const before = this.#entriesByLane();
    const text = `text ${this.#count + 1}`;
    let isRefused = false;
    await this.#do(command).catch((error: unknown) => {
      isRefused = true;
      this.#refused(command, error);
    });
    if (command.do === 'start' && !isRefused) this.#checkStart(command, before, text);
    await this.calm();
    if (command.do === 'start' && !isRefused) this.#checkRuns(command, before);
    this.#checkViews();
  }

  /** Waits until nothing is under way; runs that hang are stopped. */
  async calm(): Promise<void> {
    await Promise.all(this.#underWay);
    for (let turns = 0; turns < CALM_TURNS && this.#isBusy(); turns++) await turn();
    if (this.#isBusy()) await this.#one.ask('run/stop', {});
    for (let turns = 0; this.#isBusy(); turns++) {
      await turn();
      if (turns === CALM_TURNS) await this.#one.ask('run/stop', {});
      if (turns > 1_000) return this.#note('A lane stays busy after it was stopped.');
    }
    await this.#one.until(() => this.#one.clock.pending === 0);
  }

  /** Checks the invariants that must hold in the end. */
  async finish(): Promise<void> {
    await this.calm();
    this.#checkViews();
    for (const [laneId, entries] of this.#entriesByLane()) {
      const open = entries.filter((entry) => entry.kind === 'run' && !entry.outcome && !entry.isStored);
      if (open.length > 0) this.#note(`Lane ${laneId} is idle and has a run without an outcome.`);
      const ids = entries.map(({ id }) => id);
      if (new Set(ids).size < ids.length) this.#note(`Lane ${laneId} has an entry twice.`);
    }
    // An invalid text would not show what the document was before.
    if (this.#one.session.editable.error) this.#changeFromOutside('system');
    await this.calm();
    const before = await this.#readAll();
    const { draft, restorable } = this.#one.session.documentSnapshot();
    await this.#reopen();
    this.#same('the entries after reopening', await this.#readAll(), before);
    const after = this.#one.session.documentSnapshot();
    this.#same('the draft after reopening', after.draft, draft);
    this.#same('whether a conversation can be restored after reopening', after.restorable, restorable);
  }

  async #open(): Promise<void> {
    const sessionNumber = ++this.#sessionCount;
    this.#opened = await openSession({
      backing: this.#backing,
      store: this.#store,
      limit: this.#limit,
      script: (asked) => this.#answer(asked, sessionNumber),
    });
    this.#pages = [];
    this.#addPage();
  }

  #addPage(): void {
    const { session, clock } = this.#one;
    const page = new SnapshotPage((problem) => this.#note(problem));
    const view = new SessionView(session, clock, (name, data) => {
      if (name === 'session/changed') page.apply(structuredClone(data as HostEvents['session/changed']));
    });
    page.apply(structuredClone(view.open()));
    this.#pages.push(page);
  }

  async #reopen(): Promise<void> {
    await this.#one.session.dispose();
    const before = this.#atClose ?? new Map<string, LaneEntry[]>();
    await this.#open();
    const after = await this.#readAll();
    for (const [laneId, entries] of before) {
      const now = after.get(laneId);
      if (now) this.#checkReopened(laneId, entries, now);
    }
  }

  #checkReopened(laneId: string, before: readonly LaneEntry[], after: readonly LaneEntry[]): void {
    const kept = (entries: readonly LaneEntry[]) =>
      entries.filter((entry) => entry.kind === 'run' || entry.isPending !== true);
    const ids = kept(after).map(({ id }) => id);
    this.#same(
      `the order of lane ${laneId}`,
      ids,
      kept(before).map(({ id }) => id),
    );
    for (const entry of kept(before)) {
      const now = after.find(({ id }) => id === entry.id);
      if (!now || now.kind !== 'run' || entry.kind !== 'run') continue;
      if (entry.outcome)
        this.#same(`a run of lane ${laneId}`, withoutSessionState(now), withoutSessionState(entry));
      else if (!entry.isStored && now.outcome?.verdict.kind !== 'interrupted') {
        this.#note(`A run of lane ${laneId} that was under way is not interrupted.`);
      }
    }
  }

  /** Records the conversations when a journal closes. */
  #watch(store: RunStore): RunStore {
    return {
      open: async (sessionId) => {
        const journal = await store.open(sessionId);
        const close = (): Promise<void> => {
          this.#atClose = this.#entriesByLane();
          return journal.close();
        };
        return { ...journal, lines: journal.lines, close } satisfies Journal;
      },
      copy: (from, to) => store.copy(from, to),
      remove: (sessionId) => store.remove(sessionId),
    };
  }

  async #do(command: Command): Promise<unknown> {
    const { ask, session } = this.#one;
    const ids = session.laneIds;
    const idOf = (index: number): string => ids[index % ids.length] ?? 'a';
    switch (command.do) {
      case 'start': {
        const { kind, hasText, isStepMode } = command;
        const laneIds = command.lanes.map(idOf);
        const text = hasText ? { text: this.#nextText() } : {};
        return ask('run/start', { laneIds, kind, ...text, ...(isStepMode && { isStepMode }) });
      }
      case 'replay':
        return ask('run/replay', { laneIds: [idOf(command.lane)], kind: command.kind });
      case 'stop':
        return ask('run/stop', command.lane === null ? {} : { laneIds: [idOf(command.lane)] });
      case 'give': {
        const calls = ids.flatMap((laneId) => callsOf(this.#one, laneId));
        const open = calls.filter(({ isOpen }) => isOpen);
        const [from, at] = open.length > 0 && !command.isAny ? [open, command.at] : [calls, command.at];
        const { laneId, runId, callIndex } = from[at % Math.max(1, from.length)] ?? NO_CALL;
        const result = { content: `given ${++this.#count}`, isError: false };
        return ask('result/give', { laneId, runId, results: [{ callIndex, ...result }] });
      }
      case 'continue': {
        const { lane, isStepMode, hasText } = command;
        const isPaused = (id: string): boolean =>
          session.laneSnapshot(id, undefined)?.run?.phase === 'paused';
        const text = hasText ? { text: this.#nextText() } : {};
        return ask('run/continue', { laneId: ids.find(isPaused) ?? idOf(lane), isStepMode, ...text });
      }
      case 'step':
        return this.#step(idOf(command.lane), command);
      case 'resend': {
        const laneId = idOf(command.lane);
        const sent = this.#one
          .entries(laneId)
          .filter((entry) => entry.kind === 'message' && !entry.isPending);
        const entryId = sent[command.at % Math.max(1, sent.length)]?.id ?? 'none';
        return ask('message/resend', { laneId, entryId, text: this.#nextText(), kind: command.kind });
      }
      case 'clear':
        return ask('conversation/clear', command.lanes === null ? {} : { laneIds: command.lanes.map(idOf) });
      case 'restore':
        return ask('conversation/restore', {});
      case 'reopen':
        return this.#reopen();
      case 'look':
        return this.#addPage();
      case 'wait':
        for (let turns = 0; turns < command.turns; turns++) await turn();
        return undefined;
      case 'outside':
        return this.#changeFromOutside(command.what);
      default:
        return this.#edit(command, idOf);
    }
  }

  async #step(laneId: string, { times, hasText }: { times: number; hasText: boolean }): Promise<void> {
    const { ask, session } = this.#one;
    const isPaused = (): boolean => session.laneSnapshot(laneId, undefined)?.run?.phase === 'paused';
    await ask('run/start', { laneIds: [laneId], kind: 'agent', isStepMode: true, text: this.#nextText() });
    for (let time = 0; time < times; time++) {
      for (let turns = 0; turns < 12 && !isPaused(); turns++) await turn();
      const isLast = time === times - 1;
      const text = hasText ? { text: this.#nextText() } : {};
      await ask('run/continue', { laneId, isStepMode: !isLast, ...text });
    }
  }

  #edit(
    command: Extract<Command, { do: 'add-lane' | 'remove-lane' | 'move-lane' | 'draft' | 'edit' }>,
    idOf: (index: number) => string,
  ): Promise<unknown> {
    const { ask } = this.#one;
    const number = ++this.#count;
    switch (command.do) {
      case 'add-lane': {
        const copyOf = command.copyOf === null ? {} : { copyOf: idOf(command.copyOf) };
        return ask('lane/add', { ...copyOf, change: { model: `model-${number}` } });
      }
      case 'remove-lane':
        return ask('lane/remove', { laneId: idOf(command.lane) });
      case 'move-lane':
        return ask('lane/move', { laneId: idOf(command.lane), to: command.to });
      case 'draft':
        return ask('message/draft', { text: command.isEmpty ? '' : `draft ${number}` });
      case 'edit': {
        const edits = [{ path: ['system'], value: `system ${number}` }];
        return ask('document/edit', { edits, ...(command.isGathered && { gather: 'system' }) });
      }
    }
  }

  #changeFromOutside(what: string): void {
    this.#backing.replace(changeOutside(this.#texts, what, ++this.#count));
  }

  #nextText(): string {
    return `text ${++this.#count}`;
  }

  #refused(command: Command, error: unknown): void {
    if (error instanceof RefusalError) return;
    this.#note(`${command.do} failed: ${String(error instanceof Error ? error.stack : error)}`);
  }

  #answer(asked: Asked, sessionNumber: number): Partial<RawAssistant> | Promise<Partial<RawAssistant>> {
    if (sessionNumber !== this.#sessionCount) this.#note('A session that has ended sent a request.');
    else this.#checkAsked(asked);
    return play(this.#replies[this.#asked++ % this.#replies.length] ?? 'answer', asked, this.#asked);
  }

  /** Checks that a model is sent exactly what its lane shows up to that point. */
  #checkAsked({ model, messages }: Asked): void {
    const { session } = this.#one;
    const lane = session.editable.document.lanes.find((one) => one.model === model);
    // A removed lane may go on for a moment, in case it is only being edited.
    if (!lane) return;
    const shown = this.#one.entries(lane.id).filter((entry) => entry.kind === 'run' || !entry.isPending);
    const current = shown.at(-1);
    if (current?.kind !== 'run' || current.outcome) this.#note('A request was sent that no run shows.');
    const sent = messages.filter(({ role }, index) => role !== 'system' || index > 0);
    this.#track(this.#checkSent(sent.map(toComparable), lane.id, shown.slice(0, -1)));
  }

  async #checkSent(sent: unknown, laneId: string, shown: readonly LaneEntry[]): Promise<void> {
    const entries = await readWhole(this.#one.session, laneId, shown);
    if (entries) this.#same('the sent messages', sent, toNeutral(entries).map(toComparable));
  }

  /** Checks that the text occurs exactly once in each target lane, sent or pending. */
  #checkStart(
    { lanes, hasText }: Extract<Command, { do: 'start' }>,
    before: Map<string, LaneEntry[]>,
    text: string,
  ): void {
    if (!hasText) return;
    const ids = [...before.keys()];
    const { draft } = this.#one.session.documentSnapshot();
    for (const index of lanes) {
      const laneId = ids[index % ids.length] ?? 'a';
      const count = this.#one
        .entries(laneId)
        .filter((entry) => entry.kind === 'message' && entry.content === text).length;
      // A lane first sends what was already pending.
      if (count + (draft === text ? 1 : 0) !== 1)
        this.#note(`“${text}” occurs ${count} times in lane ${laneId}.`);
    }
  }

  /** Checks that everything that was started before a stop ends by itself. */
  async #checkStop(): Promise<void> {
    if (this.#underWay.size > 0) return;
    for (let turns = 0; turns < CALM_TURNS && this.#isBusy(); turns++) await turn();
    if (this.#isBusy()) this.#note('A lane stays busy although all were stopped.');
  }

  #checkRuns({ lanes }: Extract<Command, { do: 'start' }>, before: Map<string, LaneEntry[]>): void {
    const ids = [...before.keys()];
    const grown = lanes.filter((index) => {
      const laneId = ids[index % ids.length] ?? 'a';
      const known = new Set((before.get(laneId) ?? []).map(({ id }) => id));
      return this.#one.runs(laneId).some(({ id }) => !known.has(id));
    });
    if (grown.length === 0) this.#note('A start was accepted, but nothing ran.');
  }

  #checkViews(): void {
    const fresh = new SnapshotPage((problem) => this.#note(problem));
    const view = new SessionView(this.#one.session, this.#one.clock, () => undefined);
    fresh.apply(structuredClone(view.open()));
    view.dispose();
    for (const page of this.#pages) this.#same('the state of a view', page.content(), fresh.content());
  }

  #entriesByLane(): Map<string, LaneEntry[]> {
    const { session, entries } = this.#one;
    return new Map(session.laneIds.map((id) => [id, structuredClone(entries(id))]));
  }

  /** All entries, including runs that are stored. */
  async #readAll(): Promise<Map<string, LaneEntry[]>> {
    const { session } = this.#one;
    for (const id of session.laneIds) {
      const ids = this.#one.entries(id).map((entry) => entry.id);
      await session.readEntries(id, ids);
    }
    return this.#entriesByLane();
  }

  #isBusy(): boolean {
    const { session } = this.#one;
    return session.laneIds.some((id) => session.laneSnapshot(id, undefined)?.run !== null);
  }

  #track(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  #same(what: string, one: unknown, other: unknown): void {
    const [left, right] = [toText(one), toText(other)];
    if (left !== right) this.#note(`${what}:\n${left}\nshould be\n${right}`);
  }

  #note(problem: string): void {
    this.problems.push(problem);
  }
}
