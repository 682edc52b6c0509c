// The history view with many stored runs: time until its playgrounds are listed, until one of them is expanded,
// and until all have been searched. The editor is a stand-in.
import Module, { createRequire } from 'node:module';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadEngine } from './scripted-session.mjs';
import { countReads, openStore, SESSION_ID } from './stored-runs.mjs';

const require = createRequire(import.meta.url);

function ThemeIcon() {}
function TreeItem(label) {
  this.label = label;
}

/** The parts of the editor that the view needs to build its tree. */
const EDITOR = {
  TreeItem,
  ThemeIcon,
  ThemeColor: ThemeIcon,
  TreeItemCollapsibleState: {},
  QuickPickItemKind: {},
  Uri: { from: (parts) => parts },
  l10n: { t: (text) => text },
  commands: { executeCommand: () => Promise.resolve() },
  window: {
    showQuickPick: (items) => Promise.resolve(items.filter(({ label }) => label === 'first-look')),
    showInputBox: () => Promise.resolve('question'),
  },
};

/** The view's chunk as shipped. */
function loadView(dist) {
  const load = Reflect.get(Module, '_load');
  Reflect.set(Module, '_load', (request, ...rest) =>
    request === 'vscode' ? EDITOR : load(request, ...rest),
  );
  try {
    return require(join(dist, 'history.js'));
  } finally {
    Reflect.set(Module, '_load', load);
  }
}

/** Copies the runs of one playground to several others. */
export async function copyRuns({ dist, folder, copies }) {
  const store = openStore(loadEngine(dist), folder);
  for (let copy = 1; copy < copies; copy += 1) await store.copy(SESSION_ID, `${SESSION_ID}-${copy}`);
  // Closing a journal writes its index.
  for (let copy = 1; copy < copies; copy += 1) await (await store.open(`${SESSION_ID}-${copy}`)).close();
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export async function measureHistory({ dist, folder }) {
  const engine = loadEngine(dist);
  const { HistoryServices } = loadView(dist);
  const stored = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const counted = await countReads();
  let sample;
  return {
    async step() {
      const store = openStore(engine, folder);
      const view = { selection: [], message: '' };
      const dependencies = {
        pool: { store: () => Promise.resolve(store) },
        scratches: { list: () => Promise.resolve([]) },
        clock: { now: () => Date.now(), after: () => () => undefined },
      };
      const { tree, actions } = new HistoryServices(dependencies, () => undefined, view);
      const draw = (nodes) => Promise.all(nodes.map((node) => tree.item(node)));
      let playgrounds;
      const listMs = await timed(async () => draw((playgrounds = await tree.children())));
      const listedKib = counted.bytes / 1024;
      const openMs = await timed(async () => {
        const days = await tree.children(playgrounds[0]);
        await draw(days);
        await draw(await tree.children(days[0]));
      });
      const openPercent = (counted.bytes / stored) * 100;
      const filterMs = await timed(async () => {
        await actions.filterHistory();
        await draw(await tree.children());
      });
      sample = {
        listMs,
        listedKib,
        openMs,
        openPercent,
        filterMs,
        readPercent: (counted.bytes / stored) * 100,
      };
    },
    sample: () => sample,
  };
}
