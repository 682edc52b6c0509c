// Stand-in for the Test Explorer: items in memory, and what runs told of them.
import type * as vscode from 'vscode';

class Items {
  readonly #items = new Map<string, FakeItem>();

  readonly #parent: FakeItem | undefined;

  constructor(parent: FakeItem | undefined) {
    this.#parent = parent;
  }

  get size(): number {
    return this.#items.size;
  }

  get(id: string): FakeItem | undefined {
    return this.#items.get(id);
  }

  add(item: FakeItem): void {
    item.parent = this.#parent;
    this.#items.set(item.id, item);
  }

  delete(id: string): void {
    this.#items.delete(id);
  }

  replace(items: readonly FakeItem[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }

  [Symbol.iterator](): Iterator<[string, FakeItem]> {
    return this.#items[Symbol.iterator]();
  }
}

class FakeItem {
  readonly children = new Items(this);
  parent: FakeItem | undefined;
  range: unknown;
  error: unknown;
  description = '';
  busy = false;
  canResolveChildren = false;
  tags: readonly { id: string }[] = [];

  readonly id: string;
  label: string;
  readonly uri: unknown;

  constructor(id: string, label: string, uri: unknown) {
    this.id = id;
    this.label = label;
    this.uri = uri;
  }
}

/** `item: state`, in the order in which a run told it; messages and output as they were given. */
export interface FakeExplorer {
  controller: vscode.TestController;
  told: string[];
  messages: {
    message: string;
    expectedOutput?: string;
    actualOutput?: string;
    location?: unknown;
    contextValue?: string;
  }[];
  /** The names of the runs, and the labels of items whose results were made outdated. */
  runs: (string | undefined)[];
  outdated: string[];
  output: string[];
  runsEnded: () => number;
  /** The labels of all items, indented by level. */
  tree: () => string[];
  item: (...ids: string[]) => vscode.TestItem;
}

const nameOf = ({ label, parent }: FakeItem): string => `${parent?.parent ? `${parent.label} ` : ''}${label}`;

export function fakeExplorer(): FakeExplorer {
  const items = new Items(undefined);
  const told: string[] = [];
  const messages: FakeExplorer['messages'] = [];
  const output: string[] = [];
  const [runs, outdated]: [(string | undefined)[], string[]] = [[], []];
  let ended = 0;
  const tell =
    (state: string) =>
    (item: FakeItem, given?: FakeExplorer['messages'] | FakeExplorer['messages'][number]): void => {
      told.push(`${nameOf(item)}: ${state}`);
      if (typeof given === 'object') messages.push(...(Array.isArray(given) ? given : [given]));
    };
  const states = ['enqueued', 'started', 'passed', 'failed', 'errored', 'skipped'];
  const run = {
    ...Object.fromEntries(states.map((state) => [state, tell(state)])),
    appendOutput: (text: string) => void output.push(text),
    end: () => void ended++,
  };
  const controller = {
    items,
    createTestItem: (id: string, label: string, uri: unknown) => new FakeItem(id, label, uri),
    createTestRun: (_request: unknown, name: string | undefined) => {
      runs.push(name);
      return run;
    },
    invalidateTestResults: (given: readonly FakeItem[]) => void outdated.push(...given.map(nameOf)),
  };
  const print = (level: string, list: Items): string[] =>
    [...list].flatMap(([, item]) => [`${level}${item.label}`, ...print(`${level}  `, item.children)]);
  return {
    controller: controller as unknown as vscode.TestController,
    told,
    messages,
    output,
    runs,
    outdated,
    runsEnded: () => ended,
    tree: () => print('', items),
    item: (...ids) => {
      let found: FakeItem | undefined;
      for (const id of ids) found = (found?.children ?? items).get(id);
      if (!found) throw new Error(`no item ${ids.join(' ')}`);
      return found as unknown as vscode.TestItem;
    },
  };
}
