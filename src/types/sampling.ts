// The provider-neutral sampling parameters. Each back end's own key names are in library/wire/sampling-keys.ts.

/**
 * All parameters are optional: an absent one is not sent, so the server's own default applies. Only the types are checked
 * before sending; the server checks the ranges.
 */
export interface SamplingParams {
  /** 0 is the usual starting point for deterministic tool calling. */
  temperature?: number | undefined;
  /** Nucleus sampling, 0–1. */
  topP?: number | undefined;
  /** Number of the most likely tokens to choose from; local provider only. */
  topK?: number | undefined;
  /** Start of the random choices. Together with temperature 0 it makes replies repeatable on servers that support it. */
  seed?: number | undefined;
  /**
   * Maximum length of the reply in tokens. Sent as `num_predict` by the local provider, and as its `tokenLimitKey` by the
   * hosted one.
   */
  maxTokens?: number | undefined;
  /** Context window in tokens; local provider only. Changing it reloads the model. */
  numCtx?: number | undefined;
  /** Sequences that end generation; they are not part of the reply. */
  stop?: string[] | undefined;
  /** Penalty for tokens that were already written; 1 means none. Local provider only. */
  repeatPenalty?: number | undefined;
}
