// Every suite by its name, one line each; loaded when it is run.
// A suite module exports openSuite({ dist, isQuick }) -> { title, clients, reference, scenarios, close }; see http.mjs.
export const SUITES = {
  http: () => import('./http.mjs'),
  load: () => import('./load.mjs'),
  parse: () => import('./parse.mjs'),
};
