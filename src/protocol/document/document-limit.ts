// Limits of a playground document; lengths of texts in UTF-16 code units. A file of its own, so that the page can use the
// limits without loading the schemas.

export const DOCUMENT_LIMIT = {
  id: 200,
  name: 200,
  text: 2_000_000,
  messages: 2_000,
  calls: 1_000,
  tools: 500,
  mocks: 200,
  lanes: 8,
  stops: 64,
  embeddedTexts: 24,
  embeddedText: 8_000,
  steps: 100,
  expectations: 200,
  rows: 5_000,
  repeats: 100,
  /** Of an evaluation: lanes × rows × repeats. */
  samples: 100_000,
} as const;

/** Maximum number of chats of one agent run, when the lane sets none. */
export const DEFAULT_STEPS = 10;
