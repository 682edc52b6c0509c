// Loaded before the panel: gives the page the editor's API, over a connection in a worker.
(() => {
  const worker = new Worker('/host-worker.js');
  worker.addEventListener('message', ({ data }) =>
    window.dispatchEvent(new MessageEvent('message', { data })),
  );
  window.acquireVsCodeApi = () => ({
    postMessage: (frame) => worker.postMessage(frame, []),
    getState: () => undefined,
    setState: () => undefined,
  });
})();
