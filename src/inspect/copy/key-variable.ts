// Names the environment variable from which a copied request reads a key. Pure.

/** Returns a name such as `MY_GROQ_2_API_KEY`. @param connectionId Any text. */
export const keyVariable = (connectionId: string): string =>
  `${connectionId
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')}_API_KEY`;
