// The commands that open a scratch, and others that are rarely used. A chunk of its own, loaded when one of them is first used.
export { clearHistory } from './clear-history';
export { loadCustomProviders } from './load-custom-providers';
export { openExample } from './open-example';
export { openScratch } from './open-scratch';
