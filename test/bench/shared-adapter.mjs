// Adapter of our library for the benchmarks of others: copy it to such a benchmark's `adapters/ours.mjs`, and to
// its `parsers/ours.mjs` for parsing calls. Measures the built engine, dist/engine.js with dist/undici.js:
// PLAYGROUND_ENGINE is its path, by default that of this repository.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const engine =
  process.env.PLAYGROUND_ENGINE ?? fileURLToPath(new URL('../../dist/engine.js', import.meta.url));
const { PROVIDER_CATALOG, library } = createRequire(import.meta.url)(engine);

const KINDS = {
  openai: { id: 'hosted-api', path: '/v1' },
  ollama: { id: 'local-host', path: '' },
};

const providers = new Map();

/** One provider per server, as a program would have. */
function providerOf(url, { model }, { api = 'openai', timeoutMs }) {
  const key = JSON.stringify([url, api, model, timeoutMs]);
  const known = providers.get(key);
  if (known) return known;
  const { id, path } = KINDS[api];
  const provider = PROVIDER_CATALOG.find((entry) => entry.id === id).create({
    host: url + path,
    model,
    apiKey: 'sk-test',
    sampling: { temperature: 0, maxTokens: 512 },
    ...(timeoutMs !== undefined && { retry: { timeoutMs } }),
  });
  providers.set(key, provider);
  return provider;
}

const toInput = ({ messages, tools = [] }) => ({ messages, tools: tools.map((tool) => tool.function) });

const offered = new WeakMap();

/** Converts tools of a request into ours; returns the same array each time, as a program would. */
function toTools(tools) {
  const known = offered.get(tools) ?? tools.map((tool) => tool.function);
  offered.set(tools, known);
  return known;
}

export default {
  name: 'ours',
  dialect: 'hermes',
  parse(text, tools) {
    const { calls } = library.rescueToolCalls(text, toTools(tools));
    return calls.map((call) => ({ name: call.name, args: call.arguments }));
  },
  apis: Object.keys(KINDS),
  pkgs: [],
  async chat(url, body, options = {}) {
    const { raw, toolCalls } = await providerOf(url, body, options).chat(toInput(body));
    return {
      content: raw.content,
      toolCalls: toolCalls.map((call) => ({ id: call.id, name: call.name, args: call.arguments })),
      usage: raw.usage,
    };
  },
  async stream(url, body, onDelta, options = {}) {
    await providerOf(url, body, options).chat({
      ...toInput(body),
      onDelta: ({ content }) => {
        if (content !== undefined) onDelta(content);
      },
    });
  },
};
