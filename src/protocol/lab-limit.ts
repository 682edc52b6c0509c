// How much the format lab reads and shows. A file of its own, so that the page need not load the schemas for it.

export const LAB_LIMIT = {
  id: 200,
  /** UTF-16 code units, as all texts here. */
  text: 1_000_000,
  tools: 200,
  /** Of a text that is read in every format, one after the other. */
  comparedText: 50_000,
  /** Of a text that tools are guessed from. */
  guessedText: 200_000,
  guessedTools: 50,
  listed: 200,
} as const;
