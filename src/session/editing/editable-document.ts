// The document of an open playground: parses its text after every change and applies edits to it. If the text cannot be
// parsed, the last valid document stays. Independent of the conversations.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type {
  DocumentEdit,
  DocumentMessage,
  DocumentTool,
  PlaygroundDocument,
  ToolReference,
  ToolView,
} from '../../protocol';
import { DocumentSchema } from '../../protocol';
import { editDocument } from '../document/edit-document';
import { ElementIds } from './element-ids';
import type { Marks } from './element-ids';
import { findSecrets } from '../document/find-secrets';
import { parseDocument } from '../document/parse-document';
import type { DocumentTree, DocumentWarning, ParsedDocument } from '../document/parse-document';
import type { DocumentProblem } from '../document/place';
import { applyTextEdits } from '../document/text/text-edits';
import type { UndoDirection } from './undo-steps';
import { UndoSteps } from './undo-steps';
import type { Clock, DocumentBacking, TextEdit, ToolSource } from '../ports';
import type { RefusalError } from '../refusal';
import type { DataRow } from '../rows/data-row';
import type { SentParts } from '../rows/document-filling';
import { DocumentFilling } from '../rows/document-filling';
import type { ResolvedTool } from '../tools/resolve-tools';
import { resolveTools } from '../tools/resolve-tools';
import { isRecord } from '../../library';

/** Debounce of typing, in milliseconds: edits with the same key within this time become one undo step. */
const GATHER_MS = 300;
/** A tool reference that is not resolved within this time counts as missing. */
const RESOLVE_TIMEOUT_MS = 5_000;

export interface DocumentServices {
  backing: DocumentBacking;
  tools: ToolSource;
  clock: Clock;
  onChange: () => void;
}

interface AwaitedDocument {
  after: ParsedDocument;
  /** The edits of the session that lead to it. */
  edits: readonly DocumentEdit[];
}

/** Thrown when an edit cannot be made; the message is one sentence. */
export class EditRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'EditRefusedError';
  }
}

export class EditableDocument {
  readonly #services: DocumentServices;
  readonly #unsubscribe: (() => void)[];
  /** Absent for a file, whose editor has the steps. */
  readonly #steps: UndoSteps | undefined;
  /** The present text. */
  #parsed: ParsedDocument | undefined;
  /** What a change under way leads to, so that its text is not parsed a second time when the backing has it. */
  #awaited: AwaitedDocument | undefined;
  /** The last reported state of `readOnly`, `notWritten` and `canUnlock`, to notice changes. */
  #lock: string | undefined;
  /** The last valid document. Empty as long as the text could never be parsed. */
  #document: PlaygroundDocument = { ...v.parse(DocumentSchema, {}), lanes: [] };
  #secrets: readonly string[] = [];
  #tools: readonly ResolvedTool[] = [];
  readonly #filling = new DocumentFilling();
  readonly #toolIds = new ElementIds();
  readonly #messageIds = new ElementIds();
  readonly #idOfMessage = new WeakMap<DocumentMessage, string>();
  #isFromOutside = true;
  #version = 0;
  /** Runs edits one after the other, because each is based on the text that the one before produced. */
  #queue: Promise<unknown> = Promise.resolve();
  #gathered: { key: string; edits: DocumentEdit[] } | undefined;
  #cancelTimer: (() => void) | undefined;
  #resolving = 0;
  #resolution: Promise<void> = Promise.resolve();

  constructor(services: DocumentServices) {
    this.#services = services;
    this.#steps = services.backing.kind === 'scratch' ? new UndoSteps() : undefined;
    this.#read();
    this.#unsubscribe = [
      services.backing.onDidChange(() => this.#read()),
      services.tools.onDidChange(() => {
        this.#resolution = this.#resolve();
      }),
    ];
  }

  get document(): PlaygroundDocument {
    return this.#document;
  }

  /** Where everything stands in the present text; undefined when that cannot be read. */
  get tree(): DocumentTree | undefined {
    return this.#parsed?.tree;
  }

  get error(): DocumentProblem | undefined {
    return this.#parsed?.error;
  }

  get warnings(): readonly DocumentWarning[] {
    return this.#parsed?.warnings ?? [];
  }

  /** Why the document cannot be changed; undefined when it can. */
  get readOnly(): string | undefined {
    return this.#services.backing.readOnly;
  }

  /** Why changes are made but not saved; undefined when they are saved. */
  get notWritten(): string | undefined {
    return this.#services.backing.notWritten;
  }

  get canUnlock(): boolean {
    return this.#services.backing.unlock !== undefined;
  }

  /** Sentences about places that contain something like a secret. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  get tools(): readonly ResolvedTool[] {
    return this.#tools;
  }

  /** The id of each tool of the document, which it keeps as long as the session is open. */
  get toolIds(): string[] {
    return this.#toolIds.ids;
  }

