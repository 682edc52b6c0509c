// The tools of an open playground that are shown as files: follows each tool through changes of the document, and
// holds the text of its file. Independent of the file system.
import type { DocumentTool, ToolReference } from '../../protocol';
import type { Session } from '../../session';
import type { TrackedTool } from './follow-tools';
import { followTools } from './follow-tools';
import type { ToolEntry } from './tool-text';
import { fileNameOf, nameOf, printTool } from './tool-text';

/** A tool shown as a file. */
export interface ToolView {
  readonly number: number;
  readonly fileName: string;
  readonly tracked: TrackedTool;
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
  /** Text that is being saved. It keeps the user's formatting as long as it has the same meaning as the document. */
  saving: string | undefined;
};

export class ToolViews {
  readonly session: Session;
  readonly #onChange: (changes: readonly ViewChange[]) => void;
  readonly #views = new Set<State>();
  readonly #unsubscribe: () => void;
  #entries: readonly (DocumentTool | ToolReference)[];
  #tools: readonly TrackedTool[];

  constructor(session: Session, onChange: (changes: readonly ViewChange[]) => void) {
    this.session = session;
    this.#onChange = onChange;
    this.#entries = session.editable.document.tools;
    this.#tools = this.#entries.map(track);
    this.#unsubscribe = session.onDidChange(() => this.#follow());
  }

  /**
   * The view of the tool at an index.
   * @param isOpen Whether a view is open in an editor. Such a view is reused, whatever name it was opened under.
   * @returns undefined when there is no such tool.
   */
  open(index: number, isOpen: (view: ToolView) => boolean): ToolView | undefined {
    const tool = this.#tools[index];
    if (!tool) return undefined;
    const fileName = fileNameOf(tool.name);
    for (const view of this.#views) {
      const isOf = view.tracked.index === index;
      if (isOf && (view.fileName === fileName || isOpen(view))) return view;
      if ((isOf || view.tracked.index === undefined) && !isOpen(view)) this.#views.delete(view);
    }
    return this.#add(this.#freeNumber(index), fileName, tool);
  }

  /** The view at a path. A view of an earlier session is restored if its tool can be identified. */
  find(number: number, fileName: string): ToolView | undefined {
    const known = [...this.#views].find((view) => view.number === number);
    if (known) return known.fileName === fileName ? known : undefined;
    const taken = new Set([...this.#views].map(({ tracked }) => tracked.index));
    const isMeant = ({ index, name }: TrackedTool): boolean =>
      fileNameOf(name) === fileName && !taken.has(index);
    const [own] = this.#tools.slice(number, number + 1);
    const tool = own && isMeant(own) ? own : this.#tools.find(isMeant);
    return tool && this.#add(number, fileName, tool);
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

  #add(number: number, fileName: string, tracked: TrackedTool): ToolView {
    const text = this.#print(tracked.index);
    const view = { number, fileName, tracked, text, mtime: Date.now(), saving: undefined };
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
    const { tools } = this.session.editable.document;
    if (tools === this.#entries) return;
    const lost = [...this.#views].filter(({ tracked }) => tracked.index === undefined);
    const before = [...this.#tools, ...lost.map(({ tracked }) => tracked)];
    const after = tools.map(track);
    const found = followTools(before, after);
    this.#entries = tools;
    this.#tools = after;
    const changes = [...this.#views].flatMap((view): ViewChange[] => {
      const { index } = view.tracked;
      const place = found[index ?? before.indexOf(view.tracked)];
      return this.#move(view, place === undefined ? undefined : after[place]);
    });
    if (changes.length > 0) this.#onChange(changes);
  }

  #move(view: State, tool: TrackedTool | undefined): ViewChange[] {
    const { tracked: before } = view;
    if (!tool) {
      view.tracked = { ...before, index: undefined };
      return before.index === undefined ? [] : [{ view, kind: 'deleted' }];
    }
    view.tracked = tool;
    const isSame = tool.json === before.json;
    if (!isSame) this.#setText(view, view.saving ?? this.#print(tool.index));
    if (before.index === undefined) return [{ view, kind: 'created' }];
    return isSame ? [] : [{ view, kind: 'changed' }];
  }

  #setText(view: State, text: string | undefined): void {
    if (view.text === text) return;
    view.text = text;
    view.mtime = Math.max(view.mtime + 1, Date.now());
  }

  #print(index: number | undefined): string | undefined {
    const entry: ToolEntry | undefined = index === undefined ? undefined : this.#entries[index];
    return entry && printTool(entry);
  }
}

const track = (entry: ToolEntry, index: number): TrackedTool => ({
  index,
  name: nameOf(entry),
  json: JSON.stringify(entry),
});
