// Tools as they are offered, and the two shapes of tool calls, which are not interchangeable.

/** A JSON Schema object of any draft; passed to the server unchanged. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that is offered to a model. */
export interface ToolType {
  name: string;
  description?: string | undefined;
  /** JSON Schema of the arguments object. */
  parameters: JsonSchema;
  /** Whether the server is to hold the arguments to the schema. Not sent by the local protocol. @default not sent */
  strict?: boolean | undefined;
  /** Called only by an agent; a provider's `chat` never calls it. */
  execute?(args: unknown, context: unknown): unknown;
}

/**
 * Whether the model may (`auto`), must not (`none`) or must (`required`) call a tool, or which one it must call. Without it
 * the server decides, mostly as for `auto`.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

/** A tool call in the shape that providers return. */
export interface ProviderToolCall {
  /** As given by the server or the text; generated (nine letters and digits) when neither gave one. */
  id: string;
  name: string;
  /** The parsed value; text that cannot be parsed stays a string. */
  arguments: unknown;
  /** `native`: from the tool-call field of the reply. `rescued`: read from the text of the reply. */
  source: 'native' | 'rescued';
  /** Data that must be sent back with the call unchanged, such as Gemini's thought signature. Hosted provider only. */
  extraContent?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool call in the shape that agent hooks receive. */
export interface ToolCall {
  name: string;
  args: unknown;
}
