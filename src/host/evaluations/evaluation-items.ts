// The tree of the Test Explorer: playgrounds that expect something, their lanes, and the rows of these. Runs nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import type { Session } from '../../session';
import { loadEngine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';
import type { OpenFile, OpenPlayground } from './open-playground';

const PATTERN = '**/*.playground.json';
const LEFT_OUT = '**/node_modules/**';
const MAX_FILES = 1_000;
/** Rows of a file that have an item: VS Code becomes slow with more. Of more rows, half of these are kept for such that fail. */
const MAX_ROWS = 1_000;

type Setting = NonNullable<Awaited<ReturnType<Session['evaluation']['read']>>['setting']>;
type Row = Setting['rows'][number];
type Lane = Setting['lanes'][number];

/** What an item stands for. One without a row is all cases of its lane that have no item of their own. */
export interface ItemPlace {
  uri: vscode.Uri;
  laneId?: string;
  rowId?: string;
  /** Whether requests of its lane may cost something. */
  isHosted?: boolean;
}

/** The chosen cases of a file. */
export interface ChosenFile {
  uri: vscode.Uri;
  /** By `caseKey`. */
  cases: Map<string, vscode.TestItem>;
}

/** What was read of a file with items. */
interface FileState {
  setting: Setting;
  /** Where its rows are written. */
  rowsUri: vscode.Uri;
  /** By `caseKey`: rows beyond those that always have an item. */
  added: Set<string>;
  isHosted: (lane: Lane) => boolean;
}

/** What an item is made of. */
interface ItemSource {
  id: string;
  label: string;
  uri: vscode.Uri;
  place: ItemPlace;
  line: number | undefined;
  tags: readonly string[];
}

export const caseKey = (rowId: string, laneId: string): string => `${rowId}\n${laneId}`;

export class EvaluationItems implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #open: OpenFile;
  readonly #places = new WeakMap<vscode.TestItem, ItemPlace>();
  /** By URI. */
  readonly #files = new Map<string, FileState>();
  readonly #onChange: (uri: vscode.Uri) => void;
  #watch: vscode.Disposable | undefined;

  /** @param onChange Called when a file has changed on disk. */
  constructor(controller: vscode.TestController, open: OpenFile, onChange: (uri: vscode.Uri) => void) {
    this.#controller = controller;
    this.#open = open;
    this.#onChange = onChange;
  }

  placeOf(item: unknown): ItemPlace | undefined {
    return this.#places.get(item as vscode.TestItem);
  }

  /** The files that have items. */
  get uris(): vscode.Uri[] {
    return [...this.#controller.items].flatMap(([, { uri }]) => uri ?? []);
  }

  /** Where the rows of a file are written, once it was resolved. */
  rowsUri(uri: vscode.Uri): vscode.Uri | undefined {
    return this.#files.get(uri.toString())?.rowsUri;
  }

  /** Finds all files, and follows their changes from now on. */
  async find(): Promise<void> {
    this.#watch ??= this.#follow();
    const uris = await vscode.workspace.findFiles(PATTERN, LEFT_OUT, MAX_FILES);
    const found = new Set(uris.map((uri) => uri.toString()));
    for (const uri of this.uris) if (!found.has(uri.toString())) this.#forget(uri);
    await Promise.all(uris.map((uri) => this.#update(uri)));
  }

  #follow(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    const update = (uri: vscode.Uri): void => {
      if (uri.path.includes('/node_modules/')) return;
      void this.#update(uri);
      this.#onChange(uri);
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(update),
      watcher.onDidChange(update),
      watcher.onDidDelete((uri) => this.#forget(uri)),
    );
  }

  #forget(uri: vscode.Uri): void {
    this.#controller.items.delete(uri.toString());
    this.#files.delete(uri.toString());
  }

  async #update(uri: vscode.Uri): Promise<void> {
    const text = await readTextFile(uri).catch(() => '');
    // Most files expect nothing, and need not be parsed.
    if (!text.includes('"expect"')) return this.#forget(uri);
    const { findEvaluationPlaces, isReadable } = await loadEngine();
    const places = findEvaluationPlaces(text);
    if (!places && isReadable(text)) return this.#forget(uri);
    const { items } = this.#controller;
    const item = this.#toItem(items, {
      id: uri.toString(),
      label: vscode.workspace.asRelativePath(uri),
      uri,
      place: { uri },
      line: places?.expect ?? 1,
      tags: [],
    });
    item.canResolveChildren = true;
    if (!places) item.error = t('The file is not valid JSON.');
    items.add(item);
    if (places && (item.children.size > 0 || item.error !== undefined)) await this.resolve(item);
  }

  /** Finds the lanes and rows of a file, or again. */
  async resolve(item: vscode.TestItem): Promise<void> {
    const { uri, laneId } = this.#places.get(item) ?? {};
    if (!uri || laneId !== undefined) return;
    item.busy = true;
    try {
      const { session, places, release } = await this.#open(uri);
      try {
        const { setting, problems } = await session.evaluation.read();
        item.error = setting ? undefined : problems.map(({ message }) => toLabel(message, 300)).join('\n');
        if (setting) await this.#fill(item, { uri, places, session }, setting);
        else item.children.replace([]);
      } finally {
        release();
      }
    } catch (error) {
      item.error = toLabel(String(error), 300);
    } finally {
      item.busy = false;
    }
  }

  async #fill(
    file: vscode.TestItem,
    { uri, places, session }: { uri: vscode.Uri } & Pick<OpenPlayground, 'places' | 'session'>,
    setting: Setting,
  ): Promise<void> {
    const { isHosted } = await loadEngine();
    const source = setting.evaluate.rows;
    const rowsUri = typeof source === 'string' ? vscode.Uri.joinPath(uri, '..', source) : uri;
    const { added = new Set<string>() } = this.#files.get(uri.toString()) ?? {};
    const isOfHosted = ({ connection }: Lane): boolean => isHosted(connection);
    const state = { setting, rowsUri, added, isHosted: isOfHosted };
    this.#files.set(uri.toString(), state);
    const { lanes } = session.evaluation.snapshot;
    const items = setting.lanes.map((lane, index) => {
      const { id } = lane.config;
      const item = this.#toItem(file.children, {
        id,
        label: lanes[index]?.label ?? id,
        uri,
        place: { uri, laneId: id, isHosted: isOfHosted(lane) },
        line: places?.lanes.get(id),
        tags: tagsOf(lane, isOfHosted(lane)),
      });
      item.children.replace(this.#rowItems(item, state, lane));
      return item;
    });
    file.tags = toTags(setting.lanes.flatMap((lane) => tagsOf(lane, isOfHosted(lane))));
    file.children.replace(items);
  }

  #rowItems(parent: vscode.TestItem, state: FileState, lane: Lane): vscode.TestItem[] {
    const { setting, added } = state;
    if (setting.evaluate.rows === undefined) return [];
    const laneId = lane.config.id;
    const count = countAlways(setting);
    const rows = setting.rows.filter(({ id }, index) => index < count || added.has(caseKey(id, laneId)));
    const items = rows.map((row) => this.#rowItem(parent, state, { lane, row }));
    const rest = setting.rows.length - rows.length;
    return rest > 0 ? [...items, this.#restItem(parent, rest)] : items;
  }

  #rowItem(
    parent: vscode.TestItem,
    { rowsUri, isHosted }: FileState,
    { lane, row: { id, name = id, line, tags } }: { lane: Lane; row: Row },
  ): vscode.TestItem {
    return this.#toItem(parent.children, {
      id,
      label: name,
      uri: rowsUri,
      place: { ...this.#places.get(parent), rowId: id } as ItemPlace,
      line,
      tags: [...tagsOf(lane, isHosted(lane)), ...tags],
    });
  }

  /** All rows of a lane that have no item. No row has its id. */
  #restItem(parent: vscode.TestItem, count: number): vscode.TestItem {
    const place = this.#places.get(parent) as ItemPlace;
    return this.#toItem(parent.children, {
      id: '',
      label: t('{0} more rows', count),
      uri: place.uri,
      place,
      line: undefined,
      tags: parent.tags.map(({ id }) => id),
    });
  }

  /** Gives a row that has none an item in a lane, as it failed. @returns undefined when there are too many */
  add(uri: vscode.Uri, rowId: string, laneId: string): vscode.TestItem | undefined {
    const state = this.#files.get(uri.toString());
    const parent = this.#controller.items.get(uri.toString())?.children.get(laneId);
    const row = state?.setting.row(rowId);
    const lane = state?.setting.lane(laneId);
    if (!state || !parent || !row || !lane) return undefined;
    const { setting, added } = state;
    if (countAlways(setting) * setting.lanes.length + added.size >= MAX_ROWS) return undefined;
    added.add(caseKey(rowId, laneId));
    const item = this.#rowItem(parent, state, { lane, row });
    parent.children.add(item);
    // All but the item of the rest are rows.
    parent.children.add(this.#restItem(parent, setting.rows.length - parent.children.size + 1));
    return item;
  }

  /** The cases that a run is asked for. Their files are read again: they may have other rows by now. */
  async chosen(
    { include, exclude = [] }: Pick<vscode.TestRunRequest, 'include' | 'exclude'>,
    { isLocalOnly = false, only }: { isLocalOnly?: boolean; only?: readonly vscode.Uri[] } = {},
  ): Promise<ChosenFile[]> {
    if (!include) await this.find();
    const wanted = include ?? [...this.#controller.items].map(([, item]) => item);
    const files = new Map<string, ChosenFile>();
    const add = (item: vscode.TestItem): void => {
      const place = this.#places.get(item);
      if (!place || exclude.includes(item) || (isLocalOnly && place.isHosted === true)) return;
      for (const [, child] of item.children) add(child);
      if (place.laneId === undefined || item.children.size > 0) return;
      const file = files.get(place.uri.toString()) ?? { uri: place.uri, cases: new Map() };
      files.set(place.uri.toString(), file);
      file.cases.set(caseKey(place.rowId ?? '', place.laneId), item);
    };
    const resolved = new Set<string>();
    for (const item of wanted) {
      const id = this.#places.get(item)?.uri.toString() ?? '';
      if (only && !only.some((uri) => uri.toString() === id)) continue;
      const file = this.#controller.items.get(id);
      if (file && !resolved.has(id)) await this.resolve(file);
      resolved.add(id);
      add(item);
    }
    return [...files.values()];
  }

  /** The present item with this id is changed, so that what was told of it stays. */
  #toItem(
    siblings: vscode.TestItemCollection,
    { id, label, uri, place, line, tags }: ItemSource,
  ): vscode.TestItem {
    const known = siblings.get(id);
    const isSame = known?.uri?.toString() === uri.toString();
    const item = isSame ? known : this.#controller.createTestItem(id, toLabel(label), uri);
    item.label = toLabel(label);
    item.range = toRange(line);
    item.tags = toTags(tags);
    this.#places.set(item, place);
    return item;
  }

  dispose(): void {
    this.#watch?.dispose();
  }
}

/** Number of rows that always have an item in each lane. */
function countAlways({ rows, lanes }: Setting): number {
  const all = rows.length * lanes.length;
  return all <= MAX_ROWS ? rows.length : Math.floor(MAX_ROWS / 2 / lanes.length);
}

const tagsOf = ({ config, model }: Lane, isHosted: boolean): string[] => [
  `lane:${config.id}`,
  ...(model === '' ? [] : [`model:${toLabel(model)}`]),
  isHosted ? 'hosted' : 'local',
];

const toTags = (ids: readonly string[]): vscode.TestTag[] =>
  [...new Set(ids)].map((id) => new vscode.TestTag(id));

/** @param line From 1. */
export const toRange = (line: number | undefined): vscode.Range | undefined =>
  line === undefined
    ? undefined
    : new vscode.Range(new vscode.Position(line - 1, 0), new vscode.Position(line - 1, 0));
