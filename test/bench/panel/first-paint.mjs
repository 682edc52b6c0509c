// Opening a panel: from the navigation to the first frame that shows the first snapshot in a lane.
import { openPanel } from './panel-page.mjs';
import { loadEngine, openMemoryStore, openSession, toDocument } from './scripted-session.mjs';

/** Text of an empty lane once it knows its connection. */
const DRAWN = 'Run sends the message below';

async function readSnapshot(dist) {
  const engine = loadEngine(dist);
  const { view, close } = await openSession(engine, {
    text: toDocument(1, { messages: [{ role: 'user', content: 'What is the weather in Oslo?' }] }),
    store: openMemoryStore(engine),
    script: () => ({}),
  });
  const snapshot = structuredClone(view.open());
  await close();
  return snapshot;
}

/** The data that panels of commits before the introduction of sessions requested. */
const toOldSnapshot = ({ environment, document }) => ({
  connections: environment.connections,
  requestsLeaveFrom: environment.requestsLeaveFrom,
  tools: document.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    mock: '{}',
  })),
  defaults: {
    connectionId: environment.connections[0].id,
    model: environment.connections[0].model,
    message: document.draft,
    toolNames: document.tools.map(({ name }) => name),
  },
});

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** One navigation per step; the first one only fills the caches and does not count. */
export async function measureFirstPaint({ dist, client, oldDist }) {
  const snapshot = await readSnapshot(dist);
  const models = { models: ['scripted'] };
  const panel = await openPanel({
    dist: client === 'ours' ? dist : oldDist,
    setup: {
      text: DRAWN,
      replies: {
        'session/open': snapshot,
        'playground/snapshot': toOldSnapshot(snapshot),
        'connection/models': models,
      },
    },
  });
  const navigate = async () => {
    await panel.open();
    return panel.page.evaluate(() => window.benchOpened);
  };
  await navigate();
  const times = [];
  return {
    async step() {
      times.push(await navigate());
    },
    async sample() {
      await panel.close();
      const medianOf = (mark) => median(times.map((marks) => marks[mark]));
      return { loadedMs: medianOf('loadedMs'), askedMs: medianOf('askedMs'), drawnMs: medianOf('drawnMs') };
    },
  };
}
