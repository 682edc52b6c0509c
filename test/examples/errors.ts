import { HttpError, LocalHostProvider, ProviderError } from '../../src/library';

const provider = new LocalHostProvider({
  host: 'http://127.0.0.1:11434',
  model: 'qwen3:8b',
  retry: { maxAttempts: 4, timeoutMs: 120_000, isRetryable: ({ status }) => status === 503 },
});
try {
  await provider.chat({ messages: [{ role: 'user', content: 'Hello' }] });
} catch (error) {
  if (!(error instanceof ProviderError)) throw error;
  const { what, why, next } = error.explanation;
  console.error(`${what}\n${why}\n${next}`);
  for (const { attempt, status, errorCode, endMs, decision, reason, delayMs } of error.ledger)
    console.error(attempt, status ?? errorCode, `${Math.round(endMs)} ms`, decision, reason, delayMs);
  if (error instanceof HttpError) console.error(error.status, error.serverMessage);
  if (error.code === 'truncated-stream') console.error('so far:', error.partial);
}
