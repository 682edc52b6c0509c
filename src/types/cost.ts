// Token counts and rates. An unknown value is absent, never 0.

/** USD per 1000 tokens, supplied by the caller; there is no built-in price table. */
export interface TokenCost {
  /** For tokens of the prompt. */
  input: number;
  /** For tokens of the reply. */
  output: number;
}

/** Counts as the server reported them. What it did not report is absent, never 0. */
export interface TokenUsage {
  /** The whole prompt, including its cached part. */
  promptTokens?: number | undefined;
  completionTokens?: number | undefined;
  /** The part of `promptTokens` that the server had in its cache. */
  cachedTokens?: number | undefined;
  /** The part of `completionTokens` that was hidden reasoning. */
  reasoningTokens?: number | undefined;
}

/** How fast a server processed a request. An unknown value is absent. */
export interface TokenRates {
  /** Prompt tokens per second, without the cached ones if the server reports those. */
  promptPerSecond?: number | undefined;
  /** Tokens of the reply per second. */
  completionPerSecond?: number | undefined;
  /** Milliseconds for loading the model before it began. */
  loadMs?: number | undefined;
  /** `server`: from times that the server reported. `measured`: from the arrival times of the pieces of the reply. */
  source: 'server' | 'measured';
}
