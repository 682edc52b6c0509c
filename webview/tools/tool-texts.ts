// Sends texts and actions of the view *Tools* to the document. A text is kept as typed until its field loses the
// focus; one that does not parse stays with its problem and is not sent. Texts follow their tool, parameter or
// mock when the list around it changes. Does not touch the DOM.
import type { DocumentEdit, DocumentSnapshot, ToolView } from '../../src/protocol';
import type { Playground } from '../playground';
import { withPair } from '../view-state';
import { followPlaces } from './follow-places';
import type { ToolScene } from './tool-edits';
import { fieldEdits, toolScene } from './tool-edits';
import type { ToolPlace } from './tool-fields';
import { parseField, showField, toDraft, toolKey, toolPlace } from './tool-fields';

const QUIET_MS = 250;

type Places = (key: string) => string | undefined;

const known = new WeakMap<Playground, ToolTexts>();

/** One instance for each panel. */
export function toolTextsOf(playground: Playground): ToolTexts {
  const texts = known.get(playground) ?? new ToolTexts(playground);
  known.set(playground, texts);
  return texts;
}

/** Index of the shown tool: the chosen one, or the last one if that no longer exists. */
export function selectedIndex(toolIndex: number | undefined, count: number): number {
  return Math.max(Math.min(toolIndex ?? 0, count - 1), 0);
}

export class ToolTexts {
  readonly #playground: Playground;
  #document: DocumentSnapshot | undefined;
  #focused: string | undefined;
  /** Fields whose latest text has not been sent. */
  #unsent = new Set<string>();
  /** Fields whose text was sent while it was typed. The host batches such edits, so they may not be applied yet. */
  #gathered = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Edits under way. Their keys are updated when their fields move. */
  readonly #sending = new Set<{ key: string | undefined }>();
  /** Queue of edits: each one starts from the result of the previous one. */
  #work: Promise<unknown> = Promise.resolve();
  #isNewAwaited = false;

  constructor(playground: Playground) {
    this.#playground = playground;
    this.#document = playground.state.session.document;
    playground.subscribe(() => this.#follow());
    playground.addHolder(this);
  }

  type(place: ToolPlace, text: string): void {
    const key = toolKey(place);
    if (this.#focused !== key) this.#sendAll();
    this.#focused = key;
    this.#unsent.add(key);
    this.#playground.changeView((view) => ({ ...view, fields: withPair(view.fields, key, text) }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendWhileTyped(), QUIET_MS);
  }

  leave(place: ToolPlace): void {
    this.#focused = undefined;
    this.#sendAll();
    this.#dropStored(toolKey(place));
  }

  /** Resolves when everything typed so far is in the document or was refused. */
  async flush(): Promise<void> {
    this.#sendAll();
    await this.#work;
  }

  release(): void {
    this.#focused = undefined;
  }

  /** Runs an action other than typing; pending texts are sent first. @returns whether it succeeded */
  act(index: number, toEdits: (scene: ToolScene) => readonly DocumentEdit[]): Promise<boolean> {
    this.#sendAll();
    return this.#queue(async () => {
      const scene = this.#sceneOf(index);
      const edits = scene ? toEdits(scene) : [];
      return edits.length > 0 && this.#playground.edit(edits);
    });
  }

  /** The same for an action that creates a tool, which is selected as soon as it exists. */
  async make(work: () => Promise<boolean>): Promise<boolean> {
    this.#isNewAwaited = true;
    await this.flush();
    const isMade = await work();
    if (!isMade) this.#isNewAwaited = false;
    return isMade;
  }

