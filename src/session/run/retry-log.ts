// Formats the line that is logged in the output channel for each retry. It contains neither a key nor a body.
import type { RetryAttempt } from '../../types';

/** `Demo (local protocol): attempt 1 of 3 failed with 429; next attempt in 1.0 s (Retry-After)` */
export function formatRetry(connectionLabel: string, info: RetryAttempt): string {
  const { attempt, maxAttempts, delayMs, retryAfterMs } = info;
  const source = retryAfterMs !== undefined && retryAfterMs === delayMs ? 'Retry-After' : 'backoff';
  return `${connectionLabel}: attempt ${attempt} of ${maxAttempts} failed with ${causeOf(info)}; next attempt in ${(delayMs / 1000).toFixed(1)} s (${source})`;
}

/** The HTTP status, or the code of the innermost cause. Never a message, which may contain anything. */
function causeOf({ status, error }: RetryAttempt): string {
  if (status !== undefined) return String(status);
  let word = error?.name ?? 'an unknown error';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as Error & { code?: unknown };
    if (typeof code === 'string') word = code;
  }
  return word;
}
