// The embedding model. embed-text.ts makes its vectors; the script only refuses chats.
import type { Scenario } from '../model/scenario';

export const demoEmbed: Scenario = {
  name: 'demo-embed',
  summary: 'Answers embeddings, with vectors made from the letters of the text, and refuses to chat.',
  isEmbedder: true,
  reply: ({ model }) => ({
    kind: 'failure',
    status: 400,
    message: `"${model}" does not support chat`,
    type: 'invalid_request_error',
    code: 400,
  }),
};
