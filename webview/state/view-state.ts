// The view state of the panel: what is shown, what is open, what is being typed. Validated by hand when it is read
// back, bounded when it is saved. Contains no conversation, no outcome and no setting of a lane.
import type { InspectorTab } from '../../src/types';
import { isRecord } from '../../src/protocol';

export const VIEW_VERSION = 2;
/**
 * Maximum length of all saved texts together, in characters. A text that does not fit is not saved at all, because the
 * part of it that was saved would later be sent as the whole.
 */
const MAX_TYPED = 2_000_000;
const MAX_KEPT = 50;

/** The selected reply; with neither a call nor a span, the reply as a whole. */
export interface Selection {
  laneId: string;
  runId: string;
  /** Index of a call of the reply. */
  callIndex?: number | undefined;
  /** Number of a span in its text that is not one of its calls. */
  spanNumber?: number | undefined;
}

/** A sent message that is being edited. */
export interface MessageEdit {
  laneId: string;
  entryId: string;
  text: string;
}

/** A result that is being written; it is kept when the editor is closed. */
export interface ResultDraft {
  content: string;
  /** Whether the person has set it to be an error; absent: not chosen. */
  isError?: boolean | undefined;
  isOpen: boolean;
  /** Whether it is still as the editor has opened. */
  isUntouched?: boolean | undefined;
}
export type ResultDrafts = Readonly<Record<string, ResultDraft>>;

export interface ViewState {
  /** Id of the current view. */
  readonly view: string;
  /** The current lane; '' until one is chosen. */
  readonly laneId: string;
  /** Lane that the message box sends to; '' for all of them. */
  readonly target: string;
  readonly tab: InspectorTab;
  readonly selection?: Selection | undefined;
  /** In pixels; if absent, the style sheet decides. */
  readonly inspectorWidth?: number | undefined;
  /** Whether the inspector is shown; if absent, the width of the panel decides. */
  readonly isInspectorOpen?: boolean | undefined;
  /** Whether replies are drawn as the Markdown that they mean, instead of as they were sent. */
  readonly isRendered: boolean;
  readonly isPromptOpen: boolean;
  /** Ids of the lanes whose settings are open. */
  readonly openSettings: readonly string[];
  /** Text of the message box; absent when it shows the document's draft. */
  readonly draft?: string | undefined;
  readonly edit?: MessageEdit | undefined;
  /** By the id of the run, then by the index of the call. */
  readonly results: ReadonlyMap<string, ResultDrafts>;
  /** Typed texts by field key, kept until the document has them. */
  readonly fields: ReadonlyMap<string, string>;
  /**
   * The document's value of a field, or its draft, at the time of typing. As long as the document still has that
   * value, the typed text is newer.
   */
  readonly typedOver: ReadonlyMap<string, string>;
  /** Messages before the next step of a paused agent run, by lane. */
  readonly stepTexts: ReadonlyMap<string, string>;
  /** Id of the shown tool. */
  readonly toolId?: string | undefined;
}

/** Key of the message box among the typed texts. */
export const MESSAGE_KEY = 'message';

const TABS: readonly InspectorTab[] = ['reply', 'tool-calls', 'rescue', 'attempts', 'wire'];

export const isInspectorTab = (value: unknown): value is InspectorTab =>
  TABS.some((known) => known === value);

export const initialView = (): ViewState => ({
  view: 'chat',
  laneId: '',
  target: '',
  tab: 'reply',
  isRendered: false,
  isPromptOpen: false,
  openSettings: [],
  results: new Map(),
  fields: new Map(),
  typedOver: new Map(),
  stepTexts: new Map(),
});

/** @returns the saved view state; the initial one if another version saved it. Damaged parts are left out. */
export function restoreView(stored: unknown): ViewState {
  const initial = initialView();
  if (!isRecord(stored) || stored['version'] !== VIEW_VERSION) return initial;
  const { view, laneId, target, tab, isPromptOpen, openSettings } = stored;
  return {
    view: isText(view) ? view : initial.view,
    laneId: isText(laneId) ? laneId : '',
    target: isText(target) ? target : '',
    tab: isInspectorTab(tab) ? tab : initial.tab,
    selection: readSelection(stored['selection']),
    inspectorWidth: readSize(stored['inspectorWidth']),
    isInspectorOpen: readSwitch(stored['isInspectorOpen']),
    isRendered: stored['isRendered'] === true,
    isPromptOpen: isPromptOpen === true,
    openSettings: Array.isArray(openSettings) ? openSettings.filter(isText).slice(0, MAX_KEPT) : [],
    draft: readText(stored['draft']),
    edit: readEdit(stored['edit']),
    results: new Map(readPairs(stored['results'], readDrafts)),
    fields: new Map(readPairs(stored['fields'], readText)),
    typedOver: new Map(readPairs(stored['typedOver'], readText)),
    stepTexts: new Map(readPairs(stored['stepTexts'], readText)),
    toolId: readText(stored['toolId']),
  };
}

