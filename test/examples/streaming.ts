import { HostedApiProvider } from '../../src/library';

const provider = new HostedApiProvider({
  apiKey: process.env['API_KEY'] ?? '',
  model: 'gpt-4o-mini',
  sampling: { temperature: 0.2, maxTokens: 400 },
  raw: { response_format: { type: 'json_object' } }, // merged last, key by key; it may override anything
  costPer1kTokens: { input: 0.00015, output: 0.0006 }, // USD; there is no price table
});
const stop = new AbortController();
const turn = await provider.chat({
  messages: [{ role: 'user', content: 'Three rivers of France, as JSON.' }],
  sampling: { seed: 7 }, // wins over the provider's, key by key
  signal: stop.signal, // ends the call in every phase, the waits included
  onDelta: ({ content = '' }) => process.stdout.write(content),
  onProgress: ({ phase, attempt, maxAttempts }) => console.error(phase, `${attempt}/${maxAttempts}`),
});
console.log(turn.usage); // { promptTokens, completionTokens, cachedTokens?, reasoningTokens?, costUsd? }
console.log(turn.exchange.sent, turn.exchange.dropped, turn.exchange.overridden); // what became of each sampling key
