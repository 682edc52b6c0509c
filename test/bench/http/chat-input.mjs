// The request of every client in neutral form, realistic in that it has tools, sampling parameters and a timeout.

export const MODEL = 'm';
export const API_KEY = 'sk-bench-0123456789abcdef';
export const SAMPLING = { temperature: 0, maxTokens: 512 };
/** Used by our client only; the bare client has no timeout of its own. */
export const TIMEOUT_MS = 60_000;

export const MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant that answers in one sentence.' },
  { role: 'user', content: 'What is the capital of France, and why? '.repeat(5) },
];

const parameters = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'path' },
    content: { type: 'string', description: 'text' },
  },
  required: ['path'],
};

export const TOOLS = ['write_file', 'read_file', 'search'].map((name) => ({
  name,
  description: `The ${name} tool. Works on the workspace.`,
  parameters,
}));