/** A copy that is small enough to be saved with every change. */
export function toStoredView(view: ViewState): Record<string, unknown> {
  const { results, fields, typedOver, stepTexts, draft, edit, ...rest } = view;
  let left = MAX_TYPED;
  const fits = (text: string): boolean => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  };
  // First what nothing else keeps; the draft and the fields are in the document, too.
  return {
    ...rest,
    version: VIEW_VERSION,
    edit: edit && fits(edit.text) ? edit : undefined,
    results: latest(results, (drafts) => boundDrafts(drafts, fits)),
    stepTexts: latestTexts(stepTexts, fits),
    draft: draft !== undefined && fits(draft) ? draft : undefined,
    fields: latestTexts(fields, fits),
    typedOver: latestTexts(typedOver, fits),
  };
}

export function withResultDraft(
  view: ViewState,
  { runId, index }: { runId: string; index: number },
  draft: ResultDraft | undefined,
): ViewState {
  const { [index]: _before, ...others } = view.results.get(runId) ?? {};
  return {
    ...view,
    results: withPair(
      view.results,
      runId,
      draft ? { ...others, [index]: draft } : isEmpty(others) ? undefined : others,
    ),
  };
}

/** The text that was typed in a field or in the message box. */
export const typedText = ({ draft, fields }: ViewState, key: string): string | undefined =>
  key === MESSAGE_KEY ? draft : fields.get(key);

export const withTypedText = (view: ViewState, key: string, text: string | undefined): ViewState =>
  key === MESSAGE_KEY ? { ...view, draft: text } : { ...view, fields: withPair(view.fields, key, text) };

/** Keys of everything typed. */
export const typedKeys = ({ draft, fields }: ViewState): string[] =>
  draft === undefined ? [...fields.keys()] : [MESSAGE_KEY, ...fields.keys()];

/** Returns a copy with the pair set, or without it if the value is undefined. */
export function withPair<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  const next = new Map(map);
  // The latest pairs come last, because only those are saved.
  next.delete(key);
  if (value !== undefined) next.set(key, value);
  return next;
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

type Fits = (text: string) => boolean;

/** The latest pairs, with their values bounded; pairs whose value becomes undefined are left out. */
function latest<Value>(
  map: ReadonlyMap<string, Value>,
  bound: (value: Value) => unknown,
): [key: string, value: unknown][] {
  return [...map]
    .slice(-MAX_KEPT)
    .toReversed()
    .map(([key, value]): [string, unknown] => [key, bound(value)])
    .filter(([, value]) => value !== undefined)
    .toReversed();
}

const latestTexts = (texts: ReadonlyMap<string, string>, fits: Fits): [key: string, value: unknown][] =>
  latest(texts, (text) => (fits(text) ? text : undefined));

const boundDrafts = (drafts: ResultDrafts, fits: Fits): unknown[] =>
  Object.entries(drafts)
    .slice(-MAX_KEPT)
    .filter(([, { content }]) => fits(content));

const isText = (value: unknown): value is string => typeof value === 'string';
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const readText = (value: unknown): string | undefined => (isText(value) ? value : undefined);

const readSwitch = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function readSize(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

function readSelection(stored: unknown): Selection | undefined {
  if (!isRecord(stored)) return undefined;
  const { laneId, runId, callIndex, spanNumber } = stored;
  if (!isText(laneId) || !isText(runId)) return undefined;
  return {
    laneId,
    runId,
    callIndex: isIndex(callIndex) ? callIndex : undefined,
    spanNumber: isIndex(spanNumber) ? spanNumber : undefined,
  };
}

function readEdit(stored: unknown): MessageEdit | undefined {
  if (!isRecord(stored)) return undefined;
  const { laneId, entryId, text } = stored;
  return isText(laneId) && isText(entryId) && isText(text) ? { laneId, entryId, text } : undefined;
}

/** Reads an array of pairs. An object would not do: a key may be any text, and objects have keys of their own. */
function readPairs<Value>(
  stored: unknown,
  read: (value: unknown) => Value | undefined,
): [key: string, value: Value][] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(-MAX_KEPT).flatMap((pair: unknown) => {
    const [key, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
    const known = read(value);
    return isText(key) && known !== undefined ? [[key, known] as [string, Value]] : [];
  });
}

function readDrafts(stored: unknown): ResultDrafts | undefined {
  const pairs = readPairs(stored, readDraft).filter(([index]) => /^\d{1,4}$/.test(index));
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

function readDraft(stored: unknown): ResultDraft | undefined {
  if (!isRecord(stored)) return undefined;
  const { content, isError, isOpen, isUntouched } = stored;
  if (!isText(content)) return undefined;
  return {
    content,
    isOpen: isOpen === true,
    ...(typeof isError === 'boolean' && { isError }),
    ...(isUntouched === true && { isUntouched }),
  };
}
