// The text that a server's chat template makes of a request. What the server does not report is absent.

/** The prompt of a request as a server renders it, and what the server reports about it. */
export interface RenderedPrompt {
  /** What the model would read. */
  text: string;
  /** Its number of tokens as the server counts them. */
  tokens?: number | undefined;
  /** Context length in tokens with which the model is loaded now. */
  contextLength?: number | undefined;
  /** The different special tokens in the text, such as `<|im_end|>`; at most 100. */
  specialTokens: string[];
  /** Whether the server's tokenizer named them; otherwise they were found by their form alone. */
  isFromTokenizer: boolean;
  /** Names of tools in the request that do not occur in the text. */
  missingTools: string[];
}
