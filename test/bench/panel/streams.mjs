// Eight lanes that stream at once: recorded from a session, then replayed to a page at the same times while
// somebody types.
import { openPanel } from './panel-page.mjs';
import { recordStreams } from './record-streams.mjs';

const KEY_INTERVAL_MS = 70;
/** Frames closer together than this belong to the same update. */
const UPDATE_GAP_MS = 25;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function replay(panel, lines) {
  const start = performance.now();
  for (let next = 0; next < lines.length;) {
    const now = performance.now() - start;
    const due = [];
    for (; lines[next]?.atMs <= now; next += 1) due.push(lines[next].text);
    if (due.length > 0) panel.post(due.join(''));
    if (next < lines.length) await sleep(Math.max(1, lines[next].atMs - now));
  }
}

/** The document follows the typed text, as in a real session. */
function toHandlers({ document, ...opened }, post) {
  let { version } = document;
  return {
    'session/open': () => ({ ...opened, document }),
    'message/draft': ({ text }) => {
      version += 1000;
      const data = { document: { ...document, version, draft: text }, lanes: [] };
      post(`${JSON.stringify({ kind: 'event', name: 'session/changed', data })}\n`);
      return null;
    },
  };
}

async function typeUntil({ page }, isOver) {
  await page.locator('.composer vscode-text-area').click();
  let typed = '';
  // At least one key, because a short stream may end before the first.
  do {
    const key = 'abcdefghijklmnopqrstuvwxyz '[typed.length % 27];
    await page.keyboard.press(key);
    typed += key;
    await sleep(KEY_INTERVAL_MS);
  } while (!isOver());
  return typed;
}

const boxValue = ({ page }) => page.locator('.composer vscode-text-area').evaluate(({ value }) => value);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function busyMs({ devtools }) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

async function measurePage(panel, [first, ...others]) {
  const { devtools, page } = panel;
  await panel.open();
  await page.locator('.lane').first().waitFor();
  await devtools.send('Performance.enable');
  let typed = '';
  const before = await busyMs(panel);
  const start = performance.now();
  const measured = await panel.measure(async () => {
    let isOver = false;
    const replayed = replay(panel, first.lines).finally(() => (isOver = true));
    typed = await typeUntil(panel, () => isOver);
    await replayed;
  });
  const busy = ((await busyMs(panel)) - before) / (performance.now() - start);
  const shown = await boxValue(panel);
  if (shown !== typed) throw new Error(`${typed.length} characters were typed, the box has “${shown}”`);
  const heap = await panel.heapBytes();
  for (const { lines } of others) await panel.measure(() => replay(panel, lines));
  const { keysMs, ...rest } = measured;
  return {
    ...rest,
    busyPercent: busy * 100,
    keyMedianMs: median(keysMs),
    keyMostMs: Math.max(...keysMs),
    heapMib: heap / 2 ** 20,
    grownMib: ((await panel.heapBytes()) - heap) / 2 ** 20,
  };
}

export async function measureStreams(job) {
  const { dist, isQuick, lanes, deltas, hasPage } = job;
  let sample;
  return {
    async step() {
      const { opened, rounds } = await recordStreams(job);
      const [{ lines, cpuUs, longestBlockMs }] = rounds;
      sample = {
        cpuUs: cpuUs / (lanes * deltas),
        longestBlockMs,
        updatesPerSecond: countUpdates(lines) / (lines.at(-1).atMs / 1000),
      };
      if (!hasPage) return;
      const handlers = {};
      const panel = await openPanel({ dist, isQuick, handlers });
      Object.assign(handlers, toHandlers(opened, panel.post));
      try {
        Object.assign(sample, await measurePage(panel, rounds));
      } finally {
        await panel.close();
      }
    },
    sample: () => sample,
  };
}

/** Counts updates: frames sent together are one update. The first one comes at once and is left out. */
const countUpdates = (lines) =>
  lines.filter(({ atMs }, index) => index > 0 && atMs - lines[index - 1].atMs > UPDATE_GAP_MS).length;