  /** What an ordinary run sends: with the variables of the chosen row. */
  get sent(): SentParts {
    return this.#filling.fill(this.#document, this.#tools);
  }

  /** Why an ordinary run cannot be sent although an evaluation can: a placeholder has no value. */
  get unfilled(): RefusalError | undefined {
    return this.#filling.findRefusal(this.sent);
  }

  /** Fills ordinary runs with the variables of this row. */
  chooseRow(row: DataRow | undefined): void {
    if (this.#filling.choose(row)) this.#changed();
  }

  /** Whether the present document was made by somebody else, not by an edit of the session. */
  get isFromOutside(): boolean {
    return this.#isFromOutside;
  }

  /** The id of a message of the document, which it keeps as long as the session is open. */
  readonly idOf = (message: DocumentMessage): string => this.#idOfMessage.get(message) ?? '';

  /** Increases with every change. */
  get isWritable(): boolean {
    return this.error === undefined && this.readOnly === undefined;
  }

  get version(): number {
    return this.#version;
  }

  toolViews(): ToolView[] {
    const { toolIds } = this;
    return this.#tools.map(({ tool, index, reference, problems }) => ({
      index,
      id: toolIds[index] ?? '',
      parameterIds: this.#toolIds.listIn(index, 'parameters').ids,
      mockIds: this.#toolIds.listIn(index, 'mocks').ids,
      name: tool.name,
      description: tool.description ?? '',
      parameters: tool.parameters,
      isOffered: tool.offered,
      mocks: tool.mocks,
      ...(reference !== undefined && { reference }),
      problems,
    }));
  }

  /** The messages that are for a lane. */
  messagesOf(laneId: string): DocumentMessage[] {
    return this.#document.messages.filter(({ lanes }) => !lanes || lanes.includes(laneId));
  }

  /** Resolves once all tool references are resolved, or after 5 seconds. */
  async resolved(): Promise<void> {
    let cancelTimer: (() => void) | undefined;
    const limit = new Promise<void>((resolve) => {
      cancelTimer = this.#services.clock.after(RESOLVE_TIMEOUT_MS, resolve);
    });
    await Promise.race([this.#resolution, limit]);
    cancelTimer?.();
  }

  /**
   * @param gather Debounce key: consecutive edits with the same key are made together.
   * @throws EditRefusedError when the result would not be a valid document, or the document cannot be changed
   */
  async edit(edits: readonly DocumentEdit[], gather?: string): Promise<void> {
    if (gather === undefined) {
      await this.flush();
      return this.#apply(edits);
    }
    if (this.#gathered?.key !== gather) await this.flush();
    const paths = new Set(edits.map(({ path }) => JSON.stringify(path)));
    const kept = (this.#gathered?.edits ?? []).filter(({ path }) => !paths.has(JSON.stringify(path)));
    this.#gathered = { key: gather, edits: [...kept, ...edits] };
    this.#cancelTimer?.();
    // Nobody waits for these edits, so a refusal is ignored: the unchanged text shows it.
    this.#cancelTimer = this.#services.clock.after(GATHER_MS, () => void this.flush().catch(() => undefined));
  }

  /** Drops the edits that wait under this debounce key. */
  dropGathered(gather: string): void {
    if (this.#gathered?.key !== gather) return;
    this.#gathered = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Makes the edits that wait. @throws EditRefusedError */
  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const gathered = this.#gathered;
    this.#gathered = undefined;
    if (gathered) await this.#apply(gathered.edits);
    else await this.#queue;
  }

  /**
   * Undoes or redoes one change of a scratch. Edits that wait are made first, because they are the most recent ones; if
   * they are refused, they leave nothing to undo.
   * @returns `none` when there is no such step, `in-editor` when the editor of the file has the steps
   */
  async undoOrRedo(direction: UndoDirection): Promise<'taken' | 'none' | 'in-editor'> {
    await this.flush().catch(() => undefined);
    const steps = this.#steps;
    return steps ? this.#enqueue(() => this.#takeNow(steps, direction)) : 'in-editor';
  }

  /** What was changed so far can no longer be undone. */
  forgetUndoSteps(): void {
    this.#steps?.forget();
  }

  async unlock(): Promise<void> {
    await this.#services.backing.unlock?.();
  }

  dispose(): void {
    this.#cancelTimer?.();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #apply(edits: readonly DocumentEdit[]): Promise<void> {
    return this.#enqueue(() => this.#applyNow(edits));
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #takeNow(steps: UndoSteps, direction: UndoDirection): Promise<'taken' | 'none'> {
    const { backing } = this.#services;
    const text = backing.read();
    const edit = steps.take(direction, text);
    if (!edit) return 'none';
    // What was changed since, and is not undone, may no longer fit to it.
    const after = parseDocument(applyTextEdits(text, [edit]));
    if (!after.error && (await this.#write([edit], { after, edits: [] }))) return 'taken';
    steps.forget();
    return 'none';
  }

  async #applyNow(edits: readonly DocumentEdit[]): Promise<void> {
    const { backing } = this.#services;
    if (backing.readOnly !== undefined) throw new EditRefusedError(backing.readOnly);
    const before = this.#current();
    if (before.error) throw new EditRefusedError(t('The text of the playground cannot be read.'));
    const edited = editDocument(before, edits);
    if (edited.error !== undefined) throw new EditRefusedError(edited.error);
    if (edited.edits.length === 0) return;
    if (!(await this.#write(edited.edits, { after: edited.after, edits }))) {
      throw new EditRefusedError(
        t('The editor did not accept the change. Save or revert the file and try again.'),
      );
    }
    // The conversation is not undone: a message that was sent would return to the message box.
    const isStep = edits.some(({ path }) => path[0] !== 'messages');
    this.#steps?.add(before.tree.text, edited.after.text, isStep);
    if (backing.read() !== this.#parsed?.text) this.#read();
  }

  async #write(edits: readonly TextEdit[], awaited: AwaitedDocument): Promise<boolean> {
    this.#awaited = awaited;
    const isDone = await this.#services.backing.apply(edits);
    this.#awaited = undefined;
    return isDone;
  }

  #current(): ParsedDocument {
    const text = this.#services.backing.read();
    return [this.#parsed, this.#awaited?.after].find((known) => known?.text === text) ?? parseDocument(text);
  }

  #read(): void {
    const parsed = this.#current();
    const lock = JSON.stringify([this.readOnly, this.notWritten, this.canUnlock]);
    const isSame = parsed === this.#parsed && lock === this.#lock;
    this.#lock = lock;
    if (isSame) return;
    // The text is the same, but whether it can be changed is different.
    if (parsed === this.#parsed) return this.#changed();
    this.#parsed = parsed;
    if (parsed.document) {
      this.#document = parsed.document;
      this.#followElements(parsed === this.#awaited?.after ? this.#awaited.edits : []);
      this.#secrets = findSecrets(parsed.document);
      this.#resolution = this.#resolve();
    }
    this.#changed();
  }

  /** Tools without a reference are known at once. Until the references are resolved, those tools stay as they were. */
  async #resolve(): Promise<void> {
    const turn = ++this.#resolving;
    const { tools } = this.#document;
    this.#setTools(toolsAtOnce(tools, this.#tools));
    const resolved = await resolveTools(tools, (reference) => this.#services.tools.resolve(reference));
    if (turn !== this.#resolving) return;
    this.#setTools(resolved);
    this.#changed();
  }

  #setTools(tools: readonly ResolvedTool[]): void {
    this.#tools = tools;
    for (const { index, tool } of tools) {
      const { properties } = tool.parameters;
      const names = isRecord(properties) ? Object.keys(properties) : [];
      this.#toolIds.listIn(index, 'parameters').follow(names.map((name): Marks => [name]));
      this.#toolIds.listIn(index, 'mocks').follow(tool.mocks.map((mock): Marks => [JSON.stringify(mock)]));
    }
  }

  /** @param edits Those of the session that have led to the present document. */
  #followElements(edits: readonly DocumentEdit[]): void {
    for (const {
      path: [list, ...path],
      ...change
    } of edits) {
      if (list === 'tools') this.#toolIds.carry({ path, ...change });
      if (list === 'messages') this.#messageIds.carry({ path, ...change });
    }
    this.#isFromOutside = edits.length === 0;
    const { messages } = this.#document;
    this.#messageIds.follow(messages.map(({ role, content }): Marks => [`${role} ${content}`]));
    for (const [at, id] of this.#messageIds.ids.entries()) {
      const message = messages[at];
      if (message) this.#idOfMessage.set(message, id);
    }
    this.#toolIds.follow(this.#document.tools.map(toMarks));
  }

  #changed(): void {
    this.#version++;
    this.#services.onChange();
  }
}

const toMarks = (entry: DocumentTool | ToolReference): Marks => [
  JSON.stringify(entry),
  '$ref' in entry ? entry.$ref : entry.name,
];

function toolsAtOnce(tools: PlaygroundDocument['tools'], known: readonly ResolvedTool[]): ResolvedTool[] {
  return tools.flatMap((entry, index): ResolvedTool[] => {
    if (!('$ref' in entry)) return [{ tool: entry, index, problems: [] }];
    const before = known.find(({ reference }) => reference === entry.$ref);
    return before ? [{ ...before, index, tool: { ...before.tool, offered: entry.offered } }] : [];
  });
}
