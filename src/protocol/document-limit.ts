// How much a playground document may hold. A file of its own, so that the page need not load the schemas for it.

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
} as const;
