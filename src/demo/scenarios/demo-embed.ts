// The embedding model: its vectors are made in embed-text; all that is scripted here is that it does not chat.
import type { Scenario } from '../scenario';

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
