// The tree of the Test Explorer: playgrounds that expect something, their lanes, and the rows of these. Runs nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import { loadEngine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';
import type { OpenFile, OpenPlayground } from './open-playground';

const PATTERN = '**/*.playground.json';
const MAX_FILES = 1_000;
/** Rows of a file that have an item in each lane: VS Code becomes slow with more. */
const MAX_ROWS = 1_000;

interface ItemPlace {
  uri: vscode.Uri;
  laneId?: string;
  rowId?: string;
}

/** The chosen cases of a file. */
export interface ChosenFile {
  uri: vscode.Uri;
  /** By `caseKey`. An item without a row is that of all rows of its lane that have none. */
  cases: ReadonlyMap<string, vscode.TestItem>;
}

export const caseKey = (rowId: string, laneId: string): string => `${rowId}\n${laneId}`;

export class EvaluationItems implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #open: OpenFile;
  readonly #places = new WeakMap<vscode.TestItem, ItemPlace>();
  #watch: vscode.Disposable | undefined;

  constructor(controller: vscode.TestController, open: OpenFile) {
    this.#controller = controller;
    this.#open = open;
  }

  /** Finds all files, and follows their changes from now on. */
  async find(): Promise<void> {
    this.#watch ??= this.#follow();
    const { items } = this.#controller;
    const uris = await vscode.workspace.findFiles(PATTERN, undefined, MAX_FILES);
    const found = new Set(uris.map((uri) => uri.toString()));
    for (const [id] of items) if (!found.has(id)) items.delete(id);
    await Promise.all(uris.map((uri) => this.#update(uri)));
  }

  #follow(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    const update = (uri: vscode.Uri): void => void this.#update(uri);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(update),
      watcher.onDidChange(update),
      watcher.onDidDelete((uri) => this.#controller.items.delete(uri.toString())),
    );
  }

  async #update(uri: vscode.Uri): Promise<void> {
    const { items } = this.#controller;
    const id = uri.toString();
    const text = await readTextFile(uri).catch(() => '');
    // Most files expect nothing, and need not be parsed.
    const places = text.includes('"expect"') ? (await loadEngine()).findEvaluationPlaces(text) : undefined;
    if (!places) return items.delete(id);
    const item = items.get(id) ?? this.#add(items, id, vscode.workspace.asRelativePath(uri), { uri });
    item.range = toRange(places.expect);
    item.canResolveChildren = true;
    if (item.children.size > 0) await this.resolve(item);
  }

  /** Finds the lanes and rows of a file. */
  async resolve(item: vscode.TestItem): Promise<void> {
    const { uri, laneId } = this.#places.get(item) ?? {};
    if (!uri || laneId !== undefined) return;
    item.busy = true;
    try {
      const { session, text, release } = await this.#open(uri);
      try {
        const { setting, problems } = await session.evaluation.read();
        item.error = setting ? undefined : problems.map(({ message }) => toLabel(message, 300)).join('\n');
        item.children.replace([]);
        if (setting) await this.#addLanes(item, { uri, text, session });
      } finally {
        release();
      }
    } finally {
      item.busy = false;
    }
  }

  async #addLanes(
    file: vscode.TestItem,
    { uri, text, session }: { uri: vscode.Uri } & Pick<OpenPlayground, 'text' | 'session'>,
  ): Promise<void> {
    const places = (await loadEngine()).findEvaluationPlaces(text);
    const { setting } = await session.evaluation.read();
    const { lanes } = session.evaluation.snapshot;
    const source = setting?.evaluate.rows;
    const rows = source === undefined ? [] : (setting?.rows ?? []);
    const shown = rows.slice(0, Math.floor(MAX_ROWS / Math.max(1, lanes.length)));
    const rowsUri = typeof source === 'string' ? vscode.Uri.joinPath(uri, '..', source) : uri;
    for (const { id, label } of lanes) {
      const place = { uri, laneId: id };
      const lane = this.#add(file.children, id, label, place);
      lane.range = toRange(places?.lanes.get(id));
      for (const { id: rowId, name = rowId, line } of shown)
        this.#add(lane.children, rowId, name, { ...place, rowId }, rowsUri).range = toRange(line);
      const rest = rows.length - shown.length;
      // No row has this id.
      if (rest > 0) this.#add(lane.children, '', t('{0} more rows', rest), place);
    }
  }

  /** The cases that a run is asked for. Files that were not opened yet are. */
  async chosen({ include, exclude = [] }: vscode.TestRunRequest): Promise<ChosenFile[]> {
    const files = new Map<string, { uri: vscode.Uri; cases: Map<string, vscode.TestItem> }>();
    const add = async (item: vscode.TestItem): Promise<void> => {
      const place = this.#places.get(item);
      if (!place || exclude.includes(item)) return;
      if (place.laneId === undefined && item.children.size === 0) await this.resolve(item);
      for (const [, child] of item.children) await add(child);
      if (place.laneId === undefined || item.children.size > 0) return;
      const file = files.get(place.uri.toString()) ?? { uri: place.uri, cases: new Map() };
      files.set(place.uri.toString(), file);
      file.cases.set(caseKey(place.rowId ?? '', place.laneId), item);
    };
    if (!include) await this.find();
    for (const item of include ?? [...this.#controller.items].map(([, one]) => one)) await add(item);
    return [...files.values()];
  }

  #add(
    items: vscode.TestItemCollection,
    id: string,
    label: string,
    place: ItemPlace,
    uri = place.uri,
  ): vscode.TestItem {
    const item = this.#controller.createTestItem(id, toLabel(label), uri);
    this.#places.set(item, place);
    items.add(item);
    return item;
  }

  dispose(): void {
    this.#watch?.dispose();
  }
}

/** @param line From 1. */
export const toRange = (line: number | undefined): vscode.Range | undefined =>
  line === undefined
    ? undefined
    : new vscode.Range(new vscode.Position(line - 1, 0), new vscode.Position(line - 1, 0));