  #sceneOf(index: number): ToolScene | undefined {
    const { session, view } = this.#playground.state;
    return toolScene(session.document, index, view.fields);
  }

  #sendWhileTyped(): void {
    const keys = [...this.#unsent];
    this.#unsent.clear();
    for (const key of keys) {
      this.#gathered.add(key);
      this.#send(key, key);
    }
  }

  /** Sends all pending texts without batching, so that a refusal is reported. */
  #sendAll(): void {
    clearTimeout(this.#timer);
    const keys = new Set([...this.#gathered, ...this.#unsent]);
    this.#unsent.clear();
    this.#gathered.clear();
    for (const key of keys) this.#send(key);
  }

  #send(key: string, gather?: string): void {
    const sending = { key };
    this.#sending.add(sending);
    void this.#queue(() => this.#sendNow(sending, gather)).finally(() => {
      this.#sending.delete(sending);
      if (sending.key !== undefined) this.#dropStored(sending.key);
    });
  }

  /** Drops the typed text of a field without focus once the document has the same value. */
  #dropStored(key: string): void {
    const { fields } = this.#playground.state.view;
    const text = fields.get(key);
    if (text === undefined || this.#isUnderWay(key)) return;
    if (this.#isStored(key, text)) this.#playground.setView({ fields: withPair(fields, key, undefined) });
  }

  async #sendNow({ key }: { key: string | undefined }, gather?: string): Promise<boolean> {
    const place = key === undefined ? undefined : toolPlace(key);
    const scene = place && this.#sceneOf(place.tool);
    const text = this.#playground.state.view.fields.get(key ?? '');
    if (!scene || !place || text === undefined) return false;
    const draft = toDraft(scene.tool);
    if (showField(draft, place) === undefined) return false;
    if (parseField(draft, place, text).problem !== undefined) return false;
    return this.#playground.edit(fieldEdits(scene, place), gather);
  }

  #queue(work: () => Promise<boolean>): Promise<boolean> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Moves texts and the selection along with the elements of the changed document. */
  #follow(): void {
    const { document } = this.#playground.state.session;
    const before = this.#document;
    if (!document || document === before) return;
    this.#document = document;
    const tools = followPlaces(namesOf(before?.tools ?? document.tools), namesOf(document.tools));
    const newKey: Places = (key) => followKey(key, before ?? document, document, tools);
    const { view } = this.#playground.state;
    const followed = [...view.fields].flatMap(([key, text]): [string, string][] => {
      const next = toolPlace(key) ? newKey(key) : key;
      return next === undefined ? [] : [[next, text]];
    });
    this.#renameAll(newKey);
    const fields = followed.filter(([key, text]) => !toolPlace(key) || this.#isNeeded(key, text));
    const toolIndex = this.#nextSelection(tools, document.tools.length);
    if (toolIndex === view.toolIndex && isSame(fields, [...view.fields])) return;
    this.#playground.setView({ fields: new Map(fields), toolIndex });
  }

  #renameAll(newKey: Places): void {
    if (this.#focused !== undefined) this.#focused = newKey(this.#focused);
    this.#unsent = new Set([...this.#unsent].flatMap((key) => newKey(key) ?? []));
    this.#gathered = new Set([...this.#gathered].flatMap((key) => newKey(key) ?? []));
    for (const sending of this.#sending) {
      sending.key = sending.key === undefined ? undefined : newKey(sending.key);
    }
  }

  #nextSelection(tools: readonly (number | undefined)[], count: number): number {
    const added = Array.from({ length: count }, (_none, at) => at).filter((at) => !tools.includes(at));
    const last = added.at(-1);
    if (this.#isNewAwaited && last !== undefined) {
      this.#isNewAwaited = false;
      return last;
    }
    const { toolIndex = 0 } = this.#playground.state.view;
    // Selected before the document has it, such as a new tool.
    if (toolIndex >= tools.length) return selectedIndex(toolIndex, count);
    return selectedIndex(tools[toolIndex] ?? toolIndex, count);
  }

  #isNeeded(key: string, text: string): boolean {
    const place = toolPlace(key);
    const tool = place && this.#document?.tools[place.tool];
    if (!place || !tool) return false;
    const draft = toDraft(tool);
    if (showField(draft, place) === undefined) return false;
    return this.#isUnderWay(key) || parseField(draft, place, text).problem !== undefined;
  }

  /** Whether the field has the focus or its text may not be in the document yet. */
  #isUnderWay(key: string): boolean {
    if (this.#focused === key || this.#unsent.has(key) || this.#gathered.has(key)) return true;
    return [...this.#sending].some((sending) => sending.key === key);
  }

  /** Whether the document has an equal value, perhaps formatted differently. */
  #isStored(key: string, text: string): boolean {
    const place = toolPlace(key);
    const tool = place && this.#document?.tools[place.tool];
    if (!place || !tool) return true;
    const draft = toDraft(tool);
    const shown = showField(draft, place);
    if (shown === undefined) return true;
    const [typed, stored] = [parseField(draft, place, text), parseField(draft, place, shown)];
    return typed.problem === undefined && JSON.stringify(typed.value) === JSON.stringify(stored.value);
  }
}

function followKey(
  key: string,
  before: DocumentSnapshot,
  after: DocumentSnapshot,
  tools: readonly (number | undefined)[],
): string | undefined {
  const place = toolPlace(key);
  const index = place && tools[place.tool];
  const [old, next] = [before.tools[place?.tool ?? -1], after.tools[index ?? -1]];
  if (!place || index === undefined || !old || !next) return undefined;
  if (place.list === undefined) return toolKey({ ...place, tool: index });
  const elements = place.list === 'mocks' ? mocksOf : rowNamesOf;
  const at = followPlaces(elements(old), elements(next))[place.at];
  return at === undefined ? undefined : toolKey({ ...place, tool: index, at });
}

const namesOf = (tools: readonly ToolView[]): string[] => tools.map(({ name }) => name);
const mocksOf = ({ mocks }: ToolView): string[] => mocks.map((mock) => JSON.stringify(mock));
const rowNamesOf = (tool: ToolView): string[] => (toDraft(tool).rows ?? []).map(({ name }) => name);

const isSame = (one: readonly [string, string][], other: readonly [string, string][]): boolean =>
  one.length === other.length &&
  one.every(([key, text], at) => key === other[at]?.[0] && text === other[at]?.[1]);
