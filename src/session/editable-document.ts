// The document of an open playground: parses its text after every change and applies edits to it. If the text cannot be
// parsed, the last valid document stays. Independent of the conversations.
import { t } from '@vscode/l10n';
import type { DocumentEdit, DocumentMessage, PlaygroundDocument, ToolView } from '../protocol';
import { editDocument } from './document/edit-document';
import { findSecrets } from './document/find-secrets';
import { NEW_PLAYGROUND_TEXT, newPlayground } from './document/new-playground';
import { isEmptyText, parseDocument } from './document/parse-document';
import type { DocumentWarning } from './document/parse-document';
import type { DocumentProblem } from './document/place';
import { applyTextEdits } from './document/text-edits';
import type { UndoDirection } from './document/undo-steps';
import { UndoSteps } from './document/undo-steps';
import type { Clock, DocumentBacking, ToolSource } from './ports';
import type { ResolvedTool } from './tools/resolve-tools';
import { resolveTools } from './tools/resolve-tools';

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
  #text: string | undefined;
  /** The last reported state of `readOnly`, `notWritten` and `canUnlock`, to notice changes. */
  #lock: string | undefined;
  /** The last valid document. Empty as long as the text could never be parsed. */
  #document: PlaygroundDocument = { ...newPlayground(), messages: [], tools: [], lanes: [] };
  #error: DocumentProblem | undefined;
  #warnings: readonly DocumentWarning[] = [];
  #secrets: readonly string[] = [];
  #tools: readonly ResolvedTool[] = [];
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

  get error(): DocumentProblem | undefined {
    return this.#error;
  }

  get warnings(): readonly DocumentWarning[] {
    return this.#warnings;
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

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  toolViews(): ToolView[] {
    return this.#tools.map(({ tool, index, reference, problems }) => ({
      index,
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
    const isValid = parseDocument(applyTextEdits(text, [edit])).error === undefined;
    if (isValid && (await backing.apply([edit]))) return 'taken';
    steps.forget();
    return 'none';
  }

  async #applyNow(edits: readonly DocumentEdit[]): Promise<void> {
    const { backing } = this.#services;
    if (backing.readOnly !== undefined) throw new EditRefusedError(backing.readOnly);
    if (this.#error) throw new EditRefusedError(t('The text of the playground cannot be read.'));
    const text = backing.read();
    const edited = editDocument(text, edits);
    if (edited.error !== undefined) throw new EditRefusedError(edited.error);
    if (edited.edits.length === 0) return;
    if (!(await backing.apply(edited.edits))) {
      throw new EditRefusedError(
        t('The editor did not accept the change. Save or revert the file and try again.'),
      );
    }
    // The conversation is not undone: a message that was sent would return to the message box.
    const isStep = edits.some(({ path }) => path[0] !== 'messages');
    this.#steps?.add(isEmptyText(text) ? NEW_PLAYGROUND_TEXT : text, edited.text, isStep);
    if (backing.read() !== this.#text) this.#read();
  }

  #read(): void {
    const text = this.#services.backing.read();
    const lock = JSON.stringify([this.readOnly, this.notWritten, this.canUnlock]);
    const isSame = text === this.#text && lock === this.#lock;
    this.#lock = lock;
    if (isSame) return;
    // The text is the same, but whether it can be changed is different.
    if (text === this.#text) return this.#changed();
    this.#text = text;
    const parsed = parseDocument(text);
    this.#error = parsed.error;
    this.#warnings = parsed.warnings ?? [];
    if (parsed.document) {
      this.#document = parsed.document;
      this.#secrets = findSecrets(parsed.document);
      this.#resolution = this.#resolve();
    }
    this.#changed();
  }

  /** Tools without a reference are known at once. Until the references are resolved, those tools stay as they were. */
  async #resolve(): Promise<void> {
    const turn = ++this.#resolving;
    const { tools } = this.#document;
    this.#tools = toolsAtOnce(tools, this.#tools);
    const resolved = await resolveTools(tools, (reference) => this.#services.tools.resolve(reference));
    if (turn !== this.#resolving) return;
    this.#tools = resolved;
    this.#changed();
  }

  #changed(): void {
    this.#version++;
    this.#services.onChange();
  }
}

function toolsAtOnce(tools: PlaygroundDocument['tools'], known: readonly ResolvedTool[]): ResolvedTool[] {
  return tools.flatMap((entry, index): ResolvedTool[] => {
    if (!('$ref' in entry)) return [{ tool: entry, index, problems: [] }];
    const before = known.find(({ reference }) => reference === entry.$ref);
    return before ? [{ ...before, index, tool: { ...before.tool, offered: entry.offered } }] : [];
  });
}
