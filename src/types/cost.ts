// Token counts and rates. Unknown is absent, never 0.

/** USD per 1000 tokens, supplied by the caller: there is no price table. */
export interface TokenCost {
  input: number;
  output: number;
}

/** Counts as the server told them; what it did not tell is absent, never 0. */
export interface TokenUsage {
  /** The whole prompt, its cached part included. */
  promptTokens?: number | undefined;
  completionTokens?: number | undefined;
  /** The part of `promptTokens` that the server took from its cache. */
  cachedTokens?: number | undefined;
  /** The part of `completionTokens` that was hidden reasoning. */
  reasoningTokens?: number | undefined;
}

/** How fast a server read and wrote; what is not known is absent. */
export interface TokenRates {
  /** Tokens a second of the prompt, without those that came from the cache where the server tells them. */
  promptPerSecond?: number | undefined;
  /** Tokens a second of the reply. */
  completionPerSecond?: number | undefined;
  /** Milliseconds in which the model was loaded before it began. */
  loadMs?: number | undefined;
  /** `server`: from its own times. `measured`: from when the pieces of the reply came here. */
  source: 'server' | 'measured';
}
