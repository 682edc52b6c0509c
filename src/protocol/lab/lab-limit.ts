// Limits of the format lab. A file of its own, so that the page can use the limits without loading the schemas.

export const LAB_LIMIT = {
  id: 200,
  /** Length in UTF-16 code units, as for all texts here. */
  text: 1_000_000,
  tools: 200,
  /** Length of a text that is read once with each format. */
  comparedText: 50_000,
  /** Length of the beginning from which tools are guessed first, before the whole text is read with them. */
  guessedText: 200_000,
  guessedTools: 50,
  listed: 200,
} as const;
