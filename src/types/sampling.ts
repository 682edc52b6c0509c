// The neutral sampling parameters; each back end's own key names live in library/wire/sampling-keys.ts.

/** All optional: an absent key is not sent, so the server's own default applies. */
export interface SamplingParams {
  /** 0 is the usual starting point for deterministic tool calling. */
  temperature?: number | undefined;
  /** Nucleus sampling, 0–1. */
  topP?: number | undefined;
  /** Local provider only. */
  topK?: number | undefined;
  /** With temperature 0, the pair that gives repeatability. */
  seed?: number | undefined;
  /** Tokens. `num_predict` locally, `max_tokens` hosted. */
  maxTokens?: number | undefined;
  /** Context window in tokens; local provider only. A change reloads the model. */
  numCtx?: number | undefined;
  /** Sequences that halt generation; they are not part of the reply. */
  stop?: string[] | undefined;
  /** Local provider only. */
  repeatPenalty?: number | undefined;
}
