// Stands in for `node:diagnostics_channel` in the bundle with undici (esbuild.mjs). Those channels belong to the whole
// process: undici publishes every request on them with its headers, and any extension of the host may subscribe.

/** A channel that nobody hears. */
export const channel = (name: string): object => ({
  name,
  hasSubscribers: false,
  publish: () => undefined,
});

/** undici follows its own channels when `NODE_DEBUG` asks for it: there is nothing to follow. */
export const subscribe = (): void => undefined;
