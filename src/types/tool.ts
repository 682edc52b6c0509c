// Tools as they are offered, and tool calls in their two shapes, which are not interchangeable.

/** A JSON Schema object (any draft): passed through to the server as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that is offered to a model. */
export interface ToolType {
  name: string;
  description?: string | undefined;
  /** JSON Schema of the arguments object. */
  parameters: JsonSchema;
  /** Run by an agent only; a provider's `chat` never calls it. */
  execute?(args: unknown, context: unknown): unknown;
}

/** The provider's own shape of a tool call. */
export interface ProviderToolCall {
  /** As the server or the text gave it; minted once (`call_` + 24 characters) when neither did. */
  id: string;
  name: string;
  /** The parsed value; text that does not parse stays the original string. */
  arguments: unknown;
  /** `native`: in the reply's own tool-call field. `rescued`: read from the reply's text. */
  source: 'native' | 'rescued';
  /** What came with the call and must go back with it as it is: Gemini's thought signature. Hosted provider only. */
  extraContent?: Readonly<Record<string, unknown>> | undefined;
}

/** What agent hooks receive. */
export interface ToolCall {
  name: string;
  args: unknown;
}
