// A server of the Model Context Protocol over stdio with a single tool. Each line is a JSON-RPC message.
import { createInterface } from 'node:readline';

const tool = {
  name: 'count_ships',
  description: 'Count the ships in the harbour of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  annotations: { readOnlyHint: true },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'harbour', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { city } }) => ({
    content: [{ type: 'text', text: JSON.stringify({ ships: `17 in ${city}` }) }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const error = { code: -32601, message: `there is no ${method}` };
  const body = answer ? { result: answer(params ?? {}) } : { error };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
}
