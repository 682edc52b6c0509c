// The provider-neutral sampling parameters. Each back end's own key names are in library/wire/sampling-keys.ts.

/** All parameters are optional: an absent one is not sent, so the server's own default applies. */
export interface SamplingParams {
  /** 0 is the usual starting point for deterministic tool calling. */
  temperature?: number | undefined;
  /** Nucleus sampling, 0–1. */
  topP?: number | undefined;
  /** Local provider only. */
  topK?: number | undefined;
  /** Together with temperature 0 this gives repeatability. */
  seed?: number | undefined;
  /** In tokens. Sent as `num_predict` locally and `max_tokens` hosted. */
  maxTokens?: number | undefined;
  /** Context window in tokens; local provider only. Changing it reloads the model. */
  numCtx?: number | undefined;
  /** Sequences that end generation; they are not part of the reply. */
  stop?: string[] | undefined;
  /** Local provider only. */
  repeatPenalty?: number | undefined;
}
