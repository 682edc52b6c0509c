// Replaces `node:diagnostics_channel` in the bundle with undici (esbuild.mjs). The real channels belong to the whole
// process: undici publishes every request on them with its headers, and any extension of the host may subscribe.

/** A channel without subscribers. */
export const channel = (name: string): object => ({
  name,
  hasSubscribers: false,
  publish: () => undefined,
});

/** undici subscribes to its own channels if `NODE_DEBUG` asks for it; nothing is ever published here. */
export const subscribe = (): void => undefined;
