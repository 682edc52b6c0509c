// The environment variable that a copied text reads a key from. Pure.

/** Such as `MY_GROQ_2_API_KEY`. @param connectionId Any text. */
export const keyVariable = (connectionId: string): string =>
  `${connectionId
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')}_API_KEY`;
