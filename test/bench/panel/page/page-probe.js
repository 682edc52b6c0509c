// Loaded before the panel: provides the editor's API, and measures for how long the main thread is blocked.
(() => {
  const { replies, text, quietMs } = window.benchSetup;
  const receive = (data) => window.dispatchEvent(new MessageEvent('message', { data }));

  /** When the panel asked for what it shows, in milliseconds since the navigation. */
  let askedAt;

  /** Answers at once with replies that are known in advance; then there is no host. */
  function answerAtOnce({ kind, id, method }) {
    if (kind !== 'request') return;
    askedAt ??= performance.now();
    setTimeout(() => receive({ kind: 'reply', id, ok: true, result: replies[method] ?? null }));
  }

  if (replies)
    window.acquireVsCodeApi = () => ({
      postMessage: answerAtOnce,
      getState: () => undefined,
      setState: () => undefined,
    });

  const LONG_TASK_MS = 50;
  const PROBE_MS = 4;
  const DRAWN_LIMIT_MS = 30_000;
  const measured = { longestTaskMs: 0, blockingMs: 0, longestGapMs: 0, drawnAt: 0, keysMs: [] };
  let start = 0;

  const noteTask = ({ duration, startTime }) => {
    if (startTime + duration < start) return;
    measured.longestTaskMs = Math.max(measured.longestTaskMs, duration);
    measured.blockingMs += duration - LONG_TASK_MS;
  };
  const tasks = new PerformanceObserver((list) => list.getEntries().forEach(noteTask));
  tasks.observe({ type: 'longtask' });

  const changes = new MutationObserver(() => {
    measured.drawnAt = performance.now();
  });

  let probedAt = performance.now();
  (function probe() {
    const now = performance.now();
    measured.longestGapMs = Math.max(measured.longestGapMs, now - probedAt - PROBE_MS);
    probedAt = now;
    setTimeout(probe, PROBE_MS);
  })();

  /** Calls back right after the next frame. */
  function afterFrame(callback) {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => callback(performance.now()));
      port1.start();
      port2.postMessage(undefined);
    });
  }

  let pressedAt;
  window.addEventListener('keydown', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
  window.addEventListener(
    'input',
    () => {
      const from = pressedAt;
      if (from !== undefined) afterFrame((now) => measured.keysMs.push(now - from));
      pressedAt = undefined;
    },
    { capture: true },
  );

  window.bench = {
    begin() {
      tasks.takeRecords();
      start = performance.now();
      Object.assign(measured, {
        longestTaskMs: 0,
        blockingMs: 0,
        longestGapMs: 0,
        drawnAt: start,
        keysMs: [],
      });
      probedAt = start;
      changes.observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    /** Waits until nothing changes any more. */
    async end() {
      while (performance.now() - measured.drawnAt < quietMs)
        await new Promise((resolve) => setTimeout(resolve, 20));
      changes.disconnect();
      tasks.takeRecords().forEach(noteTask);
      const { drawnAt, longestTaskMs, longestGapMs, ...rest } = measured;
      return {
        ...rest,
        // Shorter tasks are not reported; the longest delay of a timer then gives an upper bound.
        longestTaskMs: Math.max(longestTaskMs, Math.min(longestGapMs, LONG_TASK_MS)),
        drawnMs: drawnAt - start,
      };
    },
    /** The marks of opening, from the navigation to the frame in which the lane shows the text. */
    async opened(wanted) {
      const drawnMs = await this.drawn(wanted);
      const [script] = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('/webview.js'));
      return { loadedMs: script.responseEnd, askedMs: askedAt, drawnMs };
    },
    /** Measures from the navigation to the frame in which the lane shows the text. */
    drawn(wanted) {
      const said = () => document.querySelector('.lane')?.textContent ?? 'nothing';
      const isThere = () => said().includes(wanted);
      return new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`the lane says ${said()}`)), DRAWN_LIMIT_MS);
        const look = () => {
          if (!isThere()) return false;
          watch.disconnect();
          afterFrame(resolve);
          return true;
        };
        const watch = new MutationObserver(look);
        if (!look()) watch.observe(document, { subtree: true, childList: true, characterData: true });
      });
    },
  };
  if (text !== undefined) window.benchOpened = window.bench.opened(text);
})();
