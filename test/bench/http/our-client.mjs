// Our providers from the shipped bundles, created as the extension does.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { API_KEY, MESSAGES, MODEL, SAMPLING, TIMEOUT_MS, TOOLS } from './chat-input.mjs';

const require = createRequire(import.meta.url);

export function openClient({ dist, origin, reply, protocol }) {
  // undici's client is loaded along with its module as well; the cost of loading is measured separately.
  require(join(dist, 'undici.js'));
  const { PROVIDER_CATALOG } = require(join(dist, 'engine.js'));
  const entry = PROVIDER_CATALOG.find(({ id }) => id === protocol);
  const provider = entry.create({
    host: `${origin}/${reply}`,
    model: MODEL,
    apiKey: API_KEY,
    sampling: SAMPLING,
    retry: { timeoutMs: TIMEOUT_MS },
  });
  return {
    chat: () => provider.chat({ messages: MESSAGES, tools: TOOLS }),
    stream: (onDelta) =>
      provider.chat({
        messages: MESSAGES,
        tools: TOOLS,
        onDelta: ({ content }) => {
          if (content) onDelta(content);
        },
      }),
  };
}
