// Names the environment variable from which a copied request reads a key. Pure.

/** Returns a name such as `MY_GROQ_2_API_KEY`; `SERVER_API_KEY` where no word begins with a letter, as in an IP address. */
export function keyVariable(connectionId: string): string {
  const words = connectionId.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  const first = words.findIndex((word) => /^[A-Z]/.test(word));
  const name = first < 0 ? 'SERVER' : words.slice(first).join('_');
  return `${name}_API_KEY`;
}
