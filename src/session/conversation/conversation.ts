// The commands of a session's lanes: send, run, stop, give results, clear. Each lane does one thing at a time, and a failure
// in one lane does not affect the others. Independent of views.
import { t } from '@vscode/l10n';
import type { DocumentMessage, LaneStanding } from '../../protocol';
import type { Message } from '../../types';
import { checkSendable, checkText } from '../check-sendable';
import type { EditableDocument } from '../editing/editable-document';
import type { WorkOptions } from './lane-work';
import { LaneWork } from './lane-work';
import type { Lane } from './lane';
import type { Lanes } from './lanes';
import { toCutEdits, toDraftEdits, toInsertEdits } from '../editing/message-edits';
import { endsWithReply, firstAnswer, goesOn } from './next-run';
import { hasQuestion, isAsked, toMessage } from './pending-messages';
import { SentMessages } from './sent-messages';
import { UserInput } from './user-input';
import type { Journal } from '../ports';
import { refuse } from '../refusal';
import type { Kept } from './restorable';
import { Restorable } from './restorable';
import type { AgentServices } from '../run/agent-run';
import { lostRecord } from '../run/record/run-record';
import { readStored } from '../journal/run-lines';
import type { Item, RunItem } from './transcript';
import { callsOf, toMessages } from './transcript';

/** A result that a person gives. */
export interface GivenResult {
  callIndex: number;
  content: string;
  isError: boolean;
}

interface Beginning extends WorkOptions {
  /** Whether it replaces what can be restored. */
  isReplacing?: boolean | undefined;
}

