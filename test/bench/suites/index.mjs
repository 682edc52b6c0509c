// Every suite by name, one line each; loaded when it is run. A suite module exports openSuite({ dist, isQuick,
// against }) -> { title, clients, reference, scenarios, close }; see http.mjs. A scenario may have `prepare()`,
// which is awaited before it runs and returns additions to its job.
export const SUITES = {
  evaluate: () => import('./evaluate.mjs'),
  http: () => import('./http.mjs'),
  load: () => import('./load.mjs'),
  panel: () => import('./panel.mjs'),
  parse: () => import('./parse.mjs'),
  record: () => import('./record.mjs'),
};
