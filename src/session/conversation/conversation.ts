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
import {
  findCleared,
  toClearEdits,
  toCutEdits,
  toDraftEdits,
  toInsertEdits,
  toRestoreEdits,
} from '../editing/message-edits';
import { firstAnswer, goesOn } from './next-run';
import { hasQuestion, isAsked, toMessage } from './pending-messages';
import { SentMessages } from './sent-messages';
import { UserInput } from './user-input';
import { appendLine } from '../journal/journal-lines';
import type { Journal } from '../ports';
import { refuse } from '../refusal';
import type { Cleared } from '../journal/restore';
import type { AgentServices } from '../run/agent-run';
import { lostRecord, readRecord } from '../run/record/run-record';
import { bodyKey } from '../journal/run-lines';
import type { Item, RunItem } from './transcript';
import { callsOf, isAnswered, toMessages } from './transcript';

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
  #cleared: Cleared | undefined;
  #isClosed = false;

  constructor(
    editable: EditableDocument,
    services: AgentServices,
    journal: Journal,
    lanes: {
      all: Lanes;
      /** What was cleared last and can be restored. */
      cleared: Cleared | undefined;
      /** Where a lane stands now. */
      standing: (lane: Lane) => Promise<LaneStanding & { lane: Lane }>;
    },
  ) {
    this.#editable = editable;
    this.#services = services;
    this.#journal = journal;
    this.#sent = new SentMessages(editable, lanes.all);
    this.#lanes = lanes.all;
    this.#cleared = lanes.cleared;
    this.#standing = lanes.standing;
  }

  get canRestore(): boolean {
    return this.#cleared !== undefined;
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
    const edits = this.#isWritable() ? toDraftEdits(this.#editable.document, this.draft, text) : [];
    if (edits.length > 0) await this.#editable.edit(edits, 'draft');
  }

  /** Brings the lanes to what the document says now, as `run/start` describes. Resolves when that has begun. */
  async start(laneIds: readonly string[], text: string | undefined, options: WorkOptions): Promise<void> {
    checkSendable(this.#editable);
    checkText(text);
    const idle = this.#idle(laneIds);
    const hasText = text !== undefined && text.trim() !== '';
    // If the document cannot be changed, the text is only added to the conversations.
    const ownMessage = hasText && !this.#isWritable() ? text : undefined;
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
    for (const { lane, next } of usable.length > 0 ? usable : found) {
      if (hasText && draft) this.#sent.begin(lane.id, draft);
      if (next === 'again' && !isAny) this.#beginAgain(lane, options, heldDraft);
      else this.#begin(lane, options, (work) => work.proceed({ ownMessage, heldDraft }));
    }
  }

  /** Asks the last question of a lane again, in the way it was asked. */
  #beginAgain(lane: Lane, options: WorkOptions, heldDraft: DocumentMessage | undefined): void {
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
    for (const lane of lanes) {
      const [first] = lane.items;
      if (first) lane.cutFrom(first.id);
      this.#begin(lane, options, (work) => work.sendPending());
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
    const isReplaced = all.length === 0 && last?.kind === 'run' && !isAnswered(last);
    const kept = lane.items.slice(0, from ? lane.items.indexOf(from) : isReplaced ? -1 : undefined);
    const pending = from?.kind === 'message' ? this.#sent.pendingAfter(laneId, kept) : all;
    const question = pending.findIndex((_message, index) => isAsked(pending, index));
    const sent = question < 0 ? pending : pending.slice(0, question + 1);
    const items = sent.map((message): Item => ({ kind: 'message', id: '', message: toMessage(message) }));
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
    if (!this.#isWritable() || place === undefined) return;
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
    const isWritten = place !== undefined && this.#isWritable();
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
    lane.cutFrom(run.id);
    this.#begin(lane, { kind: run.step ? 'agent' : 'chat' }, (work) => work.ask());
  }

  /** Sets a result by hand. If it was the last one that a reply waits for, a chat continues. */
  async giveResult(
    laneId: string,
    runId: string,
    callIndex: number,
    { content, isError }: { content: string; isError: boolean },
  ): Promise<void> {
    const lane = this.#lanes.get(laneId);
    if (this.#userInput.answer(runId, callIndex, { content, isError, source: 'given' })) return;
    const isPaused = this.#userInput.isPaused(laneId);
    if (lane.isBusy && !isPaused) throw refuse(t('A run is under way in this lane.'), t('Stop it first.'));
    const item = lane.findRun(runId);
    if (!item || !callsOf(item)[callIndex]) throw refuse(t('The call no longer exists.'), t('Run again.'));
    const before = item.results.get(callIndex);
    const isEdited = before !== undefined && before.source !== 'given';
    lane.setResult(runId, callIndex, { content, isError, source: 'given', ...(isEdited && { isEdited }) });
    const last = lane.items.at(-1);
    if (isPaused || last?.kind !== 'run' || last.id !== runId || !isAnswered(last)) return;
    // A changed result is not sent automatically.
    if (before) return;
    await this.#ready();
    this.#begin(lane, { kind: 'chat' }, (work) => work.ask());
  }

  async clear(laneIds: readonly string[] | undefined): Promise<void> {
    const ids = laneIds ?? this.#lanes.open.map(({ id }) => id);
    const lanes = [...new Set(ids.map((id) => this.#lanes.get(id)))];
    this.stop(ids);
    // Runs in progress first end in the conversation that they belong to.
    await Promise.all(ids.flatMap((id) => this.#running.get(id) ?? []));
    const { draft } = this;
    const remaining = this.#lanes.open.filter((lane) => !lanes.includes(lane) && lane.items.length > 0);
    const isKept = remaining.length > 0 || !this.#isWritable();
    const messages = isKept ? [] : findCleared(this.#editable.document, draft);
    // If nothing is cleared now, what was cleared before can still be restored.
    if (messages.length > 0 || lanes.some(({ items }) => items.length > 0)) {
      this.#cleared = { lanes: new Map(lanes.map((lane) => [lane.id, [...lane.items]])), messages };
      appendLine(this.#journal, { kind: 'clear', lanes: lanes.map(({ id }) => id), messages });
      for (const lane of lanes) lane.replaceItems([]);
      this.#sent.findDraft();
    }
    const edits = toClearEdits(this.#editable.document, messages);
    if (edits.length > 0) await this.#editable.edit(edits);
    this.#editable.forgetUndoSteps();
  }

  async restore(): Promise<void> {
    const cleared = this.#cleared;
    if (!cleared) return;
    await this.#editable.flush();
    this.#cleared = undefined;
    appendLine(this.#journal, { kind: 'restore' });
    const { lanes, messages } = cleared;
    for (const [id, items] of lanes) this.#lanes.findAny(id)?.replaceItems(items);
    const edits = this.#isWritable() ? toRestoreEdits(this.#editable.document, messages) : [];
    this.#sent.linkAfterEdit();
    if (edits.length > 0) await this.#editable.edit(edits);
    else this.#sent.followDocument();
  }

  /** Drops what was cleared once something new begins in one of its lanes, so that restoring cannot overwrite that. */
  #forgetCleared(laneId: string): void {
    if (!this.#cleared?.lanes.has(laneId)) return;
    this.#cleared = undefined;
    appendLine(this.#journal, { kind: 'forget' });
  }

  /** Loads the records of these runs from the store. */
  async load(lane: Lane, items: readonly Item[]): Promise<void> {
    const stored = items.filter((item): item is RunItem => item.kind === 'run' && item.isStored === true);
    for (const { id, record } of stored) {
      if (record) continue;
      const found = readRecord(await this.#journal.readBody(bodyKey(id)));
      lane.fillRecord(id, found ?? lostRecord(id));
    }
  }

  /** Waits until the document and the tools are as they are shown, because that is what is sent. @throws RefusalError */
  async #ready(): Promise<void> {
    await this.#editable.resolved();
    checkSendable(this.#editable);
  }

  #begin(lane: Lane, options: WorkOptions, begin: (work: LaneWork) => Promise<unknown>): void {
    const controller = new AbortController();
    const config = this.#editable.document.lanes.find(({ id }) => id === lane.id);
    if (!config || lane.isBusy || this.#isClosed) return;
    const { now } = this.#services.clock;
    lane.controller = controller;
    this.#forgetCleared(lane.id);
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

  #isWritable(): boolean {
    return this.#editable.error === undefined && this.#editable.readOnly === undefined;
  }
}

const NOTHING_TO_SEND = () => refuse(t('There is nothing to send.'), t('Write a message.'));
