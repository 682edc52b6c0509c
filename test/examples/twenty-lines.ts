import { LocalHostProvider, ProviderError } from '../../src/library';

const provider = new LocalHostProvider({
  host: 'http://127.0.0.1:11434',
  model: 'qwen3:8b',
  sampling: { temperature: 0, seed: 7 },
  retry: { maxAttempts: 5, onRetry: ({ attempt, status, delayMs }) => console.log(attempt, status, delayMs) },
});
const weather = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
try {
  const turn = await provider.chat({
    tools: [weather],
    messages: [{ role: 'user', content: 'Weather in Oslo?' }],
  });
  console.log(turn.toolCalls); // [{ id, name, arguments, source: 'native' | 'rescued' }]
  console.log(turn.raw, turn.rescue, turn.ledger); // the reply as it came, what rescue made of it, every attempt
} catch (error) {
  if (error instanceof ProviderError) console.log(error.code, error.explanation, error.ledger);
}
