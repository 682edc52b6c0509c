// What every client asks, in neutral form: tools are offered, sampling and a time limit are set, as people use it.

export const MODEL = 'm';
export const API_KEY = 'sk-bench-0123456789abcdef';
export const SAMPLING = { temperature: 0, maxTokens: 512 };
/** Of ours; the bare client has no limit of its own. */
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
