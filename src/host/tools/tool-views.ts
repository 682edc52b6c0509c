// The tools of an open playground that are shown as files: follows each tool through changes of the document, and
// holds the text of its file. Independent of the file system.
import type { Session } from '../../session';
import type { ToolEntry } from './tool-text';
import { fileNameOf, nameOf, printTool } from './tool-text';

/** A tool shown as a file. */
export interface ToolView {
  readonly number: number;
  readonly fileName: string;
  /** Index of the tool in the document; undefined once it is gone from there. It may come back. */
  readonly index: number | undefined;
  /** Undefined when it is too large. */
  readonly text: string | undefined;
  /** Differs between any two texts. */
  readonly mtime: number;
}

export interface ViewChange {
  view: ToolView;
  kind: 'changed' | 'deleted' | 'created';
}

type State = { -readonly [Key in keyof ToolView]: ToolView[Key] } & {
  readonly toolId: string;
  /** The tool as JSON. */
  json: string;
  /** Text that is being saved. It keeps the user's formatting as long as it has the same meaning as the document. */
  saving: string | undefined;
};

export class ToolViews {
  readonly session: Session;
  readonly #onChange: (changes: readonly ViewChange[]) => void;
  readonly #views = new Set<State>();
  readonly #unsubscribe: () => void;
  #entries: readonly ToolEntry[];

  constructor(session: Session, onChange: (changes: readonly ViewChange[]) => void) {
    this.session = session;
    this.#onChange = onChange;
    this.#entries = session.editable.document.tools;
    this.#unsubscribe = session.onDidChange(() => this.#follow());
  }

  /**
   * The view of the tool at an index.
   * @param isOpen Whether a view is open in an editor. Such a view is reused, whatever name it was opened under.
   * @returns undefined when there is no such tool.
   */
  open(index: number, isOpen: (view: ToolView) => boolean): ToolView | undefined {
    const entry = this.#entries[index];
    if (!entry) return undefined;
    const fileName = fileNameOf(nameOf(entry));
    for (const view of this.#views) {
      const isOf = view.index === index;
      if (isOf && (view.fileName === fileName || isOpen(view))) return view;
      if ((isOf || view.index === undefined) && !isOpen(view)) this.#views.delete(view);
    }
    return this.#add(this.#freeNumber(index), fileName, index);
  }

  /** The view at a path. A view of an earlier session is restored if its tool can be identified. */
  find(number: number, fileName: string): ToolView | undefined {
    const known = [...this.#views].find((view) => view.number === number);
    if (known) return known.fileName === fileName ? known : undefined;
    const taken = new Set([...this.#views].map(({ index }) => index));
    const isMeant = (entry: ToolEntry | undefined, index: number): boolean =>
      entry !== undefined && fileNameOf(nameOf(entry)) === fileName && !taken.has(index);
    const index = isMeant(this.#entries[number], number) ? number : this.#entries.findIndex(isMeant);
    return index < 0 ? undefined : this.#add(number, fileName, index);
  }

  /** Saves the text of a view by calling `write`; the view keeps this text as the user wrote it. */
  async save(view: ToolView, text: string, write: () => Promise<void>): Promise<void> {
    const state = [...this.#views].find((each) => each === view);
    if (!state) return write();
    state.saving = text;
    try {
      await write();
      this.#setText(state, text);
    } finally {
      state.saving = undefined;
    }
  }

  dispose(): readonly ToolView[] {
    this.#unsubscribe();
    return [...this.#views];
  }

  #add(number: number, fileName: string, index: number): ToolView {
    const toolId = this.session.editable.toolIds[index] ?? '';
    const [text, json] = [this.#print(index), this.#jsonOf(index)];
    const view = { number, fileName, index, toolId, json, text, mtime: Date.now(), saving: undefined };
    this.#views.add(view);
    return view;
  }

  #freeNumber(index: number): number {
    const taken = new Set([...this.#views].map(({ number }) => number));
    let number = index;
    while (taken.has(number)) number++;
    return number;
  }

  #follow(): void {
    const { document, toolIds } = this.session.editable;
    if (document.tools === this.#entries) return;
    this.#entries = document.tools;
    const changes = [...this.#views].flatMap((view) => this.#move(view, toolIds.indexOf(view.toolId)));
    if (changes.length > 0) this.#onChange(changes);
  }

  /** @param index -1 for a tool that is gone. */
  #move(view: State, index: number): ViewChange[] {
    const before = view.index;
    view.index = index < 0 ? undefined : index;
    if (index < 0) return before === undefined ? [] : [{ view, kind: 'deleted' }];
    const json = this.#jsonOf(index);
    const isSame = json === view.json;
    view.json = json;
    if (!isSame) this.#setText(view, view.saving ?? this.#print(index));
    if (before === undefined) return [{ view, kind: 'created' }];
    return isSame ? [] : [{ view, kind: 'changed' }];
  }

  #setText(view: State, text: string | undefined): void {
    if (view.text === text) return;
    view.text = text;
    view.mtime = Math.max(view.mtime + 1, Date.now());
  }

  #print(index: number): string | undefined {
    const entry = this.#entries[index];
    return entry && printTool(entry);
  }

  #jsonOf(index: number): string {
    return JSON.stringify(this.#entries[index]);
  }
}
