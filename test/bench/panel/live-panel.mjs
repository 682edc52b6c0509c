// A page with a real session: its requests are answered, and changes of the session are sent at once.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openPanel } from './panel-page.mjs';
import { loadEngine, openMemoryStore, openSession } from './scripted-session.mjs';

/** @param setup As for `openSession`. `store`: @default an empty one in memory */
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
    /** Measures like `panel.measure`, and also the longest block of the session's own thread. */
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

/** Measures one page: opens, measures and closes it in a single step. */
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
