// A page on a session that is really there: what it asks is answered, what changes is told at once.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openPanel } from './panel-page.mjs';
import { loadEngine, openMemoryStore, openSession } from './scripted-session.mjs';

/** @param setup.store Absent: one that is empty. Else as for `openSession`. */
export async function openLivePanel({ dist, isQuick }, setup) {
  const engine = loadEngine(dist);
  const handlers = {};
  const panel = await openPanel({ dist, isQuick, handlers });
  const opened = await openSession(engine, {
    store: openMemoryStore(engine),
    ...setup,
    onEvent: (name, data) => panel.post(`${JSON.stringify({ kind: 'event', name, data })}\n`),
  });
  Object.assign(handlers, opened.handlers, { 'connection/models': () => ({ models: [] }) });
  return {
    ...panel,
    session: opened,
    handlers,
    /** The same as `panel.measure`, with how long the session kept its own thread at a time. */
    async measureBoth(work) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const page = await panel.measure(work);
      delay.disable();
      return { ...page, longestBlockMs: delay.max / 1e6 };
    },
    async close() {
      await opened.close();
      await panel.close();
    },
  };
}

/** One measurement is one page: it is opened, measured and closed in one step. */
export function measureOnce(open, work) {
  let sample;
  return {
    async step() {
      const panel = await open();
      try {
        sample = await work(panel);
      } finally {
        await panel.close();
      }
    },
    sample: () => sample,
  };
}