export class Conversations {
  readonly #editable: EditableDocument;
  readonly #services: AgentServices;
  readonly #journal: Journal;
  readonly #lanes: Lanes;
  readonly #userInput = new UserInput();
  readonly #sent: SentMessages;
  /** By lane id: resolves when the work in progress has ended. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #standing: (lane: Lane) => Promise<LaneStanding & { lane: Lane }>;
  readonly restorable: Restorable;
  #isClosed = false;

  constructor(
    editable: EditableDocument,
    services: AgentServices,
    journal: Journal,
    lanes: {
      all: Lanes;
      /** What was cleared or replaced last and can be restored. */
      kept: Kept | undefined;
      /** Where a lane stands now. */
      standing: (lane: Lane) => Promise<LaneStanding & { lane: Lane }>;
    },
  ) {
    this.#editable = editable;
    this.#services = services;
    this.#journal = journal;
    this.#sent = new SentMessages(editable, lanes.all);
    this.#lanes = lanes.all;
    this.restorable = new Restorable(editable, journal, { all: lanes.all, sent: this.#sent }, lanes.kept);
    this.#standing = lanes.standing;
  }

  /** The message that is being written: the last one of the document, unless it was sent in a lane. */
  get draft(): DocumentMessage | undefined {
    return this.#sent.draft;
  }

  /** Messages that were not yet sent in the lane, without the draft. */
  pendingOf(laneId: string, draft = this.draft): DocumentMessage[] {
    return this.#sent.pendingOf(laneId).filter((message) => message !== draft);
  }

  /** The first message of the lane's conversation in whose place the document now has another one. */
  unlikeIn(laneId: string): Item | undefined {
    return this.#sent.unlikeIn(laneId);
  }

  /** To be called when the document has changed. */
  followDocument(): void {
    this.#sent.followDocument();
  }

  async setDraft(text: string): Promise<void> {
    // Each call has the whole text of the message box, so earlier edits that still wait are obsolete.
    this.#editable.dropGathered('draft');
    const edits = this.#editable.isWritable ? toDraftEdits(this.#editable.document, this.draft, text) : [];
    if (edits.length > 0) await this.#editable.edit(edits, 'draft');
  }

  /** Brings the lanes to what the document says now, as `run/start` describes. Resolves when that has begun. */
  async start(laneIds: readonly string[], text: string | undefined, options: WorkOptions): Promise<void> {
    checkSendable(this.#editable);
    checkText(text);
    const idle = this.#idle(laneIds);
    const hasText = text !== undefined && text.trim() !== '';
    // If the document cannot be changed, the text is only added to the conversations.
    const ownMessage = hasText && !this.#editable.isWritable ? text : undefined;
    if (hasText && ownMessage === undefined) await this.#writeMessage(text, laneIds);
    else await this.#editable.flush();
    await this.#ready();
    // A message that is still being written is not sent without its text being given.
    const heldDraft = hasText ? undefined : this.draft;
    const standings = await Promise.all(idle.map((lane) => this.#standing(lane)));
    const isAny = hasText || options.isRepeat === true;
    const isReady = ({ lane, next }: (typeof standings)[number]): boolean =>
      isAny ? this.#isReady(lane, heldDraft) : goesOn(next, options.kind);
    const found = standings.filter((one) => ownMessage !== undefined || isReady(one));
    if (found.length === 0) throw NOTHING_TO_SEND();
    // If a lane cannot run, the others still do; its message stays pending.
    const usable = found.filter(
      ({ lane, blocker }) => blocker === undefined && !options.leftOut?.includes(lane.id),
    );
    const { draft } = this;
    const begun = usable.length > 0 ? usable : found;
    const isReplaced = ({ lane, next }: (typeof begun)[number]): boolean =>
      !hasText && (isAny ? next !== 'send' && endsWithReply(lane.items) : next === 'again');
    const replaced = begun.filter(isReplaced);
    if (replaced.length > 0) this.restorable.keepReplaced(replaced.map(({ lane }) => lane));
    for (const one of begun) {
      const { lane, next } = one;
      if (hasText && draft) this.#sent.begin(lane.id, draft);
      const how: Beginning = { ...options, isReplacing: replaced.includes(one) };
      if (next === 'again' && !isAny) this.#beginAgain(lane, how, heldDraft);
      else this.#begin(lane, how, (work) => work.proceed({ ownMessage, heldDraft }));
    }
  }

  /** Asks the last question of a lane again, in the way it was asked. */
  #beginAgain(lane: Lane, options: Beginning, heldDraft: DocumentMessage | undefined): void {
    const from = this.#againFrom(lane);
    const kind = lane.lastRun?.run.step ? 'agent' : options.kind;
    if (from) this.#begin(lane, { ...options, kind }, (work) => work.askAgain(from, heldDraft));
  }

  /** Where a conversation is cut off when it is brought to what the document says now. */
  #againFrom(lane: Lane): Item | undefined {
    return this.#sent.unlikeIn(lane.id) ?? firstAnswer(lane.items);
  }

  /** Empties the lanes and sends all messages of the document again, from the first one. */
  async replay(laneIds: readonly string[], options: WorkOptions): Promise<void> {
    await this.#editable.flush();
    await this.#ready();
    const lanes = this.#idle(laneIds).filter(({ id }) => hasQuestion(this.#editable.messagesOf(id)));
    if (lanes.length === 0) throw NOTHING_TO_SEND();
    const replaced = lanes.filter(({ items }) => items.length > 0);
    if (replaced.length > 0) this.restorable.keepReplaced(replaced);
    for (const lane of lanes) {
      const [first] = lane.items;
      if (first) lane.cutFrom(first.id);
      this.#begin(lane, { ...options, isReplacing: first !== undefined }, (work) => work.sendPending());
    }
  }

  /** Stops everything in progress; nothing can be started afterwards. */
  close(): void {
    this.#isClosed = true;
    this.stop();
    for (const { controller } of this.#lanes.all) controller?.abort(new Error('closed'));
  }

  stop(laneIds?: readonly string[]): void {
    for (const lane of this.#lanes.open) {
      if (!laneIds || laneIds.includes(lane.id)) lane.controller?.abort(new Error('stopped'));
    }
  }

  /** The conversation that the lane would send next: with what is pending up to the first question. @throws RefusalError */
  async nextMessages(laneId: string): Promise<Message[]> {
    const lane = this.#lanes.get(laneId);
    await this.load(lane, lane.items);
    const all = this.#sent.pendingOf(laneId);
    const last = lane.items.at(-1);
    if (all.length === 0 && !last) throw NOTHING_TO_SEND();
    const isAgain = all.length === 0 && (await this.#standing(lane)).next === 'again';
    const from = isAgain ? this.#againFrom(lane) : undefined;
    // A repeated step replaces the last reply.
    const isReplaced = all.length === 0 && endsWithReply(lane.items);
    const kept = lane.items.slice(0, from ? lane.items.indexOf(from) : isReplaced ? -1 : undefined);
    const pending = from?.kind === 'message' ? this.#sent.pendingAfter(laneId, kept) : all;
    const question = pending.findIndex((_message, index) => isAsked(pending, index));
    const sent = question < 0 ? pending : pending.slice(0, question + 1);
    const items = sent.map((message): Item => ({
      kind: 'message',
      id: '',
      message: toMessage(this.#editable.sent.message(message)),
    }));
    return toMessages([...kept, ...items]);
  }

  /** Resumes a paused agent run. @param text A message to send before the next step, in this lane only. */
  async continue(laneId: string, isStepMode: boolean, text: string | undefined): Promise<void> {
    const lane = this.#lanes.find(laneId);
    if (!lane || !this.#userInput.isPaused(laneId)) {
      throw refuse(t('This lane is not paused.'), t('Start an agent run step by step.'));
    }
    checkText(text);
    const said = text === undefined || text.trim() === '' ? undefined : text;
    const before = lane.items.findLast(({ kind }) => kind === 'message');
    this.#userInput.resume(laneId, isStepMode, said);
    // Sent first: a message of the document that was sent in no lane would count as the draft.
    if (said !== undefined) await this.#writeBehind(lane, before, said);
  }

  /** Adds a message of one lane to the document after that of `item`, unless the document lacks that one. */
  async #writeBehind(lane: Lane, item: Item | undefined, text: string): Promise<void> {
    await this.#editable.flush();
    const place = this.#sent.placeOf(item);
    if (!this.#editable.isWritable || place === undefined) return;
    this.#sent.linkAfterEdit();
    await this.#editable.edit(toInsertEdits(this.#editable.document, place + 1, text, [lane.id]));
  }

  /** Replaces a sent message and removes what followed it, in every lane that has it; then sends it again. */
  async resend(laneId: string, entryId: string, text: string, options: WorkOptions): Promise<void> {
    checkSendable(this.#editable);
    checkText(text);
    const origin = this.#lanes.get(laneId);
    const edited = origin.items.find(({ id, kind }) => id === entryId && kind === 'message');
    if (!edited) throw refuse(t('The message no longer exists.'), t('Send it again.'));
    await this.#editable.flush();
    const { document } = this.#editable;
    const place = this.#sent.placeOf(edited);
    const replaced = place === undefined ? undefined : document.messages[place];
    const having = this.#lanes.open.flatMap((lane) => {
      const item = lane === origin ? edited : replaced && this.#sent.itemOf(lane, replaced);
      return item ? [{ lane, item }] : [];
    });
    const lanes = this.#idle(having.map(({ lane }) => lane.id));
    for (const { lane, item } of having) if (!lanes.includes(lane)) this.#sent.forget(item);
    const isWritten = place !== undefined && this.#editable.isWritable;
    if (isWritten) {
      const ids = lanes.map(({ id }) => id);
      const cut = toCutEdits(document, place + 1, ids);
      await this.#editable.edit([...cut, { path: ['messages', place, 'content'], value: text }]);
    }
    await this.#ready();
    for (const { lane, item } of having) if (lanes.includes(lane)) lane.cutFrom(item.id);
    for (const lane of lanes) {
      this.#begin(lane, options, (work) => (isWritten ? work.proceed() : work.sendMessage(text)));
    }
  }

  /** Requests the reply of a run, or of a step of an agent run, again; removes what followed it. */
  async askAgain(laneId: string, runId: string): Promise<void> {
    const [lane] = this.#idle([laneId]);
    await this.#ready();
    const run = lane?.findRun(runId);
    if (!lane || !run) throw refuse(t('The run no longer exists.'), t('Run again.'));
    this.restorable.keepReplaced([lane]);
    lane.cutFrom(run.id);
    this.#begin(lane, { kind: run.step ? 'agent' : 'chat', isReplacing: true }, (work) => work.ask());
  }

  /**
   * Sets results of a reply by hand. If an agent run waits for one of them, it goes on. Otherwise what followed the reply is
   * removed, because it was said to other results, and once the reply has all results, they are sent.
   * @param isKept Nothing is sent until something else sends it.
   */
  async giveResults(laneId: string, runId: string, given: GivenResult[], isKept = false): Promise<void> {
    const lane = this.#lanes.get(laneId);
    const results = given.filter(
      ({ callIndex, ...result }) => !this.#userInput.answer(runId, callIndex, { ...result, source: 'given' }),
    );
    if (results.length === 0) return;
    const item = lane.findRun(runId);
    const isPaused = this.#userInput.isPaused(laneId) && item === lane.items.at(-1);
    if (lane.isBusy && !isPaused) throw refuse(t('A run is under way in this lane.'), t('Stop it first.'));
    const indices = results.map(({ callIndex }) => callIndex);
    if (!item || indices.some((index) => !callsOf(item)[index]))
      throw refuse(t('The call no longer exists.'), t('Run again.'));
    const isSent =
      !isPaused &&
      !isKept &&
      callsOf(item).every((_call, index) => item.results.has(index) || indices.includes(index));
    if (isSent) await this.#ready();
    const next = lane.items[lane.items.indexOf(item) + 1];
    if (next) this.restorable.keepReplaced([lane], runId);
    for (const { callIndex, ...result } of results) {
      const before = item.results.get(callIndex);
      const isEdited = before !== undefined && (before.isEdited === true || before.source !== 'given');
      lane.setResult(runId, callIndex, { ...result, source: 'given', ...(isEdited && { isEdited }) });
    }
    if (next) lane.cutFrom(next.id);
    if (!isSent) return;
    // What is replaced is asked for in the way in which it was asked for before.
    const kind = next?.kind === 'run' && next.step ? 'agent' : 'chat';
    this.#begin(lane, { kind, isReplacing: next !== undefined }, (work) => work.ask());
  }

  async clear(laneIds: readonly string[] | undefined): Promise<void> {
    const ids = laneIds ?? this.#lanes.open.map(({ id }) => id);
    const lanes = [...new Set(ids.map((id) => this.#lanes.get(id)))];
    this.stop(ids);
    await this.ended(ids);
    await this.restorable.clear(lanes);
  }

  /** Restores what was cleared or replaced last; a run that replaces it is stopped. */
  async restore(): Promise<void> {
    this.stop(this.restorable.laneIds);
    await this.ended(this.restorable.laneIds);
    await this.restorable.restore();
  }

  /** Runs in progress end in the conversation that they belong to before it is changed. */
  async ended(laneIds: readonly string[]): Promise<void> {
    await Promise.all(laneIds.flatMap((id) => this.#running.get(id) ?? []));
  }

  /** Loads the records of these runs from the store. */
  async load(lane: Lane, items: readonly Item[]): Promise<void> {
    const stored = items.filter((item): item is RunItem => item.kind === 'run' && item.isStored === true);
    for (const { id, record } of stored) {
      if (record) continue;
      lane.fillRecord(id, (await readStored(this.#journal, id)) ?? lostRecord(id));
    }
  }

  /** Waits until the document and the tools are as they are shown, because that is what is sent. @throws RefusalError */
  async #ready(): Promise<void> {
    await this.#editable.resolved();
    checkSendable(this.#editable);
    if (this.#editable.unfilled) throw this.#editable.unfilled;
  }

  #begin(lane: Lane, options: Beginning, begin: (work: LaneWork) => Promise<unknown>): void {
    const controller = new AbortController();
    const config = this.#editable.document.lanes.find(({ id }) => id === lane.id);
    if (!config || lane.isBusy || this.#isClosed) return;
    const { now } = this.#services.clock;
    lane.controller = controller;
    if (!options.isReplacing) this.restorable.forget(lane.id);
    lane.setRun({
      runId: '',
      kind: options.kind,
      phase: 'running',
      since: now(),
      begunAt: now(),
      ...(options.isStepMode && { isStepMode: true }),
    });
    const work = new LaneWork(lane, config, options, controller.signal, {
      editable: this.#editable,
      services: this.#services,
      ask: (runId, call, signal) => this.#userInput.ask(runId, call, signal),
      pause: (signal, say) => this.#userInput.pause(lane.id, signal, say),
      pending: () => this.#sent.pendingOf(lane.id),
      send: (message) => this.#sent.send(lane, message),
    });
    const ended = this.load(lane, lane.items)
      .then(() => begin(work))
      .then(() => undefined)
      .catch((error: unknown) =>
        this.#services.log.error(String(error instanceof Error ? error.stack : error)),
      )
      .finally(() => {
        lane.controller = undefined;
        this.#running.delete(lane.id);
        this.#sent.end(lane.id);
        lane.setRun(null);
      });
    this.#running.set(lane.id, ended);
  }

  /** Whether there is something to ask: a pending question, or a step to repeat. */
  #isReady(lane: Lane, heldDraft: DocumentMessage | undefined): boolean {
    const pending = this.#sent.pendingOf(lane.id).filter((message) => message !== heldDraft);
    return pending.length > 0 ? hasQuestion(pending) : lane.items.length > 0;
  }

  async #writeMessage(text: string, laneIds: readonly string[]): Promise<void> {
    // The draft edits that still wait have an older text of the message box.
    this.#editable.dropGathered('draft');
    await this.#editable.flush();
    const { lanes } = this.#editable.document;
    const isForAll = lanes.every(({ id }) => laneIds.includes(id));
    const chosen = isForAll ? undefined : [...new Set(laneIds)];
    await this.#editable.edit(toDraftEdits(this.#editable.document, this.draft, text, chosen));
  }

  #idle(laneIds: readonly string[]): Lane[] {
    const idle = laneIds.map((id) => this.#lanes.get(id)).filter(({ isBusy }) => !isBusy);
    if (idle.length === 0)
      throw refuse(t('A run is under way in this lane.'), t('Stop it, or wait for its end.'));
    return idle;
  }
}

const NOTHING_TO_SEND = () => refuse(t('There is nothing to send.'), t('Write a message.'));
