// Commands on the playground in front, those that open a scratch, and a question about settings. A chunk of its own, loaded when
// one of them is first used.
export { clearHistory } from './clear-history';
export { loadCustomProviders } from './load-custom-providers';
export { openExample } from './open-example';
export { openScratch } from './open-scratch';
export { duplicatePlayground, openAsText, saveAsPlaygroundFile } from './playground-files';
